// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libraries of numerics, of files of numbers and of compression do with arrays and functions of the program.

#include "libraries/LibraryTest.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class ScientificLibraries : public LibraryTest {};

TEST_F(ScientificLibraries, Transforms) {
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

TEST_F(ScientificLibraries, LinearAlgebra) {
  const char *Before =
      "typedef double *D; typedef const int *I; typedef const char *C; void *malloc(unsigned long);\n"
      "void dgesv_(I, I, D, I, int *, D, I, int *), dgemm_(C, C, I, I, I, D, D, I, D, I, D, D, I), dnone_(I, D);\n"
      "void dcopy_(I, D, I, D, I); _Complex double zdotc_(I, _Complex double *, I, _Complex double *, I);\n"
      "void cblas_zaxpy(int, const void *, const void *, int, void *, int);\n"
      "int LAPACKE_dgesv(int, int, int, double *, int, int *, double *, int);\n"
      "double LAPACKE_dlange(int, char, int, int, const double *, int);\n"
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
        "cblas_zaxpy(4, s.a, s.a, 1, s.b, 1);", "b[0] += LAPACKE_dgesv(102, 8, 8, s.a, 8, s.pivots, s.b, 8);",
        "b[0] += LAPACKE_dlange(102, 'F', 8, 8, s.a, 8) > 1;"}) {
    Dump = of("c.c", Before, (Use + llvm::Twine(More)).str());
    EXPECT_TRUE(has(Dump, "class 1 closed")) << More << "\n" << Dump;
  }
  Dump = of("d.c", Before, (Use + std::string("dnone_(&s.n, s.a);")).c_str());
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "may call what changes the communicator\n" << Dump;
  Dump = of("e.c", Before, (Use + std::string("dcopy_(&s.n, (double *)&s, &s.n, s.a, &s.n);")).c_str());
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "the communicator is read as numbers\n" << Dump;
  Dump = of("f.c", Before + std::string("void xerbla_(C name, I which) { other(*which); }"), Use);
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "is called when an argument is wrong\n" << Dump;
  Dump =
      of("f.c", Before + std::string("void dgetrf_(I m, I n, D a, I lda, int *p, int *info) { other(*m); }"),
         "s.a = malloc(512); s.comm = MPI_COMM_WORLD; LAPACKE_dgesv(102, 8, 8, s.a, 8, s.pivots, s.a, 8); send(b, 2);");
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "is called by the other\n" << Dump;
  Dump = of("g.c", Before + std::string("static void xerbla_(C name, I which) { other(*which); }"), Use);
  EXPECT_TRUE(has(Dump, "class 1 closed")) << "is not called: nobody else knows of it\n" << Dump;
}

