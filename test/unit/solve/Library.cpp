// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the libraries of C and C++ give, keep and call: their objects, tables and text.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Library : public ProgramTest {
protected:
  /// Of a program of one unit, of \p Name: main starts a receive into 'r', on line 3, and has \p Main, from line 4 on.
  std::string of(llvm::StringRef Name, llvm::StringRef Headers, llvm::StringRef Main) {
    return classesOf(Name, (Headers +
                            "\nint main(int argc, char **argv) { int b[9]; MPI_Request r; "
                            "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);\n" +
                            Main + "\n(void)b, (void)r, (void)argc, (void)argv; return 0; }\n")
                               .str());
  }
};

const char *const InC = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                        "#include <time.h>\n#include <errno.h>\n#include <ctype.h>\n#include <stdarg.h>\n";

TEST_F(Library, TextOfTheLibraryIsNothingOfTheProgram) {
  for (const char *Use :
       {"char *v[2] = {ctime(0), (char *)&r}; puts(v[argc]); *v[1] = 0;", "errno = 0; b[errno] = 1;",
        "int *p[2] = {&errno, b}; *p[argc] = b[*p[0]];", "char *e = getenv(\"HOME\"); if (e) b[atoi(e)] = e[0];",
        "struct tm *t = localtime(0); b[t->tm_hour] = t->tm_zone[0];",
        "b[0] = isalpha(argv[0][0]) + strerror(b[1])[0];",
        "void **p[2] = {(void **)stdout, (void **)b}; FILE *f = fopen(\"a\", \"w\"); fprintf(f, \"%d\", b[0]);"}) {
    std::string Dump = of("a.c", InC, Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
  std::string Dump = of("a.c", InC, "FILE *f = fopen(\"a\", \"w\"); *(MPI_Request *)f = r;");
  EXPECT_FALSE(has(Dump, "closed")) << "others know what is in a file\n" << Dump;
}

// Numbers that a library has of its own are not read by it, so that no handle comes back as one of them.
TEST_F(Library, NumbersOfTheLibrarysOwn) {
  for (llvm::StringRef Use : {"getopt(argc, argv, \"n:\"); opterr = 0;", "b[1] = getopt(argc, argv, \"n:\");"}) {
    std::string Dump = of("a.c", (llvm::Twine(InC) + "#include <getopt.h>\nvoid kept(int);").str(),
                          ("printf(\"%d\", r); MPI_Wait(&r, MPI_STATUS_IGNORE);" + Use + "kept(b[1] + optind);").str());
    EXPECT_TRUE(has(Dump, "closed")) << Use.str() << "\n" << Dump;
  }
  for (auto [Use, Is] : {std::pair("kept(file.precision());", true),
                         {"kept(file.width());", true},
                         {"int n; file >> n; kept(n);", false}}) {
    std::string Dump =
        of("a.cpp", "#include <fstream>\n#include <iostream>\nvoid kept(int);",
           (llvm::Twine("std::cout << r; std::fstream file; MPI_Wait(&r, MPI_STATUS_IGNORE);") + Use).str());
    EXPECT_EQ(has(Dump, "closed"), Is) << Use << "\n" << Dump;
  }
  const char *Reads = "printf(\"%d\", r); MPI_Wait(&r, MPI_STATUS_IGNORE); kept(atoi(argv[1]));";
  EXPECT_FALSE(has(of("a.c", (llvm::Twine(InC) + "void kept(int);").str(), Reads), "closed"));
}

// A pointer that is called for its result does not lead to a function that has none.
TEST_F(Library, FunctionsWithoutResult) {
  const std::string Calls = "typedef int (*function)(int); static int same(int n) { return n; }\n";
  for (auto [Other, Is] : {std::pair("srand", true), {"atoi", true}, {"umask", true}, {"found", false}}) {
    std::string Dump = of("a.c", InC + Calls + "int found();\n#include <sys/stat.h>\n",
                          ("function f[2] = {(function)" + llvm::Twine(Other) +
                           ", same}; MPI_Request q = f[argc](r); MPI_Wait(&q, MPI_STATUS_IGNORE);")
                              .str());
    EXPECT_EQ(has(Dump, "closed"), Is) << Other << "\n" << Dump;
  }
}

// What is called of an object whose class does not have it ends the program.
TEST_F(Library, FunctionsThatNoClassHas) {
  for (auto [Function, Is] :
       {std::pair("virtual MPI_Request *where() = 0;", true), {"virtual MPI_Request *where();", false}}) {
    std::string Dump =
        of("a.cpp",
           ("struct base { " + llvm::Twine(Function) +
            " virtual ~base() {} }; struct derived : base { MPI_Request *r; derived(MPI_Request *r) : r(r) {} "
            "MPI_Request *where() override { return r; } };")
               .str(),
           "base *o = new derived(&r); MPI_Wait(o->where(), MPI_STATUS_IGNORE);");
    EXPECT_EQ(has(Dump, "closed"), Is) << Function << "\n" << Dump;
  }
}

TEST_F(Library, WhatIsKeptComesBack) {
  for (const char *Back :
       {"strtok((char *)&r, \" \"); MPI_Wait((MPI_Request *)strtok(0, \" \"), MPI_STATUS_IGNORE);",
        "putenv((char *)&r); MPI_Wait((MPI_Request *)getenv(\"A\"), MPI_STATUS_IGNORE);",
        "argv[0] = (char *)&r; MPI_Wait((MPI_Request *)argv[1], MPI_STATUS_IGNORE);",
        "argv[0] = (char *)&r; MPI_Init(&argc, &argv); MPI_Wait((MPI_Request *)argv[1], MPI_STATUS_IGNORE);"}) {
    std::string Dump = of("a.c", InC, Back);
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Back << "\n" << Dump;
  }
}

// What is not known may call all that the program lets others call.
TEST_F(Library, ComplexNumbers) {
  const char *Before = "#include <complex.h>\nMPI_Comm comm; void other(MPI_Comm c) { comm = c; }\n"
                       "void start(int *b, MPI_Request *r) { MPI_Irecv(b, 1, MPI_INT, 0, 2, comm, r); }";
  for (const char *Use : {"b[0] = (int)creal(ccos(b[0]) * cexp(b[1] * I));", "b[0] = (int)crealf(csqrtf(b[0]));",
                          "b[0] = (int)(cabsf(b[0] * I) + cargf(b[1]) + cabs(b[2] * I));"}) {
    std::string Dump = of("a.c", Before, (llvm::Twine(Use) + "comm = MPI_COMM_SELF; start(b, &r);").str());
    EXPECT_TRUE(has(Dump, "class 1 closed")) << Use << "\n" << Dump;
  }
}

TEST_F(Library, Transforms) {
  const char *Before =
      "typedef double fftw_complex[2]; typedef struct fftw_plan_s *fftw_plan; void *fftw_malloc(unsigned long);\n"
      "fftw_plan fftw_plan_many_dft_r2c(int, const int *, int, double *, const int *, int, int, fftw_complex *, const "
      "int *, int, int, unsigned); void fftw_execute(const fftw_plan); void fftw_destroy_plan(fftw_plan); void "
      "fftw_free(void *); void fftw_none(fftw_plan);\n"
      "struct grid { int n[3]; MPI_Comm comm; fftw_plan plan; double *data; } g;\n"
      "void other(MPI_Comm c) { g.comm = c; }\n"
      "void make(void) { g.n[0] = 8; g.data = fftw_malloc(160); g.data[0] = 1; g.plan = fftw_plan_many_dft_r2c(1, g.n, "
      "1, g.data, 0, 1, 8, (fftw_complex *)g.data, 0, 1, 5, 0); }\n"
      "void finish(void) { fftw_destroy_plan(g.plan); fftw_free(g.data); }\n"
      "void send(int *b, int tag) { MPI_Send(b, 1, MPI_INT, 0, tag, g.comm); }";
  const char *Use = "g.comm = MPI_COMM_WORLD; make(); fftw_execute(g.plan); send(b, 2); finish();";
  std::string Dump = of("a.c", Before, Use);
  EXPECT_TRUE(has(Dump, "class 0 closed") && has(Dump, "class 1 closed")) << Dump;
  Dump = of("b.c", Before,
            "g.comm = MPI_COMM_WORLD; make(); fftw_execute(g.plan); send(b, 1 + (int)g.data[0]); finish();");
  EXPECT_TRUE(has(Dump, "class 0 closed") && !has(Dump, "class 1")) << "it may have become 0\n" << Dump;
  Dump = of("c.c", Before, (Use + std::string("fftw_none(g.plan);")).c_str());
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "may call what changes the communicator\n" << Dump;
}

TEST_F(Library, LinearAlgebra) {
  const char *Before =
      "typedef double *D; typedef const int *I; typedef const char *C; void *malloc(unsigned long);\n"
      "void dgesv_(I, I, D, I, int *, D, I, int *), dgemm_(C, C, I, I, I, D, D, I, D, I, D, D, I), dnone_(I, D);\n"
      "void dcopy_(I, D, I, D, I); _Complex double zdotc_(I, _Complex double *, I, _Complex double *, I);\n"
      "void cblas_zaxpy(int, const void *, const void *, int, void *, int);\n"
      "struct solver { int n; MPI_Comm comm; double one, *a, *b; int pivots[8]; } s;\n"
      "void other(MPI_Comm c) { s.comm = c; }\n"
      "int solve(void) { int info; s.n = 8; s.one = 1; s.a = malloc(512); s.b = malloc(512); s.a[0] = 1; s.comm = "
      "MPI_COMM_WORLD;\n"
      "dgemm_(\"N\", \"N\", &s.n, &s.n, &s.n, &s.one, s.b, &s.n, s.b, &s.n, &s.one, s.a, &s.n);\n"
      "dgesv_(&s.n, &s.n, s.a, &s.n, s.pivots, s.b, &s.n, &info); return info; }\n"
      "void send(int *b, int tag) { MPI_Send(b, 1, MPI_INT, 0, tag, s.comm); }";
  const char *Use = "solve(); send(b, 2);";
  std::string Dump = of("a.c", Before, Use);
  EXPECT_TRUE(has(Dump, "class 0 closed") && has(Dump, "class 1 closed")) << Dump;
  for (const char *Number : {"s.a[0]", "s.b[0]", "s.pivots[0]", "solve()"}) {
    Dump = of("b.c", Before, ("solve(); send(b, 1 + (int)" + llvm::Twine(Number) + ");").str());
    EXPECT_TRUE(has(Dump, "class 0 closed") && !has(Dump, "class 1")) << Number << " may have become 0\n" << Dump;
  }
  for (const char *More :
       {"int n = 4; b[0] += (int)zdotc_(&n, (_Complex double *)s.a, &n, (_Complex double *)s.b, &n);",
        "cblas_zaxpy(4, s.a, s.a, 1, s.b, 1);"}) {
    Dump = of("c.c", Before, (Use + llvm::Twine(More)).str());
    EXPECT_TRUE(has(Dump, "class 1 closed")) << More << "\n" << Dump;
  }
  Dump = of("d.c", Before, (Use + std::string("dnone_(&s.n, s.a);")).c_str());
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "may call what changes the communicator\n" << Dump;
  Dump = of("e.c", Before, (Use + std::string("dcopy_(&s.n, (double *)&s, &s.n, s.a, &s.n);")).c_str());
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "the communicator is read as numbers\n" << Dump;
  Dump = of("f.c", Before + std::string("void xerbla_(C name, I which) { other(*which); }"), Use);
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "is called when an argument is wrong\n" << Dump;
  Dump = of("g.c", Before + std::string("static void xerbla_(C name, I which) { other(*which); }"), Use);
  EXPECT_TRUE(has(Dump, "class 1 closed")) << "is not called: nobody else knows of it\n" << Dump;
}

TEST_F(Library, Integration) {
  const char *Before =
      "struct gsl_function { double (*function)(double, void *); void *params; };\n"
      "struct work; struct work *gsl_integration_workspace_alloc(unsigned long); void "
      "gsl_integration_workspace_free(struct work *);\n"
      "int gsl_integration_qags(const struct gsl_function *, double, double, double, double, unsigned long, struct "
      "work "
      "*, double *, double *), gsl_integration_none(const struct gsl_function *, double, double, double *);\n"
      "struct sim { double scale; MPI_Comm comm; } sim;\n"
      "void other(MPI_Comm c) { sim.comm = c; }\n"
      "double power(double k, void *p) { return ((struct sim *)p)->scale * k; }\n"
      "double tell(double k, void *p) { int n = 0; MPI_Send(&n, 1, MPI_INT, 0, 1, ((struct sim *)p)->comm); return k; "
      "}\n"
      "double integral(double (*f)(double, void *), struct sim *s) { struct gsl_function F; double result, error;\n"
      "F.function = f; F.params = s; struct work *w = gsl_integration_workspace_alloc(1000);\n"
      "gsl_integration_qags(&F, 0, 1, 0, 1e-6, 1000, w, &result, &error); gsl_integration_workspace_free(w);\n"
      "return result; }\n"
      "void send(int *b, int tag) { MPI_Send(b, 1, MPI_INT, 0, tag, sim.comm); }";
  std::string Dump = of("a.c", Before, "sim.comm = MPI_COMM_WORLD; b[0] = integral(power, &sim) > 2; send(b, 2);");
  EXPECT_TRUE(has(Dump, "class 1 closed") && !has(Dump, "open")) << Dump;
  Dump = of("b.c", Before, "sim.comm = MPI_COMM_WORLD; b[0] = integral(tell, &sim) > 2; send(b, 2);");
  EXPECT_TRUE(has(Dump, "MPI_Irecv\n  b.c:8:")) << "it is called with the record\n" << Dump;
  Dump = of("c.c", Before,
            "struct gsl_function F = {power, &sim}; double result; sim.comm = MPI_COMM_WORLD; "
            "gsl_integration_none(&F, 0, 1, &result); send(b, 2);");
  EXPECT_FALSE(has(Dump, "closed")) << "is no function that is known\n" << Dump;
}

TEST_F(Library, FilesOfHdf5) {
  const char *Before = "typedef long hid_t; typedef int herr_t; hid_t H5Aopen_name(hid_t, const char *); extern hid_t "
                       "H5T_NATIVE_INT_g;\n"
                       "herr_t H5Awrite(hid_t, hid_t, const void *), H5Aread(hid_t, hid_t, void *), H5Aclose(hid_t), "
                       "H5Adelete(hid_t, const "
                       "char *);\n"
                       "hid_t H5Aget_type(hid_t); herr_t H5Aiterate1(hid_t, unsigned *, herr_t (*)(hid_t, const char "
                       "*, void *), void *);\n"
                       "herr_t H5Eset_auto1(herr_t (*)(void *), void *), H5Anone(hid_t, hid_t, void *);\n"
                       "struct all { int n, m; MPI_Comm comm; MPI_Request *of; } all; char *names[2]; unsigned at;\n"
                       "herr_t send(hid_t id, const char *name, void *p) { MPI_Send(&at, 1, MPI_INT, 0, 2, ((struct "
                       "all *)p)->comm); return "
                       "0; }\n"
                       "herr_t tell(void *p) { return send(0, 0, p); }";
  for (const char *Use : {"H5Awrite(a, H5T_NATIVE_INT_g, &all.n); send(a, 0, &all);",
                          "H5Aread(a, H5T_NATIVE_INT_g, b); send(a, 0, &all);",
                          "H5Aread(a, H5T_NATIVE_INT_g, names); b[0] = names[0][0]; send(a, 0, &all);",
                          "H5Aread(a, H5Aget_type(a), names); b[0] = names[0][0]; send(a, 0, &all);"}) {
    std::string Dump = of(
        "a.c", Before,
        ("all.comm = MPI_COMM_WORLD; hid_t a = H5Aopen_name(b[0], \"n\");" + llvm::Twine(Use) + " H5Aclose(a);").str());
    EXPECT_TRUE(has(Dump, "class 1 closed") && !has(Dump, "open")) << Use << "\n" << Dump;
  }
  std::string Dump = of("b.c", Before, "all.comm = MPI_COMM_WORLD; H5Aiterate1(0, &at, send, &all);");
  EXPECT_FALSE(has(Dump, "closed")) << "the library has the record as long as it likes\n" << Dump;
  Dump = of("c.c", Before, "all.comm = MPI_COMM_WORLD; H5Eset_auto1(tell, &all); H5Adelete(0, \"n\");");
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "is called with the record\n" << Dump;
  Dump = of("d.c", Before, "H5Anone(0, 0, &all); all.of = &r; H5Aclose(0);");
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "is no function that is known\n" << Dump;
  Dump = of("e.c", Before,
            "MPI_Request s; H5Awrite(0, H5T_NATIVE_INT_g, &r); H5Aread(0, H5T_NATIVE_INT_g, &s); MPI_Wait(&s, "
            "MPI_STATUS_IGNORE);");
  EXPECT_FALSE(has(Dump, "class 1 closed") && !has(Dump, "MPI_Wait")) << "comes back from the file\n" << Dump;
  Dump = of("f.c", Before, "H5Aread(0, H5Aget_type(0), names); *(MPI_Request *)names[0] = r;");
  EXPECT_FALSE(has(Dump, "closed")) << "the library knows what it allocates\n" << Dump;
}

TEST_F(Library, DifferentialEquations) {
  const char *Before =
      "struct gsl_odeiv2_system { int (*function)(double, const double *, double *, void *);\n"
      "int (*jacobian)(double, const double *, double *, double *, void *); unsigned long dimension; void *params; };\n"
      "struct driver; struct type; extern const struct type *gsl_odeiv2_step_rk4;\n"
      "struct driver *gsl_odeiv2_driver_alloc_y_new(const struct gsl_odeiv2_system *, const struct type *, double, "
      "double, double); int gsl_odeiv2_driver_apply(struct driver *, double *, double, double *);\n"
      "struct sim { double scale; int tag; MPI_Comm comm; } sim;\n"
      "void other(MPI_Comm c) { sim.comm = c; }\n"
      "int move(double t, const double *y, double *to, void *p) { to[0] = y[1]; to[1] = -((struct sim *)p)->scale * "
      "y[0];"
      "return 0; }\n"
      "int tell(double t, const double *y, double *to, double *at, void *p) { int n = 0; to[0] = at[0] = y[0];\n"
      "return MPI_Send(&n, 1, MPI_INT, 0, 1, ((struct sim *)p)->comm); }\n"
      "void solve(struct gsl_odeiv2_system *s) { double t = 0, y[2] = {1, 0};\n"
      "struct driver *d = gsl_odeiv2_driver_alloc_y_new(s, gsl_odeiv2_step_rk4, 1e-6, 1e-6, 0);\n"
      "gsl_odeiv2_driver_apply(d, &t, 1.0, y); sim.scale = y[0]; }\n"
      "void send(int *b, int tag) { MPI_Send(b, 1, MPI_INT, 0, tag, sim.comm); }";
  std::string Dump =
      of("a.c", Before,
         "struct gsl_odeiv2_system s = {move, 0, 2, &sim}; sim.comm = MPI_COMM_WORLD; solve(&s); send(b, "
         "2);");
  EXPECT_TRUE(has(Dump, "class 1 closed") && !has(Dump, "open")) << Dump;
  Dump = of("b.c", Before,
            "struct gsl_odeiv2_system s = {move, tell, 2, &sim}; sim.comm = MPI_COMM_WORLD; solve(&s); send(b, 2);");
  EXPECT_TRUE(has(Dump, "MPI_Irecv\n  b.c:10:")) << "the Jacobian is called, too\n" << Dump;
}

TEST_F(Library, Compression) {
  const char *Before =
      "int compress(char *, unsigned long *, const char *, unsigned long); int other_compress(char *, unsigned long "
      "*);\n"
      "int compress2(char *, unsigned long *, const char *, unsigned long, int);\n"
      "int uncompress(char *, unsigned long *, const char *, unsigned long);\n"
      "unsigned long compressBound(unsigned long), crc32(unsigned long, const char *, unsigned);\n"
      "struct gzFile_s; struct gzFile_s *gzopen(const char *, const char *); int gzclose(struct gzFile_s *),\n"
      "gzwrite(struct gzFile_s *, const void *, unsigned), gzread(struct gzFile_s *, void *, unsigned),\n"
      "gzprintf(struct gzFile_s *, const char *, ...);\n"
      "struct z { const char *next_in; unsigned avail_in; unsigned long total_in; char *next_out; unsigned avail_out;\n"
      "unsigned long total_out; const char *msg; void *state; void *(*zalloc)(void *, unsigned, unsigned);\n"
      "void (*zfree)(void *, void *); void *opaque; int type; unsigned long adler, reserved; };\n"
      "int deflateInit_(struct z *, int, const char *, int), deflate(struct z *, int), deflateEnd(struct z *);\n"
      "MPI_Comm comm; char text[99], small[99], again[99]; unsigned long n = 99;\n"
      "void other(MPI_Comm c) { comm = c; }\n"
      "static void *get(void *r, unsigned a, unsigned b) { MPI_Wait(r, MPI_STATUS_IGNORE); return 0; }\n"
      "void send(int *b) { MPI_Send(b, 1, MPI_INT, 0, 2, comm); }";
  for (const char *Use :
       {"compress2(small, &n, text, 99, 9); uncompress(again, &n, small, n);",
        "compress(small, &n, text, 99); b[0] = (int)compressBound(n) + (int)crc32(0, text, 99);",
        "struct gzFile_s *f = gzopen(\"a\", \"wb\"); gzwrite(f, b, 9); gzread(f, b, 9); gzprintf(f, \"%d\", b[0]); "
        "gzclose(f);",
        "struct z s = {text, 99, 0, small, 99}; deflateInit_(&s, 9, \"1\", 112); deflate(&s, 4); deflateEnd(&s);"}) {
    std::string Dump = of("a.c", Before, (llvm::Twine("comm = MPI_COMM_WORLD; ") + Use + " send(b);").str());
    EXPECT_TRUE(has(Dump, "class 0 closed") && has(Dump, "class 1 closed")) << Use << "\n" << Dump;
  }
  for (const char *Use :
       {"other_compress(small, &n);",
        "compress2(small, &n, (char *)&r, 8, 9); uncompress(again, &n, small, n); "
        "MPI_Wait((MPI_Request *)again, MPI_STATUS_IGNORE);",
        "struct gzFile_s *f = gzopen(\"a\", \"wb\"); gzwrite(f, &r, 8); gzread(f, again, 8); "
        "MPI_Wait((MPI_Request *)again, MPI_STATUS_IGNORE);",
        "struct z s = {(char *)&r, 8, 0, again, 99}; deflateInit_(&s, 9, \"1\", 112); deflate(&s, 4);",
        "struct z s = {text, 9, 0, again, 99, 0, 0, 0, get, 0, &r}; deflateInit_(&s, 9, \"1\", 112);"}) {
    std::string Dump = of("b.c", Before, (llvm::Twine("comm = MPI_COMM_WORLD; ") + Use + " send(b);").str());
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "class 0 closed") || !has(Dump, "class 1 closed"))
        << Use << "\n"
        << Dump;
  }
  std::string Dump = of("c.c", "int compress(void *);\n", "compress(&r);");
  EXPECT_FALSE(has(Dump, "closed")) << "another library's\n" << Dump;
}

