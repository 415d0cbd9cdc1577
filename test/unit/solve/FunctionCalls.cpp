// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions are called, and with what, in small programs.

#include "solve/Statements.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class FunctionCalls : public StatementsTest {};

// A library's function that wants more than a call by an address gives is not what is called.
TEST_F(FunctionCalls, CallsByAddressGiveAllArguments) {
  const char *Before = "#include <string.h>\nstatic void f(MPI_Comm *c) { (void)c; }"
                       "static void *table[] = {(void *)f, (void *)WHICH};";
  llvm::StringRef Main =
      "MPI_Comm_dup(MPI_COMM_WORLD, &c); ((void (*)(MPI_Comm *))table[argc & 1])(&c);" SEND("1", "c") RECV("1", "c");
  for (auto [Which, Is] :
       {std::pair("memset", true), {"other", false}, {"unknown", false}, {"more", true}, {"strtok_r", true}}) {
    std::string Dump = c(Main, (llvm::Twine("#define WHICH ") + Which +
                                "\nextern int unknown(), other(void *), more(void *, void *);\n" + Before)
                                   .str());
    EXPECT_EQ(has(Dump, "closed"), Is) << Which << Dump;
  }
}

TEST_F(FunctionCalls, FunctionsThatAreCalledByTheirAddress) {
  std::string Dump = c("int (*wait)(MPI_Request *, MPI_Status *) = argc ? MPI_Wait : 0;" IRECV_ON(
      "1", "MPI_COMM_WORLD", "&r") "\nwait(&r, MPI_STATUS_IGNORE);");
  EXPECT_TRUE(has(Dump, "may reach MPI_Wait, which is called here by its address")) << Dump;
  Dump = c("(argc ? finish : 0)(&r);" IRECV_ON("1", "MPI_COMM_WORLD", "&r"),
           "static void finish(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }");
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Wait:2")) << Dump;
  Dump = c("qsort(&r, 1, sizeof r, finish);" IRECV_ON("1", "MPI_COMM_WORLD", "&r"),
           "#include <stdlib.h>\nstatic int finish(const void *r, const void *s) { return MPI_Wait((void *)r, "
           "MPI_STATUS_IGNORE); }");
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Wait:3")) << Dump;
}

TEST_F(FunctionCalls, JumpsDoNotCount) {
  std::string Dump =
      c("if (setjmp(j)) MPI_Wait(&kept, MPI_STATUS_IGNORE);" IRECV_ON("1", "MPI_COMM_WORLD", "&kept") "longjmp(j, 1);",
        "#include <setjmp.h>\nstatic jmp_buf j; static MPI_Request kept;");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait:4")) << Dump;
}

TEST_F(FunctionCalls, VariadicArgumentsAreFollowed) {
  std::string Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\nfinish(1, &r);",
                       "#include <stdarg.h>\nstatic void finish(int n, ...) { va_list l; va_start(l, n);\n"
                       "MPI_Wait(va_arg(l, MPI_Request *), MPI_STATUS_IGNORE); va_end(l); }");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait:4")) << Dump;
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
}

TEST_F(FunctionCalls, OtherWaysToNameAFunction) {
  // Another unit replaces the function that a weak alias names.
  add("weak.c", "static void own(MPI_Request *r) { (void)r; }\n"
                "void finish(MPI_Request *) __attribute__((weak, alias(\"own\")));\n"
                "int main(void) { MPI_Request r; MPI_Irecv(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, &r); finish(&r); }\n");
  add("strong.c", "void finish(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }\n");
  EXPECT_TRUE(has(classes(), "MPI_Irecv completed by MPI_Wait:2\n")) << classes();
  // What is in a section of its own is called by whoever walks the section.
  std::string Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&kept"),
                       "static MPI_Request kept; static void finish(void) { MPI_Wait(&kept, MPI_STATUS_IGNORE); }"
                       "static void (*const entry)(void) __attribute__((used, section(\"later\"))) = finish;");
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Wait:2\n")) << Dump;
  // A function that is chosen by another when the program starts.
  Dump =
      c(IRECV_ON("1", "MPI_COMM_WORLD", "&kept") "chosen();",
        "static MPI_Request kept; static void finish(void) { MPI_Wait(&kept, MPI_STATUS_IGNORE); }"
        "static void (*choose(void))(void) { return finish; } void chosen(void) __attribute__((ifunc(\"choose\")));");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait:2")) << Dump;
  // Assembly code that names a function, and one that names none.
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&kept") "__asm__ volatile(\"call finish\" ::: \"memory\");",
           "static MPI_Request kept; __attribute__((used)) void finish(void) { MPI_Wait(&kept, MPI_STATUS_IGNORE); }");
  EXPECT_TRUE(has(Dump, "open: the request of MPI_Irecv is in 'kept', which may be used by assembly code")) << Dump;
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&kept") "__asm__ volatile(\"pause\" ::: \"memory\");",
           "static MPI_Request kept; __attribute__((used)) void finish(void) { MPI_Wait(&kept, MPI_STATUS_IGNORE); }");
  EXPECT_FALSE(has(Dump, "assembly code")) << Dump;
  // One that defines a function of MPI, between functions and in one.
  const char *Define = "__asm__(\".globl MPI_Ssend\\nMPI_Ssend: inc %r8d\\n jmp PMPI_Ssend@PLT\");";
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r"), Define);
  EXPECT_TRUE(has(Dump, "given up: assembly code may define or call PMPI_Ssend")) << Dump;
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "__asm__ volatile(\"call MPI_Barrier\" ::: \"memory\");");
  EXPECT_TRUE(has(Dump, "given up: assembly code may define or call MPI_Barrier")) << Dump;
}

