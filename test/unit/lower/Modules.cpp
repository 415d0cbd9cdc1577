// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of the source is in the IR, whatever the command says.

#include "Fixture.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace mpishm;
using namespace mpishm::test;

static const llvm::Function *function(const LoweredUnit &U, llvm::StringRef Name) {
  const llvm::Function *F = U.Module->getFunction(Name);
  return F && !F->isDeclaration() ? F : nullptr;
}

static unsigned countOf(const llvm::Function &F, unsigned Opcode) {
  unsigned N = 0;
  for (const llvm::Instruction &I : llvm::instructions(F))
    N += I.getOpcode() == Opcode;
  return N;
}

TEST(LowerModules, VariablesAreValues) {
  Sources Files;
  for (const char *Level : {"-O0", "-O3", "-g", "-fsanitize=address", "-fprofile-generate", "-pg"}) {
    std::optional<LoweredUnit> U =
        Files.lower("a.c", "int f(int n) { int s = 0; while (n) { s += n; --n; } return s; }\n", {Level});
    ASSERT_TRUE(U) << Level << Files.Errors;
    const llvm::Function *F = function(*U, "f");
    ASSERT_TRUE(F) << Level;
    EXPECT_EQ(countOf(*F, llvm::Instruction::Alloca), 0U) << Level;
    EXPECT_EQ(countOf(*F, llvm::Instruction::Load), 0U) << Level;
    EXPECT_EQ(countOf(*F, llvm::Instruction::Call), 0U) << Level;
    EXPECT_EQ(countOf(*F, llvm::Instruction::PHI), 2U) << Level;
  }
}

// Other compilers do not read what the program tells Clang.
TEST(LowerModules, AssumptionsAreLeftOut) {
  Sources Files;
  std::optional<LoweredUnit> U = Files.lower("a.c",
                                             "int f(int n) { __builtin_assume(n == 1); return n; }\n"
                                             "int g(int *p) { p = __builtin_assume_aligned(p, 64); return *p; }\n",
                                             {"-O2"});
  ASSERT_TRUE(U) << Files.Errors;
  for (const char *Name : {"f", "g"}) {
    ASSERT_TRUE(function(*U, Name));
    EXPECT_EQ(countOf(*function(*U, Name), llvm::Instruction::Call), 0U) << Name;
  }
  const auto *Return = llvm::dyn_cast<llvm::ReturnInst>(function(*U, "f")->getEntryBlock().getTerminator());
  ASSERT_TRUE(Return);
  EXPECT_EQ(Return->getReturnValue(), function(*U, "f")->getArg(0));
}

TEST(LowerModules, LinesAreKnown) {
  Sources Files;
  std::optional<LoweredUnit> U = Files.lower("a.c", "void g(void);\n\nvoid f(void) {\n  g();\n}\n");
  ASSERT_TRUE(U) << Files.Errors;
  const llvm::Instruction &First = *llvm::inst_begin(function(*U, "f"));
  ASSERT_TRUE(First.getDebugLoc());
  EXPECT_EQ(First.getDebugLoc().getLine(), 4U);
}

TEST(LowerModules, StringsHaveBodies) {
  Sources Files;
  for (const char *Standard : {"-std=c++11", "-std=c++17", "-std=c++20"}) {
    std::optional<LoweredUnit> U = Files.lower(
        "a.cpp", "#include <string>\nvoid f(std::string &s) { s.append(\"text\"); s.reserve(9); }\n", {Standard});
    ASSERT_TRUE(U) << Files.Errors;
    EXPECT_TRUE(function(*U, "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm")) << Standard;
    EXPECT_TRUE(function(*U, "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm")) << Standard;
  }
}

TEST(LowerModules, CoroutinesAreFunctions) {
  Sources Files;
  std::optional<LoweredUnit> U =
      Files.lower("a.cpp",
                  "#include <coroutine>\n"
                  "struct Task {\n"
                  "  struct promise_type {\n"
                  "    Task get_return_object() { return {}; }\n"
                  "    std::suspend_always initial_suspend() { return {}; }\n"
                  "    std::suspend_never final_suspend() noexcept { return {}; }\n"
                  "    void return_void() {}\n"
                  "    void unhandled_exception() {}\n"
                  "  };\n"
                  "};\n"
                  "extern \"C\" Task f(int *p) { *p = 1; co_await std::suspend_always(); *p = 2; }\n",
                  {"-std=c++20"});
  ASSERT_TRUE(U) << Files.Errors;
  EXPECT_TRUE(function(*U, "f.resume"));
  for (const llvm::Function &F : *U->Module)
    EXPECT_FALSE(F.getName().starts_with("llvm.coro") && !F.use_empty()) << F.getName().str();
}

TEST(LowerModules, ErrorsAreTold) {
  Sources Files;
  EXPECT_FALSE(Files.lower("a.c", "int f(void) { return x; }\n"));
  EXPECT_NE(Files.Errors.find("undeclared identifier 'x'"), std::string::npos) << Files.Errors;
}