TEST_F(ScientificLibraries, Integration) {
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

// What nothing calls a library may call by its name, unless it is known not to.
TEST_F(ScientificLibraries, NumbersOfGsl) {
  const char *Before = "int gsl_finite(double), gsl_none(double); double gsl_pow_2(double), gsl_frexp(double, int *);\n"
                       "MPI_Comm comm; void other(MPI_Comm c) { comm = c; }\n"
                       "void send(int *b, int tag) { MPI_Send(b, 1, MPI_INT, 0, tag, comm); }";
  std::string Dump = of("a.c", Before,
                        "comm = MPI_COMM_WORLD; int e; b[0] = gsl_finite(gsl_pow_2(b[1]) + gsl_frexp(2, &e)) + e; "
                        "send(b, 2);");
  EXPECT_TRUE(has(Dump, "class 1 closed") && !has(Dump, "open")) << Dump;
  Dump = of("b.c", Before, "comm = MPI_COMM_WORLD; b[0] = gsl_none(b[1]); send(b, 2);");
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "is no function that is known\n" << Dump;
}

TEST_F(ScientificLibraries, FilesOfHdf5) {
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

TEST_F(ScientificLibraries, DifferentialEquations) {
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

TEST_F(ScientificLibraries, Compression) {
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

// GSL's vectors and matrices are records of the library's, or of the program's arrays; functions of the library change
// the numbers in these from then on.
TEST_F(ScientificLibraries, VectorsAndMatrices) {
  const char *Before =
      "struct gsl_block; typedef struct { unsigned long size, stride; double *data; struct gsl_block *block; int "
      "owner; } "
      "gsl_vector; typedef struct { gsl_vector vector; } gsl_vector_view;\n"
      "typedef struct { unsigned long size1, size2, tda; double *data; struct gsl_block *block; int owner; } "
      "gsl_matrix; "
      "typedef struct { gsl_matrix matrix; } gsl_matrix_view;\n"
      "gsl_vector *gsl_vector_alloc(unsigned long); gsl_matrix_view gsl_matrix_view_array(double *, unsigned long, "
      "unsigned long); gsl_vector_view gsl_matrix_row(gsl_matrix *, unsigned long); void gsl_vector_free(gsl_vector "
      "*);\n"
      "double gsl_vector_get(const gsl_vector *, unsigned long); void gsl_vector_none(gsl_vector *); int "
      "gsl_linalg_cholesky_decomp(gsl_matrix *), gsl_linalg_cholesky_solve(const gsl_matrix *, const gsl_vector *, "
      "gsl_vector *);\n"
      "struct all { int tag; double a[9]; MPI_Comm comm; } all;\n"
      "void other(MPI_Comm c) { all.comm = c; }\n"
      "double solve(struct all *s) { gsl_matrix_view m = gsl_matrix_view_array(s->a, 3, 3); gsl_vector *x = "
      "gsl_vector_alloc(3); gsl_vector_view row = gsl_matrix_row(&m.matrix, 1);\n"
      "gsl_linalg_cholesky_decomp(&m.matrix); gsl_linalg_cholesky_solve(&m.matrix, &row.vector, x); double y = "
      "gsl_vector_get(x, 1) + x->data[2] + row.vector.data[0]; gsl_vector_free(x); return y; }\n"
      "void send(int *b, int tag) { MPI_Send(b, 1, MPI_INT, 0, tag, all.comm); }";
  const char *Use = "all.comm = MPI_COMM_WORLD; b[0] = solve(&all) > 2; ";
  std::string Dump = of("a.c", Before, (Use + llvm::Twine("send(b, 2);")).str());
  EXPECT_TRUE(has(Dump, "class 1 closed") && !has(Dump, "open")) << Dump;
  Dump = of("b.c", Before, (Use + llvm::Twine("send(b, 1 + (int)all.a[0]);")).str());
  EXPECT_TRUE(has(Dump, "class 0 closed") && !has(Dump, "class 1")) << "it may have become 0\n" << Dump;
  Dump = of("c.c", Before, (Use + llvm::Twine("gsl_vector_none(gsl_vector_alloc(2)); send(b, 2);")).str());
  EXPECT_FALSE(has(Dump, "class 1 closed")) << "is no function that is known\n" << Dump;
  const char *Copies = "gsl_matrix_view m = gsl_matrix_view_array((double *)&r, 1, 1); gsl_vector_view row = "
                       "gsl_matrix_row(&m.matrix, 0);";
  for (const char *From : {"row.vector", "(gsl_vector){1, 1, (double *)&r, 0, 0}"}) {
    Dump = of("d.c", Before,
              (Use + llvm::Twine(Copies) + "gsl_vector from = " + From +
               ", *x = gsl_vector_alloc(2); gsl_linalg_cholesky_solve(&m.matrix, &from, x);"
               "MPI_Wait((MPI_Request *)x->data, MPI_STATUS_IGNORE);")
                  .str());
    EXPECT_TRUE(has(Dump, "MPI_Wait") || !has(Dump, "class 0 closed")) << From << "\n" << Dump;
  }
}

} // namespace