// Hooks of profilers, and what stands in for a library's function also where a compiler or a library calls that.
TEST_F(FunctionCalls, FunctionsThatOthersCallByName) {
  for (auto [Name, IsCalled] : {std::pair("void __cyg_profile_func_exit(void *f, void *from)", true),
                                {"void *memmove(void *to, const void *from, unsigned long n)", true},
                                {"int puts(const char *text)", true},
                                {"int _Own(void)", true},
                                {"int own(void)", false},
                                {"static int __own(void)", false}}) {
    std::string Dump =
        c(IRECV_ON("1", "MPI_COMM_WORLD", "&kept"), (llvm::Twine("static MPI_Request kept; __attribute__((used)) ") +
                                                     Name + " { PMPI_Wait(&kept, MPI_STATUS_IGNORE); return 0; }\n")
                                                        .str());
    EXPECT_EQ(has(Dump, "completed by PMPI_Wait:2"), IsCalled) << Name << Dump;
  }
}

TEST_F(FunctionCalls, FunctionsThatTheLinkerWraps) {
  // --wrap=tag_of: the call comes to the one function, and from there to the other.
  const char *Tags = "int tag_of(int n) { return n; } int __real_tag_of(int n);"
                     "int __wrap_tag_of(int n) { return __real_tag_of(n) + 5; }";
  std::string Dump =
      c(SEND("tag_of(3)", "MPI_COMM_WORLD") RECV("8", "MPI_COMM_WORLD") RECV("4", "MPI_COMM_WORLD"), Tags);
  EXPECT_EQ(count(Dump, "closed"), 2U) << Dump;
  // Of MPI, and of the C library.
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r"),
           "int __wrap_MPI_Wait(MPI_Request *r, MPI_Status *s) { return PMPI_Wait(r, s); }");
  EXPECT_TRUE(has(Dump, "given up: the linker may put a function of the program in the place of MPI_Wait")) << Dump;
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r"), "int atoi(const char *); int __real_atoi(const char *);"
                                                  "int __wrap_atoi(const char *t) { return __real_atoi(t); }"
                                                  "int number(void) { return atoi(\"1\"); }");
  EXPECT_TRUE(has(Dump, "given up: the linker may put a function of the program in the place of atoi")) << Dump;
}

