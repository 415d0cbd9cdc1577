// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the libraries of C and C++ give, keep and call: their objects, tables and text.

#include "libraries/LibraryTest.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Library : public LibraryTest {};

const char *const InC = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                        "#include <time.h>\n#include <errno.h>\n#include <ctype.h>\n#include <stdarg.h>\n";

TEST_F(Library, TextOfTheLibraryIsNothingOfTheProgram) {
  for (const char *Use :
       {"struct { unsigned short s[3]; MPI_Request *r; } o = {{1, 2, 3}, &r}; seed48(o.s); b[0] = (int)lrand48();"
        "o.s[0] = (unsigned short)b[0];",
        "struct { struct drand48_data d; unsigned short s[3]; MPI_Request *r; } o = {{{0}}, {1, 2, 3}, &r}; long l;"
        "double x; srand48_r(1, &o.d); seed48_r(o.s, &o.d); drand48_r(&o.d, &x); lrand48_r(&o.d, &l);"
        "mrand48_r(&o.d, &l); erand48_r(o.s, &o.d, &x); nrand48_r(o.s, &o.d, &l); jrand48_r(o.s, &o.d, &l);"
        "b[l & 7] = (int)x;",
        "char *v[2] = {ctime(0), (char *)&r}; puts(v[argc]); *v[1] = 0;", "errno = 0; b[errno] = 1;",
        "int *p[2] = {&errno, b}; *p[argc] = b[*p[0]];", "char *e = getenv(\"HOME\"); if (e) b[atoi(e)] = e[0];",
        "struct tm *t = localtime(0); b[t->tm_hour] = t->tm_zone[0];",
        "b[0] = isalpha(argv[0][0]) + strerror(b[1])[0];",
        "void **p[2] = {(void **)stdout, (void **)b}; FILE *f = fopen(\"a\", \"w\"); fprintf(f, \"%d\", b[0]);"}) {
    std::string Dump = of("a.c", InC, Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
}

// Files are records that the library makes and reads. What the program puts where its records and files are not told
// apart is for itself; what it puts into a file's members is for the library.
TEST_F(Library, FilesHoldNothingOfTheProgram) {
  const std::string File = "FILE *f = fopen(\"a\", \"w\"); ";
  for (llvm::StringRef Use :
       {"*(MPI_Request *)f = r; MPI_Wait((MPI_Request *)f, 0);",
        "void *of[2] = {f, malloc(16)}; *(MPI_Comm *)of[argc] = MPI_COMM_WORLD; void (*hook)(MPI_Comm) = *(void "
        "**)of[0];"
        "fprintf(of[0], \"%d\", b[0]); hook(*(MPI_Comm *)of[1]);",
        "putc_unlocked(b[0], f); b[1] = getc_unlocked(stdin); f->_IO_write_ptr++;",
        "FILE *old = stdout; stdout = f; void **p[2] = {(void **)old, (void **)b}; b[0] = *(int *)p[argc];"}) {
    std::string Dump = of("a.c", InC, File + Use.str());
    EXPECT_TRUE(has(Dump, "closed")) << Use.str() << "\n" << Dump;
  }
  for (llvm::StringRef Use :
       {"f->_fileno = r;", "f->_IO_buf_base = (char *)&r; f->_IO_buf_end = (char *)(&r + 1);",
        "*f = *stdout; f->_IO_write_ptr = (char *)&r;", "setvbuf(f, (char *)&r, _IOFBF, sizeof r);",
        "extern void kept(FILE *); *(MPI_Request *)f = r; kept(f);"}) {
    std::string Dump = of("a.c", InC, File + Use.str());
    EXPECT_FALSE(has(Dump, "closed")) << Use.str() << "\n" << Dump;
  }
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
                          "*(MPI_Request *)environ[0] = r; MPI_Wait(&r, 0);",
                          "void *of[2] = {strdup(argv[0]), &r}; putenv(of[0]); MPI_Wait(of[argc], 0);"}) {
    std::string Dump = of("a.c", Headers, Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
  for (const char *Use :
       {"own[0] = (char *)&r; environ = own; MPI_Wait((MPI_Request *)getenv(\"A\"), 0);",
        "own[0] = (char *)&r; environ = own; MPI_Wait((MPI_Request *)__environ[0], 0);",
        "*(MPI_Request *)environ[0] = r; MPI_Wait((MPI_Request *)getenv(\"A\"), 0);",
        "*(MPI_Request *)argv[2] = r; MPI_Wait((MPI_Request *)environ[0], 0);",
        "putenv((char *)&r); MPI_Wait((MPI_Request *)environ[0], 0);",
        "putenv((char *)&r); unknown(); MPI_Wait(&r, 0);", "unknown(); putenv((char *)&r); unknown(); MPI_Wait(&r, 0);",
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

/// What was edited, and is read again, has the same classes as before.
TEST_F(Library, MemoryOfTheRuntime) {
  const char *Use = "MPI_Irecv(b, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, p); MPI_Wait(p, MPI_STATUS_IGNORE);";
  for (const char *Made :
       {"MPI_Request *p = (MPI_Request *)MPISHM_Malloc(8);", "MPI_Request *p = (MPI_Request *)MPISHM_Calloc(1, 8);",
        "MPI_Request *p = (MPI_Request *)MPISHM_Realloc(0, 8); MPISHM_Free(0);",
        "MPI_Request *p = (MPI_Request *)MPISHM_Aligned_alloc(8, 8);",
        "void *v; MPISHM_Posix_memalign(&v, 8, 8); MPI_Request *p = (MPI_Request *)v;",
        "MPI_Request *p = (MPI_Request *)MPISHM_To_window(malloc(8));"})
    for (const char *File : {"a.c", "a.cpp"}) {
      std::string Dump = of(File, "#include <mpishm.h>\n#include <stdlib.h>\n", std::string(Made) + Use);
      EXPECT_TRUE(has(Dump, " closed") && !has(Dump, " open")) << Made << "\n" << Dump;
    }
  for (const char *Made : {"MPI_Request *p = new (mpishm::window) MPI_Request[2]; MPISHM_Delete_array(new char[2]);",
                           "MPI_Request *p = new (mpishm::window, std::nothrow) MPI_Request[2];",
                           "std::vector<MPI_Request, mpishm::allocator<MPI_Request>> v(2); MPI_Request *p = &v[1];"}) {
    std::string Dump = of("a.cpp", "#include <vector>\n#include <new>\n#include <mpishm.h>\n", std::string(Made) + Use);
    EXPECT_TRUE(has(Dump, " closed") && !has(Dump, " open")) << Made << "\n" << Dump;
  }
}

TEST_F(Library, Streams) {
  const char *Classes = "#include <sstream>\n#include <iostream>\n#include <string>\n"
                        "struct Out : std::streambuf { MPI_Request *p = nullptr;\n"
                        "  int overflow(int c) override { MPI_Wait(p, MPI_STATUS_IGNORE); return c; } };\n"
                        "struct In : std::streambuf { char *p = nullptr; int underflow() override { return *p; } };\n"
                        "struct Keep : std::streambuf { MPI_Request q = 0;\n"
                        "  int overflow(int c) override { q = c; return c; } };\n";
  for (const char *Use :
       {"std::ostringstream s; s << argc << \"a\" << 1.5; std::cout << s.str() << std::endl;",
        "std::cout << &r << std::endl;", "std::ostringstream s, t; s.copyfmt(t); s << argc; std::cout << s.str();",
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
        "std::ostringstream s, t; t.pword(0) = &r; s.copyfmt(t); MPI_Wait((MPI_Request *)s.pword(0), 0);",
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
