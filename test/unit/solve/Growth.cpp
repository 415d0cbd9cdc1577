// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What it takes to solve programs that grow.

#include "solve/Fixture.h"
#include <sys/resource.h>

using namespace mpishm;
using namespace mpishm::test;

namespace {

/// Programs that grow: what is counted is work, which is to grow with them, not faster.
class Growth : public ProgramTest {
protected:
  uint64_t steps(llvm::StringRef Name, const std::string &Text) {
    Units.clear();
    add(Name, Text);
    if (Units.empty())
      return 0;
    ir::ValueClasses Result = ir::findClasses({&Units[0]}, {});
    EXPECT_FALSE(Result.GivenUp);
    return Result.Steps;
  }
  /// How many edges the analysis of a program has.
  uint64_t edges(llvm::StringRef Name, const std::string &Text) {
    Units.clear();
    add(Name, Text);
    return Units.empty() ? 0 : ir::findClasses({&Units[0]}, {}).Edges;
  }
  /// Asks that what \p Make makes of 4 * \p Size takes less than \p Most times the steps of \p Size.
  template <typename F> void grows(llvm::StringRef Name, unsigned Size, unsigned Most, F Make) {
    uint64_t Small = steps(Name, Make(Size)), Large = steps(Name, Make(4 * Size));
    EXPECT_GT(Small, Size);
    EXPECT_LT(Large, Most * Small);
  }
};

TEST_F(Growth, WhatIsTooLargeIsKeptApartLess) {
  add("a.c", "#include <stdio.h>\nint main(void) { int b[9]; MPI_Request r[2];\n"
             "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, r); printf(\"%p\", (void *)r);\n"
             "MPI_Wait(r, MPI_STATUS_IGNORE); return 0; }\n");
  ASSERT_EQ(Units.size(), 1U);
  ir::ClassesOptions Options;
  EXPECT_TRUE(has(classes(Options), "closed")) << classes(Options);
  Options.MostSteps = ir::findClasses({&Units[0]}, Options).Steps + 20;
  EXPECT_TRUE(has(classes(Options), "which is printed")) << classes(Options);
  Options.MostSteps = 20;
  EXPECT_TRUE(has(classes(Options), "too large to be followed")) << classes(Options);
}

TEST_F(Growth, BuffersThatEscape) {
  grows("a.c", 50, 6, [](unsigned Size) {
    std::string Text = "#include <string.h>\nvoid out(char *);\n"
                       "static void copy(char *to, const char *from) { strcpy(to, from); out(to); }\n"
                       "int main(void) {\n char last[99];\n";
    for (unsigned I = 0; I < Size; ++I)
      Text += "{ char b[99], c[99]; copy(b, \"text\"); copy(c, b); copy(last, c); b[b[0]] = c[b[1]]; }\n";
    return Text + "}\n";
  });
}

TEST_F(Growth, LoadsAndStoresOfManyObjects) {
  auto Make = [](unsigned Size) {
    std::string Text = "struct s { struct s *next; int *v; };\nint i, n;\n", Array, Functions, Calls;
    for (unsigned I = 0; I < Size; ++I) {
      std::string Number = std::to_string(I);
      Text += "static struct s s" + Number + ";\n";
      Array += "&s" + Number + ", ";
      Functions += "static struct s *f" + Number + "(struct s *p) { p->v = &i; return p->next; }\n";
      Calls += "p = f" + Number + "(all[n]); p->next = all[n];\n";
    }
    return Text + "static struct s *all[] = {" + Array + "};\n" + Functions + "int main(void) { struct s *p;\n" +
           Calls + "return *p->v; }\n";
  };
  uint64_t Small = edges("a.c", Make(100)), Large = edges("a.c", Make(400));
  EXPECT_GT(Small, 100U);
  EXPECT_LT(Large, 5 * Small);
}

TEST_F(Growth, Strings) {
  grows("a.cpp", 20, 6, [](unsigned Size) {
    std::string Text = "#include <string>\nvoid out(std::string &);\nint main() {\n std::string last;\n";
    for (unsigned I = 0; I < Size; ++I)
      Text += "{ std::string b(\"" + std::to_string(I) + "\"), c = b + last; out(c); last += c; }\n";
    return Text + "}\n";
  });
}

/// Who goes through a tree goes on from where its end is, as if a node with a tree were there.
TEST_F(Growth, TreesOfTrees) {
  add("a.cpp", "#include <map>\nstruct s { std::map<int, s> parts; };\n"
               "static int count(const s &x) {\n int n = 1;\n"
               " for (const auto &each : x.parts) n += count(each.second);\n return n; }\n"
               "int main() { s x; x.parts[1].parts[2]; return count(x); }\n");
  ASSERT_EQ(Units.size(), 1U);
  ir::ClassesOptions Options;
  Options.MostSteps = 400'000;
  ir::ValueClasses Result = ir::findClasses({&Units[0]}, Options);
  EXPECT_FALSE(Result.GivenUp);
  EXPECT_LT(Result.Steps, Options.MostSteps / 2) << "then addresses are kept apart less";
}

TEST_F(Growth, ChainsOfObjectsThatEscape) {
  std::string Text = "struct s { struct s *next; };\nvoid out(struct s *);\nstatic struct s n0;\n"
                     "static struct s *pass(struct s *p, int n) { return n ? pass(p, n - 1) : p; }\n"
                     "static struct s *again(struct s *p, int n) { return n ? again(p, n - 1) : pass(p, n); }\n";
  unsigned Length = 60000;
  for (unsigned I = 1; I < Length; ++I)
    Text += "static struct s n" + std::to_string(I) + " = {&n" + std::to_string(I - 1) + "};\n";
  EXPECT_GT(steps("a.c", Text + "int main(int c, char **v) { out(again(pass(&n" + std::to_string(Length - 1) +
                             ", c), c)); }\n"),
            Length);
}

/// Each object that escapes leads to all others, which are to escape once, not once for each that leads there.
TEST_F(Growth, ObjectsThatEscapeTogether) {
  auto Most = [] {
    rusage Usage{};
    getrusage(RUSAGE_SELF, &Usage);
    return Usage.ru_maxrss; // in KiB
  };
  std::string Text = "struct s { struct s *next; };\n", Array, Stores;
  for (unsigned I = 0; I < 6000; ++I) {
    Text += "static struct s n" + std::to_string(I) + ";\n";
    Array += "&n" + std::to_string(I) + ", ";
    Stores += "n" + std::to_string(I) + ".next = all[c];\n";
  }
  add("a.c", "#include <stdio.h>\n" + Text + "static struct s *all[] = {" + Array +
                 "};\nint main(int c, char **v) {\n" + Stores + "printf(\"%p\", (void *)all[c]); }\n");
  ASSERT_EQ(Units.size(), 1U);
  ir::ClassesOptions Options;
  // Where half of that has not sufficed, what is printed escapes, when all else is known.
  Options.MostSteps = 2 * ir::findClasses({&Units[0]}, Options).Steps - 40;
  const long Before = Most();
  ir::findClasses({&Units[0]}, Options);
  EXPECT_LT(Most() - Before, 70'000);
}

/// With one request variable for all, the request of each receive may reach each wait.
TEST_F(Growth, CompletionsOfOneVariable) {
  constexpr size_t Many = 300;
  std::string Text = "int main(void) { int b[9]; MPI_Request r;\n";
  for (size_t I = 0; I < Many; ++I)
    Text += "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r); MPI_Wait(&r, MPI_STATUS_IGNORE);\n";
  add("a.c", Text + "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, b[0] ? &r : (MPI_Request *)&b[8]);\n"
                    "MPI_Wait((MPI_Request *)&b[8], MPI_STATUS_IGNORE); return 0; }\n");
  ASSERT_EQ(Units.size(), 1U);
  ir::ValueClasses Result = ir::findClasses({&Units[0]}, {});
  ASSERT_EQ(Result.Classes.size(), 1U);
  const std::vector<ir::ClassMember> &Members = Result.Classes[0].Members;
  ASSERT_EQ(Members.size(), Many + 1);
  for (size_t I = 0; I < Many; ++I) { // kept once, not for each
    ASSERT_EQ(Members[I].Completions.size(), 1U);
    EXPECT_EQ(Members[I].Completions[0], Members[0].Completions[0]);
  }
  EXPECT_EQ(Members[0].Completions[0]->size(), Many);
  EXPECT_EQ(Members[Many].Completions.size(), 2U);
}

} // namespace