TEST_F(FunctionCalls, FunctionsOfTheLibraryThatCallBack) {
  const char *Headers =
      "#define _GNU_SOURCE\n#include <stdlib.h>\n#include <signal.h>\n#include <pthread.h>\n"
      "#include <search.h>\n#include <dlfcn.h>\n#include <getopt.h>\nstatic MPI_Request kept;\n"
      "static void now(void) { MPI_Wait(&kept, MPI_STATUS_IGNORE); }\n"
      "void later(int n) { now(); }\n"
      "static int of(const void *r, const void *s) { return MPI_Wait((void *)r, MPI_STATUS_IGNORE); }\n"
      "static int with(const void *r, const void *s, void *p) { MPI_Wait(p, MPI_STATUS_IGNORE); return 0; }\n"
      "static void value(void *p) { MPI_Wait(p, MPI_STATUS_IGNORE); }\n"
      "int compile(void *);";
  for (const char *Calls :
       {"signal(2, later);", "at_quick_exit(now);", "pthread_once_t o = 0; pthread_once(&o, now);",
        "struct sigaction a = {0}; a.sa_handler = later; sigaction(2, &a, 0);", "pthread_atfork(0, now, 0);",
        "size_t n = 1; lfind(&kept, &kept, &n, 4, of);", "qsort_r(b, 9, 4, with, &kept);",
        "((void (*)(int))dlsym(0, argv[1]))(1);", "((void (*)(int))dlsym(0, \"later\"))(1);",
        "pthread_key_t k; pthread_key_create(&k, value); pthread_setspecific(k, &kept);"}) {
    std::string Dump = c((IRECV_ON("1", "MPI_COMM_WORLD", "&kept") "\n" + llvm::StringRef(Calls)).str(), Headers);
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Calls << "\n" << Dump;
  }
  std::string Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&kept") "\ndlsym(0, \"other\");", Headers);
  EXPECT_TRUE(has(Dump, "closed") && !has(Dump, "completed")) << Dump;
  // Whose name has "mpi" in it is none of MPI's for that.
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\nqsort(&r, 1, 4, (int (*)(const void *, const void *))compile);",
           Headers);
  EXPECT_FALSE(has(Dump, "closed")) << Dump;
  // A flag that an option sets.
  Dump =
      c("static int tag = 1; struct option o[] = {{\"x\", 0, &tag, 2}, {0}}; getopt_long(argc, argv, \"\", o, 0);" SEND(
            "tag", "MPI_COMM_WORLD") RECV("2", "MPI_COMM_WORLD"),
        Headers);
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
}

TEST_F(FunctionCalls, FunctionsThatManyUnitsHaveCountOnce) {
  Files.write("h.h", "#include <mpi.h>\ninline void send(int t) { MPI_Send(0, 0, MPI_INT, 0, t, MPI_COMM_WORLD); }\n");
  add("a.cpp", "#include \"h.h\"\nvoid f() { send(1); }\n");
  add("b.cpp", "#include \"h.h\"\nvoid f(); int main() { f(); send(1); }\n");
  std::string Dump = classes();
  EXPECT_EQ(count(Dump, "MPI_Send"), 1U) << Dump;
}

TEST_F(FunctionCalls, TrustedCallsNeitherUseNorKeep) {
  add("a.c",
      "void library(MPI_Comm, MPI_Comm *);\n"
      "int main(void) { MPI_Comm c; library(MPI_COMM_WORLD, &c); MPI_Send(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD); }\n");
  EXPECT_TRUE(has(classes(), "the communicator MPI_COMM_WORLD is handed to 'library'"));
  ir::ClassesOptions Options;
  Options.TrustedCalls = {"library"};
  EXPECT_TRUE(has(classes(Options), "closed"));
}

TEST_F(FunctionCalls, TrustedCallsHandOnWhatTheyAreLent) {
  const char *Library =
      "void library_comm(MPI_Comm *); void library_set(int (*f)(int, void *), void *);\n"
      "void *library_get(void); struct s { MPI_Request r; }; static struct s s;\n"
      "static int finish(int n, void *p) {\nMPI_Wait(&((struct s *)p)->r, MPI_STATUS_IGNORE); return n; }\n"
      "int main(void) { MPI_Comm c; MPI_Comm_dup(MPI_COMM_WORLD, &c); library_comm(&c);\n"
      "MPI_Irecv(0, 0, MPI_INT, 0, 1, c, &s.r); library_set(finish, &s);\n"
      "MPI_Wait(&((struct s *)library_get())->r, MPI_STATUS_IGNORE); }\n";
  add("a.c", Library);
  EXPECT_FALSE(has(classes(), "closed"));
  ir::ClassesOptions Options;
  Options.TrustedFully = {"library_comm", "library_set", "library_get"};
  std::string Dump = classes(Options);
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait:5 completed by MPI_Wait:8\n")) << Dump;
  std::swap(Options.TrustedFully, Options.TrustedCalls); // they may store another communicator
  Dump = classes(Options);
  EXPECT_TRUE(has(Dump, "the communicator of MPI_Irecv may be stored by 'library_comm'")) << Dump;
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait:5 completed by MPI_Wait:8")) << Dump;
}