TEST_F(Library, ArgumentsAreTextOnly) {
  for (const char *Use : {"struct { char **v; MPI_Request *p; } s = {argv, &r}; s.v[0] = \"a\"; puts(s.v[argc]);",
                          "void *v[2] = {argv, &r}; *(char **)v[argc] = 0;"}) {
    std::string Dump = of("a.c", InC, Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
}

TEST_F(Library, OptionsAreTextOnly) {
  const char *Headers = "#include <getopt.h>\n#include <stdio.h>\n#include <string.h>\n"
                        "static int verbose; static char name[9];\n"
                        "static struct option all[] = {{\"v\", 0, &verbose, 2}, {0}};\n";
  // What is written there is nowhere else.
  for (const char *Use :
       {"getopt(argc, argv, \"n:\"); *(MPI_Request *)optarg = r; MPI_Wait(&r, MPI_STATUS_IGNORE);",
        "getopt_long(argc, argv, \"n:\", all, 0); *(MPI_Request *)optarg = r; MPI_Wait(&r, MPI_STATUS_IGNORE);"}) {
    std::string Dump = of("a.c", Headers, Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
  // Texts of the program's own.
  for (const char *Use :
       {"char *own[] = {\"a\", (char *)&r, 0}; if (getopt(2, own, \"n:\")) MPI_Wait((MPI_Request *)optarg, 0);",
        "char *own[] = {\"a\", (char *)&r, 0}; getopt(2, own, \"n:\"); MPI_Wait((MPI_Request *)own[0], 0);"}) {
    std::string Dump = of("a.c", Headers, Use);
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Use << "\n" << Dump;
  }
}

TEST_F(Library, TheEnvironmentIsText) {
  const char *Headers = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                        "extern char **environ, **__environ;\nvoid unknown(void);\nstatic char *own[2], hint[99];\n";
  for (const char *Use : {"for (int i = 0; environ[i]; i++) puts(environ[i]); MPI_Wait(&r, 0);",
                          "setenv(\"A\", argv[0], 1); strcpy(hint, *environ); putenv(hint); MPI_Wait(&r, 0);",
                          "*(MPI_Request *)environ[0] = r; MPI_Wait(&r, 0);"}) {
    std::string Dump = of("a.c", Headers, Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
  for (const char *Use : {"own[0] = (char *)&r; environ = own; MPI_Wait((MPI_Request *)getenv(\"A\"), 0);",
                          "own[0] = (char *)&r; environ = own; MPI_Wait((MPI_Request *)__environ[0], 0);",
                          "*(MPI_Request *)environ[0] = r; MPI_Wait((MPI_Request *)getenv(\"A\"), 0);",
                          "*(MPI_Request *)argv[2] = r; MPI_Wait((MPI_Request *)environ[0], 0);",
                          "putenv((char *)&r); MPI_Wait((MPI_Request *)environ[0], 0);",
                          "*(MPI_Request *)environ[0] = r; unknown(); MPI_Wait(&r, 0);"}) {
    std::string Dump = of("a.c", Headers, Use);
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Use << "\n" << Dump;
  }
}

// The kernel calls nothing by its name, and does what the function does that a call by number stands for.
TEST_F(Library, CallsOfTheKernel) {
  const char *Headers = "#define _GNU_SOURCE\n#include <unistd.h>\n#include <stdio.h>\n#include <sys/syscall.h>\n"
                        "static MPI_Request *kept; void hook(void) { if (kept) MPI_Wait(kept, 0); }\n";
  for (const char *Use : {"struct { unsigned in; MPI_Request *at; } c = {0, &r}; printf(\"%p\", (void *)&r);"
                          "syscall(SYS_getcpu, &c.in, 0, 0); MPI_Wait(&r, 0);",
                          "kept = &r; argc = syscall(SYS_gettid); MPI_Wait(&r, 0);"}) {
    std::string Dump = of("a.c", Headers, Use);
    EXPECT_TRUE(has(Dump, "closed") && !has(Dump, "hook")) << Use << "\n" << Dump;
  }
  for (const char *Use :
       {"syscall(SYS_read + argc, 0, &kept, 8); *kept = r; MPI_Wait(&r, 0);",
        "write(1, &r, sizeof r); MPI_Request s = 0; syscall(SYS_read, 0, &s, sizeof s); MPI_Wait(&s, 0);",
        "kept = &r; write(1, &kept, 8); MPI_Wait((MPI_Request *)syscall(argc, 0), 0);"}) {
    std::string Dump = of("a.c", Headers, Use);
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Use << "\n" << Dump;
  }
}

TEST_F(Library, AdviceOnMemoryAndFilesIsKeptByNobody) {
  std::string Dump = of("a.c",
                        "#define _GNU_SOURCE\n#define _FILE_OFFSET_BITS 64\n#include <fcntl.h>\n#include <sys/mman.h>\n"
                        "#include <sys/stat.h>\n#include <sys/vfs.h>\n#include <unistd.h>\n",
                        "struct statfs s; unsigned char in[9]; posix_madvise(&r, sizeof r, POSIX_MADV_DONTNEED); "
                        "mincore(&r, sizeof r, in); mlockall(MCL_CURRENT); munlockall(); syncfs(0); "
                        "sync_file_range(0, 0, 9, 0); readahead(0, 0, 9); posix_fadvise(0, 0, 9, POSIX_FADV_RANDOM); "
                        "posix_fallocate(0, 0, 9); fallocate(0, 0, 0, 9); fchmod(0, 0600); fstatfs(0, &s); "
                        "MPI_Wait(&r, MPI_STATUS_IGNORE);");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  EXPECT_FALSE(has(Dump, "not in the database")) << Dump;
}

TEST_F(Library, CallsByAddressFitTheirFunctions) {
  const char *Functions = "static MPI_Request *last; static void set(int n, MPI_Request *p) { last = p; }\n"
                          "static void scale(int n, double by) {}\nstatic void see(int n) {}\n"
                          "static void wait(MPI_Request *p) { MPI_Wait(p, MPI_STATUS_IGNORE); }\n"
                          "static void (*const table[])(void) = {(void (*)(void))set, (void (*)(void))scale,\n"
                          "  (void (*)(void))see, (void (*)(void))wait};\n";
  std::string Dump = of("a.c", Functions, "((void (*)(int))table[argc])(1); wait(&r); if (last) wait(last);");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  Dump = of("a.c", Functions, "((void (*)(int, MPI_Request *))table[argc])(1, &r); wait(last);");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Dump;
  Dump = of("a.c", Functions, "((void (*)(MPI_Request *, int))table[argc])(&r, 1);");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << "more arguments than are taken\n" << Dump;
}

TEST_F(Library, FunctionsThatComeBackAsNumbers) {
  const char *Functions = "#include <stdio.h>\nstatic MPI_Request kept;\n"
                          "static void now(void) { MPI_Wait(&kept, MPI_STATUS_IGNORE); }\n";
  std::string Dump = of("a.c", Functions,
                        "kept = r; printf(\"%ld\", (long)now); long n;\n"
                        "if (scanf(\"%ld\", &n)) ((void (*)(void))n)();");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Dump;
}

// No number is made a pointer to a member function, though numbers are in the same memory.
TEST_F(Library, PointersToMemberFunctionsAreNotMadeOfNumbers) {
  const char *Classes =
      "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
      "struct O { MPI_Request kept; void now() { MPI_Wait(&kept, MPI_STATUS_IGNORE); } virtual void other() {} };\n"
      "typedef void (O::*member)(); typedef void (*function)(O *);\n";
  const std::string Mixed = "O *o = new O; o->kept = r; std::printf(\"%p\", (void *)o); member f = &O::now, g;"
                            "long *t = (long *)std::malloc(64); if (argc > 3) f = &O::other;"
                            "std::memcpy(t + argc, &f, sizeof f); std::scanf(\"%ld\", t + argc + 1);";
  std::string Dump = of("a.cpp", Classes, Mixed + "std::memcpy(&g, t + argc, sizeof g); (o->*g)();");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait:5\n")) << Dump;
  for (std::string Other : {"((function)t[argc])(o);", "t[argc] & 1 ? o->other() : ((function)t[argc])(o);"})
    EXPECT_FALSE(has(of("a.cpp", Classes, Mixed + Other), "closed")) << Other;
}

TEST_F(Library, TablesOfClasses) {
  const char *Classes =
      "#include <stdexcept>\n#include <typeinfo>\n#include <cstdio>\n"
      "struct Base { virtual ~Base() {} virtual void run(MPI_Request *) {} };\n"
      "struct Left : virtual Base { MPI_Request own; };\n"
      "struct Right : Left { void run(MPI_Request *p) override { MPI_Wait(p, MPI_STATUS_IGNORE); } };\n"
      "struct Failure : std::runtime_error { Failure() : std::runtime_error(\"a\") {} };\n";
  for (const char *Use : {"Base *o = argc > 1 ? new Right : new Base; o->run(&r); delete o;",
                          "Left *l = new Right; Base *o = l; if (Left *d = dynamic_cast<Left *>(o)) d->run(&r);"}) {
    std::string Dump = of("a.cpp", Classes, Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait:7\n")) << Use << "\n" << Dump;
  }
  for (const char *Use :
       {"std::puts(typeid(Left).name());",
        "try { throw Failure(); } catch (std::exception &e) { std::puts(e.what()); }",
        "void *v[2] = {new Right, &r}; const void *t = **(const void ***)v[argc]; std::printf(\"%d\", t != 0);",
        "std::runtime_error e(\"a\"), f(e); e = f; try { throw e; } catch (...) { }"}) {
    std::string Dump = of("a.cpp", Classes, Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
  // Of a class that is defined elsewhere nothing is known, and what is called there may throw.
  const char *Unknown = "struct Out { virtual void use(MPI_Request *); }; struct Mine { MPI_Request *p; };\n"
                        "void out(Mine *); static void wait(MPI_Request *p) { MPI_Wait(p, MPI_STATUS_IGNORE); }\n";
  EXPECT_FALSE(has(of("a.cpp", Unknown, "Out *o = new Out; o->use(&r);"), "closed"));
  std::string Dump = of("a.cpp", Unknown, "Mine m = {&r}; try { out(&m); } catch (Mine *c) { wait(c->p); }");
  EXPECT_TRUE(!has(Dump, "closed") && has(Dump, "completed by MPI_Wait")) << Dump;
}

TEST_F(Library, Streams) {
  const char *Classes = "#include <sstream>\n#include <iostream>\n#include <string>\n"
                        "struct Out : std::streambuf { MPI_Request *p = nullptr;\n"
                        "  int overflow(int c) override { MPI_Wait(p, MPI_STATUS_IGNORE); return c; } };\n"
                        "struct In : std::streambuf { char *p = nullptr; int underflow() override { return *p; } };\n"
                        "struct Keep : std::streambuf { MPI_Request q = 0;\n"
                        "  int overflow(int c) override { q = c; return c; } };\n";
  for (const char *Use : {"std::ostringstream s; s << argc << \"a\" << 1.5; std::cout << s.str() << std::endl;",
                          "std::cout << &r << std::endl;",
                          "std::istringstream s(argv[0]); int n; std::string t; if (s >> n >> t) b[n] = t[0];"}) {
    std::string Dump = of("a.cpp", Classes, Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
  for (const char *Bytes :
       {"std::cout.put((char)r); b[0] = std::cin.get();", "std::cout << (char)r; std::cin.get((char &)b[0]);"}) {
    std::string Dump = of("a.cpp", Classes, Bytes);
    EXPECT_TRUE(has(Dump, "closed")) << Bytes << "\n" << Dump;
  }
  for (const char *Leaves :
       {"std::cout.put((char)r); MPI_Request q = std::cin.get(); MPI_Wait(&q, MPI_STATUS_IGNORE);",
        "std::stringstream s; s.rdbuf()->sputc((char)r); MPI_Request q = s.peek(); MPI_Wait(&q, MPI_STATUS_IGNORE);",
        "MPI_Request q = 0; std::cout << (char)r; std::cin >> (char &)q; MPI_Wait(&q, MPI_STATUS_IGNORE);",
        "In i; i.p = (char *)&r; std::istream s(&i); MPI_Request q = s.get(); MPI_Wait(&q, MPI_STATUS_IGNORE);",
        "Keep k; std::ostream s(&k); s.put((char)r); MPI_Wait(&k.q, MPI_STATUS_IGNORE);"}) {
    std::string Dump = of("a.cpp", Classes, Leaves);
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Leaves << "\n" << Dump;
  }
  for (const char *Back : {"s.read((char *)&q, sizeof q);", "s.rdbuf()->sgetn((char *)&q, sizeof q);",
                           "for (unsigned i = 0; i < sizeof q; i++) ((char *)&q)[i] = s.rdbuf()->sbumpc();"}) {
    std::string Dump = of("a.cpp", Classes,
                          std::string("MPI_Request q; std::stringstream s; s.write((char *)&r, sizeof r);") + Back +
                              "MPI_Wait(&q, MPI_STATUS_IGNORE);");
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Back << "\n" << Dump;
  }
  std::string Dump = of("a.cpp", Classes, "Out o; o.p = &r; std::ostream s(&o); s << argc;");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Dump;
  Dump = of("a.cpp", Classes,
            "std::stringstream s; s << 2; int t = 3; s >> t; MPI_Send(b, 1, MPI_INT, 0, t, MPI_COMM_WORLD);");
  EXPECT_EQ(llvm::StringRef(Dump).count("class"), 1U) << "what is read may be any number\n" << Dump;
}

} // namespace
