// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The message classes of small programs.

#include "solve/Statements.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Programs : public StatementsTest {};

TEST_F(Programs, TagsTellClassesApart) {
  std::string Dump = c(SEND("1", "MPI_COMM_WORLD") RECV("2", "MPI_COMM_WORLD") RECV("1", "MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "closed"), 2U) << Dump;
  Dump = c(SEND("1", "MPI_COMM_WORLD") RECV("MPI_ANY_TAG", "MPI_COMM_WORLD") RECV("2", "MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "closed"), 1U) << Dump;
  Dump = c("for (int i = 0; i < argc; i++) {" SEND("2 * i", "MPI_COMM_WORLD") RECV("2 * i + 1", "MPI_COMM_WORLD") "}");
  EXPECT_EQ(count(Dump, "closed"), 2U) << Dump;
  Dump =
      c("for (int i = 0; i < argc; i++) {" SEND("(char)(257 * i)", "MPI_COMM_WORLD") RECV("1", "MPI_COMM_WORLD") "}");
  EXPECT_EQ(count(Dump, "closed"), 1U) << Dump;
}

// A buffer that is filled behind what is in it already, at a multiple of eight, and may be none.
TEST_F(Programs, NullLeadsNowhere) {
  const char *Before = "#include <stdint.h>\n#include <stdlib.h>\nstatic char *pack(char *to, int n) {"
                       "to += n; to = (char *)(((uint64_t)to + 7) & ~(uint64_t)7); *(int *)to = n; return to; }";
  auto Of = [&](llvm::Twine Buffer, llvm::StringRef Then) {
    return c(("char *buffer = " + Buffer + "; char *end = pack(buffer, argc);" + Then +
              SEND("1", "MPI_COMM_WORLD") RECV("1", "MPI_COMM_WORLD"))
                 .str(),
             Before);
  };
  std::string Dump = Of("argc > 3 ? NULL : malloc(100)", "(void)end;");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  Dump = Of("argc > 3 ? NULL : (char *)strtol(argv[1], 0, 16)", "(void)end;");
  EXPECT_FALSE(has(Dump, "closed")) << Dump;
  Dump = Of("argc > 3 ? NULL : malloc(100)",
            IRECV_ON("5", "MPI_COMM_WORLD", "(MPI_Request *)end") "\nMPI_Wait((MPI_Request *)(buffer + 8), 0);");
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Wait")) << Dump;
  // What is computed from null is a number like any other.
  Dump = Of("argc > 3 ? NULL : malloc(100)",
            "buffer = NULL; buffer += argc;" SEND("(int)(long)buffer", "MPI_COMM_WORLD") RECV("7", "MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
}

TEST_F(Programs, LoopsCountAsFarAsTheyGo) {
  std::string Dump =
      c("for (int i = 0; i < 5; i++) {" SEND("1000 + i", "MPI_COMM_WORLD") "}" RECV("999", "MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "class"), 2U) << Dump;
  Dump = c("for (int i = 0; i < argc; i++) {" SEND("1000 + i", "MPI_COMM_WORLD") "}" RECV("999", "MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
  Dump = c("for (int i = 5; i > 0; i--) {" SEND("i", "MPI_COMM_WORLD") "}" RECV("3", "MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
}

TEST_F(Programs, NarrowedTagsAreWhatIsLeft) {
  std::string Dump = c("unsigned char t = 257;" SEND("t", "MPI_COMM_WORLD") RECV("1", "MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
  Dump =
      c("struct { unsigned f : 3; } s; s.f = argc ? 9 : 9;" SEND("s.f", "MPI_COMM_WORLD") RECV("1", "MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
}

TEST_F(Programs, Communicators) {
  std::string Dump = c("MPI_Comm_dup(MPI_COMM_WORLD, &c);" SEND("1", "c") RECV("1", "MPI_COMM_WORLD") RECV("1", "c"));
  EXPECT_EQ(count(Dump, "closed"), 2U) << Dump;
  EXPECT_EQ(count(Dump, "made by MPI_Comm_dup:3"), 2U) << Dump;
  // Two calls of one maker may be one collective call, in two places, unless they are known to be one after the other.
  Dump = c("if (argc) MPI_Comm_dup(MPI_COMM_WORLD, &c); else\nMPI_Comm_dup(MPI_COMM_WORLD, &d);" SEND("1", "c")
               RECV("1", "d"));
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
  ir::ClassesOptions Options;
  for (const SiteMark &Mark : Units[0].Sites)
    if (Mark.Function == "MPI_Comm_dup")
      Options.Runs[{Mark.Name, Mark.Function}] = "a run";
  EXPECT_EQ(count(classes(Options), "class"), 2U);
}

TEST_F(Programs, MakersInTemplates) {
  // One place, and a parent for each instance: one of them is that of the call in main.
  for (llvm::StringRef Others : {"", "twin<long>(MPI_COMM_SELF, &e);"})
    for (llvm::StringRef Before : {"twin<char>(MPI_COMM_SELF, &e);", ""}) {
      std::string Main = "int main(int argc, char **argv) { int b[9]; MPI_Comm c, d, e, f;"
                         "MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &c);" +
                         Before.str() + "if (argc) twin<int>(c, &d); else\nMPI_Comm_dup(c, &f);" + Others.str() +
                         SEND("1", "d") RECV("1", "f") " return e; }\n";
      std::string Dump = classesOf(
          "a.cpp", "template <class T> void twin(MPI_Comm of, MPI_Comm *to) { MPI_Comm_dup(of, to); }\n" + Main);
      EXPECT_EQ(count(Dump, "made by MPI_Comm_dup"), 2U) << Dump;
      EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
    }
}

TEST_F(Programs, UnknownCommunicatorsOpenThoseThatAllKnow) {
  std::string Dump =
      c("c = made();" SEND("1", "c") RECV("1", "MPI_COMM_WORLD") "MPI_Comm_dup(MPI_COMM_WORLD, &d);" RECV("2", "d"),
        "MPI_Comm made(void);");
  EXPECT_TRUE(has(Dump, "MPI_Send open: the communicator of MPI_Send comes from 'made', which is not in "
                        "the database (line 3)"))
      << Dump;
  EXPECT_EQ(count(Dump, "closed"), 1U) << Dump;
  EXPECT_EQ(count(Dump, "class"), 2U) << Dump;
}

TEST_F(Programs, RequestsReachTheirCompletions) {
  std::string Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r")
                           IRECV_ON("2", "MPI_COMM_WORLD", "&q") "\nMPI_Wait(&r, MPI_STATUS_IGNORE);"
                                                                 "\nMPI_Wait(argc ? &q : &r, MPI_STATUS_IGNORE);");
  EXPECT_TRUE(has(Dump, "a.c:4:1 MPI_Irecv completed by MPI_Wait:6 completed by MPI_Wait:7\n")) << Dump;
  EXPECT_TRUE(has(Dump, "a.c:5:1 MPI_Irecv completed by MPI_Wait:7\n")) << Dump;
}

TEST_F(Programs, RequestsInMemoryOfAllForms) {
  std::string Dump = c("struct s *p = malloc(sizeof *p), t; memset(p, 0, sizeof *p);" IRECV_ON(
                           "1", "MPI_COMM_WORLD", "&p->r[1]") "\nmemcpy(&t, p, sizeof t);"
                                                              "\nfinish((char *)&t + offsetof(struct s, r));",
                       "#include <stdlib.h>\n#include <string.h>\n#include <stddef.h>\n"
                       "struct s { int rank; MPI_Request r[2]; };\n"
                       "static void finish(void *r) { MPI_Waitall(2, r, MPI_STATUSES_IGNORE); }");
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Waitall:6\n")) << Dump;
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
}

TEST_F(Programs, RequestsThatEscape) {
  std::string Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\nelsewhere(&r);", "void elsewhere(void *);");
  EXPECT_TRUE(has(Dump,
                  "the request of MPI_Irecv is in variable 'r', which is handed to 'elsewhere', which is not in the "
                  "database (line 5)"))
      << Dump;
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\nelsewhere(&kept);",
           "void elsewhere(void *); static MPI_Request *kept;");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  Dump = c("kept = &r; elsewhere(&kept);" IRECV_ON("1", "MPI_COMM_WORLD", "&r"),
           "void elsewhere(void *); static MPI_Request *kept;");
  EXPECT_TRUE(has(Dump, "is in variable 'r', which is in 'kept', which is handed to 'elsewhere'")) << Dump;
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\nprintf(\"%p\", (void *)&r); scanf(\"%p\", (void **)b);",
           "#include <stdio.h>");
  EXPECT_TRUE(has(Dump, "which is printed")) << Dump;
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\nprintf(\"%d %s\", argc, (char *)b);", "#include <stdio.h>");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
}

TEST_F(Programs, CompletionsOfWhatIsNotKnown) {
  std::string Dump =
      c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\nr = (MPI_Request)atoi(argv[0]); MPI_Wait(&r, MPI_STATUS_IGNORE);",
        "#include <stdlib.h>");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Dump;
  Dump = c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\nq = (MPI_Request)atoi(argv[0]); MPI_Wait(&q, MPI_STATUS_IGNORE);",
           "#include <stdlib.h>");
  EXPECT_TRUE(has(Dump, "it is not known which requests MPI_Wait is given here")) << Dump;
}

TEST_F(Programs, AttributesAreKeptByMpi) {
  std::string Dump =
      c("MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finish, &key, 0); MPI_Comm_dup(MPI_COMM_WORLD, &c);"
        "MPI_Comm_set_attr(c, key, &r);" IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\nMPI_Comm_free(&c);",
        "static int key; static int finish(MPI_Comm c, int k, void *r, void *x) {\n"
        "return MPI_Wait(r, MPI_STATUS_IGNORE); }");
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Wait:3\n")) << Dump;
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
}

TEST_F(Programs, HandlesInWhatLooksLikeNumbers) {
  // As the distance from a null pointer.
  std::string Dump =
      c(IRECV_ON("1", "MPI_COMM_WORLD", "&r") "long l = (char *)&r - (char *)0;"
                                              "\nMPI_Wait((MPI_Request *)(void *)l, MPI_STATUS_IGNORE);");
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Wait:5\n")) << Dump;
}

TEST_F(Programs, HandlesThatAreShownAsNumbers) {
  auto Of = [&](llvm::StringRef Statements) {
    return c((IRECV_ON("1", "MPI_COMM_WORLD", "&r") "\n" + Statements).str(),
             "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nvoid elsewhere(int);");
  };
  const char *Back = "q = atoi((char *)b); MPI_Wait(&q, MPI_STATUS_IGNORE);";
  const char *Elsewhere = "elsewhere(atoi((char *)b));";
  for (std::string Shown : {"sprintf((char *)b, \"%d\", r);", "fprintf(stderr, \"%d\", r);", "printf(\"%d\", r);"}) {
    EXPECT_TRUE(has(Of(Shown), "closed")) << "nothing comes back\n" << Of(Shown);
    EXPECT_TRUE(has(Of(Shown + Back), "completed by MPI_Wait")) << Of(Shown + Back);
    EXPECT_TRUE(has(Of(Shown + Elsewhere), "is handed to 'elsewhere'")) << Of(Shown + Elsewhere);
    EXPECT_TRUE(has(Of(Elsewhere + Shown), "is handed to 'elsewhere'")) << Of(Elsewhere + Shown);
  }
  // As a floating-point number.
  std::string Stored = "double x = r; memcpy(b, &x, 8);";
  EXPECT_TRUE(has(Of(Stored), "closed")) << Of(Stored);
  EXPECT_TRUE(has(Of(Stored + "r = *(double *)b; MPI_Wait(&r, MPI_STATUS_IGNORE);"), "completed by MPI_Wait"));
  EXPECT_TRUE(has(Of(Stored + "elsewhere(*(double *)b);"), "is handed to 'elsewhere'"));
  // Its bits in one, which is handed on, or copied as such and becomes a handle beside another.
  std::string Bits = "double *p = malloc(8); memcpy(p, &r, 4); double x = *p;";
  EXPECT_TRUE(has(Of(Bits), "closed")) << Of(Bits);
  EXPECT_TRUE(has(Of(Bits + "void taker(double); taker(x);"), "is handed to 'taker'")) << Of(Bits + "taker(x);");
  Bits = "MPI_Request all[2];" IRECV_ON("2", "MPI_COMM_WORLD", "&all[1]") "q = all[1];" + Bits;
  Bits += "((double *)b)[0] = x; if (argc) memcpy(&q, b, 4); MPI_Wait(&q, MPI_STATUS_IGNORE);";
  EXPECT_EQ(llvm::StringRef(Of(Bits)).count("completed by MPI_Wait"), 2U) << Of(Bits);
}

TEST_F(Programs, FormatsTellWhatIsPrinted) {
  const char *Print = "#include <stdio.h>\n#include <stdlib.h>\n";
  auto Of = [&](llvm::StringRef Statement) {
    return c((IRECV_ON("1", "MPI_COMM_WORLD", "&r") + Statement).str(), Print);
  };
  const char *Back = " long n; if (scanf(\"%ld\", &n)) MPI_Wait((MPI_Request *)n, MPI_STATUS_IGNORE);";
  const char *BackAsAddress = " MPI_Request *p; if (scanf(\"%p\", (void **)&p)) MPI_Wait(p, MPI_STATUS_IGNORE);";
  for (std::string Printed :
       {"printf(\"%16p\", (void *)&r);", "printf(\"%-*p\", 9, (void *)&r);", "printf(\"%1$p\", (void *)&r);",
        "printf(argv[1], \"a\", (void *)&r);", "fprintf(stderr, \"%d %.3s %p\", 1, \"a\", (void *)&r);",
        "char *s; asprintf(&s, \"%p\", (void *)&r);", "snprintf((char *)b, 9, \"%lx\", (long)&r);"}) {
    EXPECT_TRUE(has(Of(Printed + Back), "is printed")) << Of(Printed + Back);
    EXPECT_TRUE(has(Of(Printed + BackAsAddress), "is printed")) << Of(Printed + BackAsAddress);
    EXPECT_TRUE(has(Of(Printed), "closed")) << "nothing comes back\n" << Of(Printed);
  }
  for (const char *Kept : {"printf(\"%d%% p %s %n\", argc, argv[0], (int *)&r);", "printf(\"%.*s\", 3, (char *)&r);"})
    EXPECT_TRUE(has(Of(Kept), "closed")) << Of(Kept);
  std::string Dump = Of("MPI_Request *p; if (scanf(\"%*d%p\", (void **)&p)) MPI_Wait(p, MPI_STATUS_IGNORE);");
  EXPECT_FALSE(has(Dump, "completed")) << "what is read is nothing of the program's, unless it was printed";
}

TEST_F(Programs, WhatLeavesAndComesBack) {
  const char *Headers = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                        "#include <unistd.h>\n#include <sys/msg.h>\n#include <sys/mman.h>\n#include <setjmp.h>\n";
  auto Of = [&](llvm::StringRef Statement) {
    return c(("MPI_Request all[9];" IRECV_ON("1", "MPI_COMM_WORLD", "&all[8]") + Statement).str(), Headers);
  };
  for (const char *Leaves :
       {"MPI_Request *m = mmap(0, 99, 3, 1, 3, 0); *m = all[8];",
        "putenv((char *)all); q = getw(stdin); MPI_Wait(&q, 0);",
        "putchar((char)all[8]); q = b[0] = getw(stdin); MPI_Wait(&q, 0);",
        "MPI_Request *m = mmap(0, 99, 3, 1, 3, 0); putchar(all[8]); MPI_Wait(m, 0);",
        "setvbuf(stdout, (char *)all, _IOFBF, 36);", "write(1, all, 36); q = getchar(); MPI_Wait(&q, 0);",
        "MPI_Request *m = mmap(0, 99, 3, 1, 3, 0); write(3, all, sizeof all); MPI_Wait(m, 0);"})
    EXPECT_TRUE(has(Of(Leaves), "completed by MPI_Wait") || !has(Of(Leaves), "closed")) << Leaves << "\n" << Of(Leaves);
  for (const char *Back : {"fwrite(all, 4, 9, stdout); fread(b, 4, 1, stdin); MPI_Wait((MPI_Request *)b, 0);",
                           "putw(all[8], stdout); q = all[0]; if (b[0]) q = getw(stdin); MPI_Wait(&q, 0);",
                           "for (int i = 0; i < 4; i++) putc(((char *)&all[8])[i], stdout); q = all[0];"
                           "for (int i = 0; i < 4; i++) ((char *)&q)[i] = getc(stdin); MPI_Wait(&q, 0);",
                           "MPI_Request *p = all; for (int i = 0; i < 8; i++) ungetc(((char *)&p)[i], stdin); p = &q;"
                           "for (int i = 0; i < 8; i++) ((char *)&p)[i] = getchar(); MPI_Wait(p + 8, 0);",
                           "struct { long l; MPI_Request r; } x; x.r = all[8]; msgsnd(1, &x, 4, 0); msgrcv(1, &x, 4, "
                           "0, 0); MPI_Wait(&x.r, 0);",
                           "MPI_Request *p = all; write(3, &p, 8); p = 0; read(3, &p, 8); MPI_Wait(p + 8, 0);"})
    EXPECT_TRUE(has(Of(Back), "MPI_Irecv completed by MPI_Wait:12")) << Back << "\n" << Of(Back);
  // As many bytes as two numbers say, where they are known: of the others it is not known what is read.
  for (auto [Bytes, Is] : {std::pair("fwrite(all, 4, 8, stdout);", false),
                           {"fwrite(all, 8, 5, stdout);", true},
                           {"fwrite(all, 4, argc, stdout);", true}}) {
    std::string Dump = Of((llvm::Twine(Bytes) + "fread(b, 4, 1, stdin); q = b[0]; MPI_Wait(&q, 0);").str());
    EXPECT_EQ(has(Dump, "closed"), Is) << Bytes << "\n" << Dump;
  }
  for (auto [Bytes, Classes] : {std::pair("4, 1", 2U), {"2, 2", 2U}, {"8, 1", 1U}, {"argc, 1", 1U}, {"4, argc", 1U}}) {
    std::string Dump = c(("struct { int n, tag; } x = {1, 5}; fread(&x.n, " + llvm::Twine(Bytes) +
                          ", stdin);" SEND("x.tag", "MPI_COMM_WORLD") RECV("6", "MPI_COMM_WORLD"))
                             .str(),
                         Headers);
    EXPECT_EQ(count(Dump, "class"), Classes) << Bytes << "\n" << Dump;
  }
  for (const char *Stays :
       {"fwrite(all, 4, 9, stdout);", "putchar((char)all[8]); b[0] = getchar();", "write(1, all, sizeof all);",
        "write(1, b, sizeof b);", "puts(argv[0]);", "fread(b, 4, 9, stdin);", "memset(b, 0, 36);"})
    EXPECT_TRUE(has(Of(Stays), "closed")) << Stays << "\n" << Of(Stays);
}

TEST_F(Programs, NamesThatHeadersPutInTheirPlace) {
  add("a.c",
      "#define _GNU_SOURCE\n#include <stdio.h>\n"
      "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
      "struct s { char name[40]; MPI_Request r; };\n"
      "static char buffer[99]; static char *b(int i) { return buffer + i; }\n"
      "int main(int argc, char **argv) { struct s *s = malloc(sizeof *s), *t = malloc(sizeof *t); FILE *f;\n"
      "  MPI_Irecv(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, &s->r);\n"
      "  snprintf(s->name, sizeof s->name, \"%s %d\", argv[0], argc); sprintf(s->name, \"%s\", argv[0]);\n"
      "  strcpy(s->name, argv[0]); strncpy(s->name, argv[0], argc); strcat(s->name, argv[0]);\n"
      "  f = fopen(s->name, \"r\"); fgets(s->name, argc, f); sscanf(s->name, \"%39s\", s->name);\n"
      "  read(0, b(argc), argc); fread(b(argc), 1, argc, f); printf(\"%s\\n\", s->name); getcwd(s->name, 40);\n"
      "  memset(t, 0, argc); memcpy(t, s, argc); gethostname(s->name, argc);\n"
      "  MPI_Wait(&t->r, MPI_STATUS_IGNORE); }\n",
      {"-O2", "-D_FORTIFY_SOURCE=2", "-D_FILE_OFFSET_BITS=64"});
  for (const char *Name : {"__snprintf_chk", "__strcpy_chk", "__isoc99_sscanf", "fopen64"})
    EXPECT_TRUE(llvm::any_of(Units[0].Symbols, [&](const ir::Symbol &S) { return S.Name == Name; })) << Name;
  std::string Dump = classes();
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Dump;
}

TEST_F(Programs, UnitsOfOneProgram) {
  add("wait.c",
      "void finish(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }\nstatic int own; int *shared = &own;\n");
  add("main.c", "void finish(MPI_Request *); static MPI_Request own;\n"
                "int main(void) { MPI_Irecv(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, &own); finish(&own); }\n");
  std::string Dump = classes();
  EXPECT_TRUE(has(Dump, "main.c:3:18 MPI_Irecv completed by MPI_Wait:2\n")) << Dump;
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  ir::ClassesOptions Options;
  Options.IsWhole = false;
  EXPECT_TRUE(has(classes(Options), "closed")) << "the request is nobody else's";
  Units.pop_back(); // no main, and whoever calls finish is out of sight
  EXPECT_EQ(classes(), "");
}

// What other units call before they use such a variable is there only where it has a constructor.
TEST_F(Programs, VariablesOfThreads) {
  constexpr const char *Use =
      "extern thread_local int counter; namespace n { extern thread_local int other; }"
      "static int b; static MPI_Request r; MPI_Request *spare() { return &r; } extern \"C\" MPI_Request *kept(void)"
      "{ return &r; } int main() { MPI_Irecv(&b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r);"
      "MPI_Wait(&r, MPI_STATUS_IGNORE); return counter + n::other; }";
  Units.clear();
  add("a.cpp", Use);
  add("b.cpp", "thread_local int counter; namespace n { thread_local int other; }");
  std::string Dump = classes();
  EXPECT_TRUE(has(Dump, "class 0 closed")) << Dump;
  Units.pop_back();
  Dump = classes(); // of a library, which may do what it likes
  EXPECT_FALSE(has(Dump, "class 0 closed")) << Dump;
  add("b.cpp", "extern \"C\" MPI_Request *kept(void); void library_take(MPI_Request *);"
               "struct s { int n; s() { library_take(kept()); } }; thread_local s counter;"
               "namespace n { thread_local int other; }");
  Dump = classes(); // the constructor counts
  EXPECT_TRUE(has(Dump, "library_take")) << Dump;
}

TEST_F(Programs, RecordsThatOneSourceDefines) {
  Files.write("known.h", "#include <mpi.h>\nstruct halo { MPI_Comm c; MPI_Request r; };\n");
  const llvm::StringRef Record = "struct halo { MPI_Comm c; MPI_Request r; };\n", Known = "#include \"known.h\"\n";
  const llvm::StringRef Library = "#include <stdlib.h>\n#include <stdarg.h>\n"
                                  "struct halo *halo_new(MPI_Comm c) { struct halo *h = malloc(sizeof *h);\n"
                                  "  if (h) MPI_Comm_dup(c, &h->c); return h; }\n"
                                  "void halo_start(struct halo *h) {\n"
                                  "  MPI_Irecv(0, 0, MPI_INT, 0, 1, h->c, &h->r); }\n"
                                  "void halo_wait(struct halo *h) { MPI_Wait(&h->r, MPI_STATUS_IGNORE); }\n";
  auto Of = [&](llvm::StringRef Type, llvm::StringRef More, llvm::StringRef Other = "") {
    Units.clear();
    add("halo.c", (Type + Library + More).str());
    if (!Other.empty())
      add("other.c", Other);
    return classes();
  };
  for (const char *More : {"", "void halo_free(struct halo *h) { MPI_Comm_free(&h->c); free(h); }",
                           "int halo_size(void) { return sizeof(struct halo); }",
                           "void halo_init(struct halo *h, MPI_Comm c) { MPI_Comm_dup(c, &h->c); }",
                           "void halo_both(struct halo *h) { halo_start(h); halo_wait(h); }"}) {
    std::string Dump = Of(Record, More);
    EXPECT_TRUE(has(Dump, "closed")) << More << "\n" << Dump;
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << More << "\n" << Dump;
  }
  for (const char *More :
       {"void halo_done(void *h) { struct halo *p = h; MPI_Wait(&p->r, MPI_STATUS_IGNORE); }",
        "MPI_Request *halo_request(struct halo *h) { return &h->r; }", "static struct halo *last;",
        "void halo_make(struct halo **h) { *h = halo_new(MPI_COMM_WORLD); }",
        "void log_halo(struct halo *);\n"
        "void halo_log(struct halo *h) { log_halo(h); }",
        "struct user { struct halo *h; };",
        "void halo_all(int n, ...) { va_list l; va_start(l, n); halo_wait(va_arg(l, struct halo *)); va_end(l); }",
        "struct halo *other(void); void halo_other(void) { halo_wait(other()); }",
        "void halo_at(long a) { halo_wait((struct halo *)a); }", "void *halo_any(struct halo *h) { return h; }",
        "void halo_copy(struct halo *h, char *to) {\n"
        "for (int i = 0; i < 4; i++) to[i] = ((char *)&h->r)[i]; }"}) {
    std::string Dump = Of(Record, More);
    EXPECT_FALSE(has(Dump, "closed")) << More << "\n" << Dump;
  }
  EXPECT_FALSE(has(Of(Known, ""), "closed"));
  Files.write("known.h", "#pragma GCC system_header\n#include <mpi.h>\n" + Record.str());
  EXPECT_FALSE(has(Of(Known, ""), "closed")) << "whatever the header says of itself";
  EXPECT_FALSE(has(Of(Record, "", "#include \"known.h\"\nvoid other(void) {}\n"), "closed"));
  EXPECT_TRUE(has(Of(Record, "",
                     "struct halo; void halo_wait(struct halo *);\n"
                     "void other(struct halo *h) { halo_wait(h); }\n"),
                  "closed"));
}

TEST_F(Programs, RecordsOfTheSystemAreNotHidden) {
  const char *Called = "void each(void (*)(struct iovec *));\n"
                       "static void receive(struct iovec *v) { int b; MPI_Comm w = MPI_COMM_WORLD;\n"
                       "MPI_Recv(&b, 1, MPI_INT, 0, (int)v->iov_len, w, MPI_STATUS_IGNORE); }";
  for (std::string Declared :
       {"#include <sys/uio.h>\n", "struct iovec;\nstruct iovec { void *iov_base; long iov_len; };"}) {
    std::string Dump = c("each(receive);" SEND("5", "MPI_COMM_WORLD"), Declared + Called);
    EXPECT_EQ(count(Dump, "class"), Declared[0] == '#' ? 1U : 2U) << Declared << Dump;
  }
}

TEST_F(Programs, ContainersAreCode) {
  add("a.cpp", "#include <map>\n#include <vector>\n#include <any>\n#include <memory>\n#include <string>\n"
               "struct Finish { void operator()(MPI_Request *r) const {\n"
               "  MPI_Wait(r, MPI_STATUS_IGNORE); delete r; } };\n"
               "int main() {\n"
               "  std::map<int, MPI_Request> m; std::vector<MPI_Request> v(2); std::any a; int b;\n"
               "  MPI_Irecv(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &m[3]);\n"
               "  MPI_Irecv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &v[1]);\n"
               "  std::unique_ptr<MPI_Request, Finish> u(new MPI_Request);\n"
               "  MPI_Irecv(&b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, u.get());\n"
               "  MPI_Request r; MPI_Irecv(&b, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &r); a = r;\n"
               "  for (auto &[key, each] : m)\n"
               "    MPI_Wait(&each, MPI_STATUS_IGNORE);\n"
               "  v.push_back(MPI_REQUEST_NULL);\n"
               "  MPI_Waitall(v.size(), v.data(), MPI_STATUSES_IGNORE);\n"
               "  r = std::any_cast<MPI_Request>(a);\n"
               "  MPI_Wait(&r, MPI_STATUS_IGNORE);\n"
               "}\n");
  std::string Dump = classes();
  EXPECT_TRUE(has(Dump, "a.cpp:11:3 MPI_Irecv completed by MPI_Wait:17\n")) << Dump;
  EXPECT_TRUE(has(Dump, "a.cpp:12:3 MPI_Irecv completed by MPI_Waitall:19\n")) << Dump;
  EXPECT_TRUE(has(Dump, "a.cpp:14:3 MPI_Irecv completed by MPI_Wait:8\n")) << Dump;
  EXPECT_TRUE(has(Dump, "a.cpp:15:18 MPI_Irecv completed by MPI_Wait:21\n")) << Dump;
  EXPECT_EQ(count(Dump, "closed"), 4U) << Dump;
}

TEST_F(Programs, WhatIsNotKnownMayBeAllThatEscaped) {
  std::string Dump = c("MPI_Comm_dup(MPI_COMM_WORLD, &c); give(c, &r);" SEND("1", "c") "d = made();" RECV("1", "d")
                           IRECV_ON("2", "MPI_COMM_SELF", "&r") "MPI_Wait(made_request(), MPI_STATUS_IGNORE);",
                       "void give(MPI_Comm, MPI_Request *); MPI_Comm made(void); MPI_Request *made_request(void);");
  EXPECT_EQ(count(Dump, "class"), 2U) << Dump;
  EXPECT_EQ(count(Dump, "closed"), 0U) << Dump;
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Dump;
}

/// Of a record with more members than are kept apart.
TEST_F(Programs, NumbersAndAddressesOfLargeRecordsAreApart) {
  auto Record = [](const std::string &Uses) {
    std::string Members, Stores;
    for (unsigned I = 0; I < 450; ++I) {
      Members += "int m" + std::to_string(I) + ";\n";
      Stores += "x.m" + std::to_string(I) + " = c;\n";
    }
    return "void number(double); void text(int);\nstruct s {" + Members +
           "MPI_Request r; double d; struct s *p; };\nstatic struct s x, y; static int b[9];\n"
           "int main(int c, char **v) {\n" +
           Stores + "x.p = &y; x.d = c;\nMPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &x.r);\n" + Uses +
           "MPI_Wait(&x.r, MPI_STATUS_IGNORE); return 0; }\n";
  };
  std::string Numbers = classesOf("a.c", Record("number(x.d); x.p->d = x.d;\n"));
  EXPECT_TRUE(has(Numbers, " closed\n")) << Numbers;
  EXPECT_FALSE(has(Numbers, " open")) << Numbers;
  for (const char *Uses : {"text(((char *)&x.r)[1]);\n", "number(*(double *)memcpy(v, &x.r, 4));\n", "text(x.r);\n"}) {
    std::string Bits = classesOf("a.c", "#include <string.h>\n" + Record(Uses));
    EXPECT_FALSE(has(Bits, " closed")) << Uses << Bits;
  }
}

} // namespace