TEST_F(FunctionCalls, ThreadsAreCalledBack) {
  add("a.cpp", "#include <thread>\n"
               "int main() { int b; MPI_Request r;\n"
               "  MPI_Irecv(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);\n"
               "  std::thread t([&] { MPI_Wait(&r, MPI_STATUS_IGNORE); });\n"
               "  t.join();\n"
               "}\n");
  std::string Dump = classes();
  EXPECT_TRUE(has(Dump, "a.cpp:4:3 MPI_Irecv completed by MPI_Wait:5\n")) << Dump;
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
}

TEST_F(FunctionCalls, FunctionsAreCalledOnce) {
  add("a.cpp", "#include <mutex>\n"
               "void unknown(MPI_Request *);\n"
               "int main() { int b; MPI_Request r, s; std::once_flag f, g;\n"
               "  MPI_Irecv(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);\n"
               "  std::call_once(f, [&] { MPI_Wait(&r, MPI_STATUS_IGNORE); });\n"
               "  MPI_Irecv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &s);\n"
               "  std::call_once(g, unknown, &s);\n"
               "}\n");
  std::string Dump = classes();
  EXPECT_TRUE(has(Dump, "a.cpp:5:3 MPI_Irecv completed by MPI_Wait:6\n")) << Dump;
  EXPECT_EQ(count(Dump, "closed"), 1U) << Dump;
}

TEST_F(FunctionCalls, PromisesAreKept) {
  add("a.cpp", "#include <future>\n"
               "int main() { int b; MPI_Request r;\n"
               "  MPI_Irecv(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);\n"
               "  std::promise<MPI_Request *> p;\n"
               "  p.set_value(&r);\n"
               "  MPI_Wait(p.get_future().get(), MPI_STATUS_IGNORE);\n"
               "}\n");
  std::string Dump = classes();
  EXPECT_TRUE(has(Dump, "a.cpp:4:3 MPI_Irecv completed by MPI_Wait:7\n")) << Dump;
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
}

TEST_F(FunctionCalls, ExceptionsAreFollowed) {
  add("a.cpp", "struct Pending { MPI_Request r; };\n"
               "int main() { int b; MPI_Request q;\n"
               "  MPI_Irecv(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &q);\n"
               "  try { Pending p; MPI_Irecv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &p.r); throw p; }\n"
               "  catch (Pending &p) { MPI_Wait(&p.r, MPI_STATUS_IGNORE); }\n"
               "  MPI_Wait(&q, MPI_STATUS_IGNORE);\n"
               "}\n");
  std::string Dump = classes();
  EXPECT_TRUE(has(Dump, "a.cpp:4:3 MPI_Irecv completed by MPI_Wait:7\n")) << Dump;
  EXPECT_TRUE(has(Dump, "a.cpp:5:20 MPI_Irecv completed by MPI_Wait:6\n")) << Dump;
}

TEST_F(FunctionCalls, MembersThatOneFunctionIsCalledOf) {
  std::string Dump = classesOf("a.cpp", R"(#include <iostream>
struct List {
  double *first = nullptr, *last = nullptr;
  void resize(int n) { if (last - first < n) { delete[] first; first = new double[n]; } last = first + n; }
};
struct Domain {
  List x, y, z, xd, yd, zd, xdd, ydd, zdd, fx, fy, fz, mass, e, p, q, ql, qq, v, volo, vnew, delv, vdov, area, ss, elemMass;
  double dt;
  List dxx, dyy, dzz, xi, eta, zeta;
  int cycle = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  void resize(int n) {
    for (List *l : {&x, &y, &z, &xd, &yd, &zd, &xdd, &ydd, &zdd, &fx, &fy, &fz, &mass, &e, &p, &q, &ql, &qq, &v, &volo})
      l->resize(n);
    vnew.resize(n); delv.resize(n); vdov.resize(n); area.resize(n); ss.resize(n); elemMass.resize(n);
    dxx.resize(n); dyy.resize(n); dzz.resize(n); xi.resize(n); eta.resize(n); zeta.resize(n);
  }
};
int main(int argc, char **argv) {
  Domain d;
  d.resize(argc);
  MPI_Irecv(d.x.first, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &d.request);
  MPI_Wait(&d.request, MPI_STATUS_IGNORE);
  std::cout << d.cycle;
})");
  EXPECT_EQ(count(Dump, "closed"), 1U) << Dump;
}

} // namespace
