// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every instruction that this LLVM has: it is modelled in the way that its example says, or opens. The list is LLVM's
// own, so that an instruction that a later LLVM adds fails the test until there is an example.

#include "Flow.h"
#include "extract/Extract.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"

using namespace mpishm;
using namespace mpishm::test;
using llvm::Instruction;
using Kind = ir::Constraint::Kind;

namespace {

/// The parameters that an example may use, by their letters.
constexpr llvm::StringLiteral Letters = "pqijldvabcfwm",
                              Types[] = {"ptr",        "ptr",       "i32", "i32", "i64",  "double",   "<2 x ptr>",
                                         "{ptr, i32}", "<4 x i32>", "i1",  "ptr", "i128", "<2 x i64>"};

/// An instruction and what is to hold for it, words with a blank between:
///   x>   the result may be made of parameter x      x!  parameter x escapes         x@  the result is read at x
///   x=y  parameter y is stored at x                 ?   the result may be anything  #   it may be a number
///   x^   parameter x is thrown                      .   nothing: control, or a fence
/// Only what is named of the parameters goes anywhere.
struct Example {
  unsigned Opcode;
  std::string Body, Holds; ///< '%r' is the result
  std::string Outside = "";
};

std::string textOf(const Example &E) {
  std::string Text = "%s = type {ptr, i32}\n"
                     "@g = global i32 0\n@t = thread_local global ptr null\n"
                     "declare i32 @personality(...)\ndeclare void @callee(ptr, i32)\ndeclare ptr @made(ptr)\n" +
                     E.Outside + "\ndefine void @example(";
  for (size_t I = 0; I < Letters.size(); ++I)
    Text += (I ? ", " : "") + Types[I].str() + " %" + Letters[I];
  return Text + ") personality ptr @personality {\nentry:\n" + E.Body + "\n}\n";
}

/// "declare void @sink(T)" and its call, for the result of an example.
std::string sink(llvm::StringRef Type) { return ("\ncall void @sink(" + Type + " %r)\nret void").str(); }
std::string declared(llvm::StringRef Type) { return ("declare void @sink(" + Type + ")").str(); }

Example simple(unsigned Opcode, llvm::StringRef Type, llvm::StringRef Body, llvm::StringRef Holds) {
  return {Opcode, "%r = " + Body.str() + sink(Type), Holds.str(), declared(Type)};
}

// Control.
std::vector<Example> control() {
  return {
      {Instruction::Ret, "ret void", "."},
      {Instruction::Br, "br i1 %c, label %x, label %y\nx:\nret void\ny:\nret void", "."},
      {Instruction::Switch, "switch i32 %i, label %x [i32 1, label %y]\nx:\nret void\ny:\nret void", "."},
      {Instruction::IndirectBr, "indirectbr ptr %p, [label %x, label %y]\nx:\nret void\ny:\nret void", "."},
      {Instruction::Unreachable, "unreachable", "."},
      {Instruction::Fence, "fence seq_cst\nret void", "."},
      {Instruction::Resume,
       "invoke void @callee(ptr null, i32 0) to label %x unwind label %y\nx:\nret void\ny:\n"
       "%l1 = landingpad {ptr, i32} cleanup\nresume {ptr, i32} %a",
       "a^"},
      {Instruction::LandingPad,
       "invoke void @callee(ptr null, i32 0) to label %x unwind label %y\nx:\nret void\ny:\n"
       "%r = landingpad {ptr, i32} cleanup" +
           sink("{ptr, i32}"),
       "~", declared("{ptr, i32}")},
      {Instruction::CatchSwitch,
       "invoke void @callee(ptr null, i32 0) to label %x unwind label %y\nx:\nret void\n"
       "y:\n%s = catchswitch within none [label %z] unwind to caller\n"
       "z:\n%r = catchpad within %s [ptr %p]\ncatchret from %r to label %x",
       "p!"},
      {Instruction::CatchPad,
       "invoke void @callee(ptr null, i32 0) to label %x unwind label %y\nx:\nret void\n"
       "y:\n%s = catchswitch within none [label %z] unwind to caller\n"
       "z:\n%r = catchpad within %s [ptr %p, ptr %q]\ncatchret from %r to label %x",
       "p! q!"},
      {Instruction::CatchRet,
       "invoke void @callee(ptr null, i32 0) to label %x unwind label %y\nx:\nret void\n"
       "y:\n%s = catchswitch within none [label %z] unwind to caller\n"
       "z:\n%r = catchpad within %s []\ncatchret from %r to label %x",
       "."},
      {Instruction::CleanupPad,
       "invoke void @callee(ptr null, i32 0) to label %x unwind label %y\nx:\nret void\n"
       "y:\n%r = cleanuppad within none [ptr %p]\ncleanupret from %r unwind to caller",
       "p!"},
      {Instruction::CleanupRet,
       "invoke void @callee(ptr null, i32 0) to label %x unwind label %y\nx:\nret void\n"
       "y:\n%r = cleanuppad within none []\ncleanupret from %r unwind to caller",
       "."},
  };
}

// Calls, and what looks like one.
std::vector<Example> calls() {
  std::string Asm = "%r = call ptr asm sideeffect \"";
  return {
      {Instruction::Call, "call void @callee(ptr %p, i32 %i)\nret void", "p( i("},
      {Instruction::Call, "call void %f(ptr %p, i32 %i)\nret void", "f( p( i("},
      {Instruction::Call, "call void @callee(ptr byval(%s) %p, i32 %i)\nret void", "p( i("},
      {Instruction::Call, "call void @callee(ptr null, i32 0) [\"some\"(ptr %p, i32 %i)]\nret void", "p! i!"},
      {Instruction::Call, "call void @replaced(ptr %p)\nret void", "p(",
       "define internal void @body(ptr %x) {\nret void\n}\n@replaced = weak alias void (ptr), ptr @body"},
      simple(Instruction::Call, "ptr", "call ptr asm sideeffect \"mov $1, $0\", \"=r,r\"(ptr %p)", "p! ?"),
      simple(Instruction::Call, "ptr", "call ptr asm \"\", \"=r,0\"(ptr %p)", "p>"),
      simple(Instruction::Call, "{ptr, i64}", "call {ptr, i64} asm \"\", \"=r,=r,r,~{memory}\"(i64 %l)", "l! ?"),
      simple(Instruction::Call, "{ptr, i64}", "call {ptr, i64} asm \"\", \"=r,=r,0,1\"(ptr %p, i64 %l)", "p> l>"),
      simple(Instruction::Call, "{i32, i32}", "call {i32, i32} asm sideeffect \"rdtsc\", \"={ax},={dx}\"()", "#"),
      simple(Instruction::Call, "i64", "call i64 asm sideeffect \"lfence; rdtsc\", \"=A,0\"(i64 %l)", "# l>"),
      simple(Instruction::Call, "i32", "call i32 asm sideeffect \"rdtsc\", \"={si}\"()", "?"),
      simple(Instruction::Call, "i64", "call i64 asm \"rdtsc; add $1, $0\", \"=A,r\"(i64 %l)", "l! ?"),
      simple(Instruction::Call, "i64", "call i64 asm \"\", \"=r,0\"(double %d)", "d! ?"),
      {Instruction::Call,
       "call void asm sideeffect \"\", \"=*m,*m,r|m,~{memory}\"(ptr elementtype(i32) %p, ptr elementtype(i32) %q, i64 "
       "%l)\nret void",
       "."},
      {Instruction::Call,
       "call void asm sideeffect \"\", \"=*r|m,0,~{memory}\"(ptr elementtype(i32) %p, i32 %i)\nret void", "p=i"},
      {Instruction::Call, "call void asm sideeffect \"\", \"=*rm\"(ptr elementtype(i32) %p)\nret void", "p!"},
      {Instruction::Call, "call void asm sideeffect \"# $1\", \"=*m,r\"(ptr elementtype(i32) %p, i32 %i)\nret void",
       "p! i!"},
      {Instruction::Call,
       "call void asm sideeffect \"\", \"=*m|r,*0\"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)\nret void", "."},
      {Instruction::Call,
       "call void asm sideeffect \"\", \"=*m|r,*0\"(ptr elementtype(i32) %p, ptr elementtype(i32) %q)\nret void",
       "p! q!"},
      {Instruction::Call, "call void asm sideeffect \"\", \"~{memory}\"()\nret void", "."},
      simple(Instruction::Invoke, "ptr",
             "invoke ptr @made(ptr %p) to label %x unwind label %y\ny:\n%u = landingpad {ptr, i32} cleanup\n"
             "ret void\nx:",
             "p("),
      {Instruction::CallBr,
       "%r = callbr ptr asm \"\", \"=r,r,!i\"(ptr %p) to label %x [label %y]\ny:\nret void\nx:" + sink("ptr"), "p! ?",
       declared("ptr")},
      simple(Instruction::VAArg, "ptr", "va_arg ptr %p, ptr", "p! ?"),
  };
}

// Memory.
std::vector<Example> memory() {
  std::vector<Example> Result{
      simple(Instruction::Alloca, "ptr", "alloca i32, i32 %i", "&"),
      simple(Instruction::Load, "ptr", "load ptr, ptr %p", "p@"),
      simple(Instruction::Load, "{ptr, i32}", "load {ptr, i32}, ptr %p", "p@"),
      simple(Instruction::Load, "<4 x i32>", "load <4 x i32>, ptr %p", "p@"),
      simple(Instruction::Load, "i32", "load atomic i32, ptr %p seq_cst, align 4", "p@"),
      simple(Instruction::Load, "double", "load volatile double, ptr %p", "p@"),
      simple(Instruction::Load, "<vscale x 2 x i64>", "load <vscale x 2 x i64>, ptr %p", "p! ?"),
      simple(Instruction::Load, "double", "load double, ptr %p, !tbaa !0", "#"),
      {Instruction::Store, "store ptr %q, ptr %p\nret void", "p=q"},
      {Instruction::Store, "store {ptr, i32} %a, ptr %p\nret void", "p=a"},
      {Instruction::Store, "store <2 x ptr> %v, ptr %p\nret void", "p=v"},
      {Instruction::Store, "store double %d, ptr %p\nret void", "p=d"},
      {Instruction::Store, "store double %d, ptr %p, !tbaa !0\nret void", "d!"},
      simple(Instruction::GetElementPtr, "ptr", "getelementptr %s, ptr %p, i64 %l, i32 1", "p> l>"),
      simple(Instruction::GetElementPtr, "<2 x ptr>", "getelementptr i8, <2 x ptr> %v, i64 %l", "v> l>"),
      simple(Instruction::GetElementPtr, "<2 x ptr>", "getelementptr i8, ptr %p, <2 x i64> %m", "p> m>"),
      simple(Instruction::GetElementPtr, "ptr", "getelementptr <vscale x 2 x i64>, ptr %p, i64 1", "p! ?"),
      simple(Instruction::AtomicCmpXchg, "{ptr, i1}", "cmpxchg ptr %p, ptr %q, ptr %f seq_cst seq_cst", "p@ p=f #"),
  };
  for (Example &E : Result)
    E.Outside += "\n!0 = !{!1, !1, i64 0}\n!1 = !{!\"double\", !2}\n!2 = !{!\"root\"}\n";
  using RMW = llvm::AtomicRMWInst;
  for (unsigned Op = RMW::FIRST_BINOP; Op <= RMW::LAST_BINOP; ++Op) {
    bool Floats = RMW::isFPOperation(static_cast<RMW::BinOp>(Op));
    std::string Name = RMW::getOperationName(static_cast<RMW::BinOp>(Op)).str();
    Result.push_back(simple(Instruction::AtomicRMW, Floats ? "double" : "i64",
                            "atomicrmw " + Name + " ptr %p, " + (Floats ? "double %d" : "i64 %l") + " seq_cst",
                            Floats ? "p@ p=d" : "p@ p=l"));
  }
  Result.push_back(simple(Instruction::AtomicRMW, "ptr", "atomicrmw xchg ptr %p, ptr %q seq_cst", "p@ p=q"));
  return Result;
}

// What computes.
std::vector<Example> computations() {
  std::vector<Example> Result;
  for (unsigned Op = Instruction::BinaryOpsBegin; Op < Instruction::BinaryOpsEnd; ++Op) {
    std::string Name = Instruction::getOpcodeName(Op);
    if (Name[0] == 'f') {
      Result.push_back(simple(Op, "double", Name + " double %d, %d", "d>"));
      continue;
    }
    Result.push_back(simple(Op, "i32", Name + " i32 %i, %j", "i> j>"));
    Result.push_back(simple(Op, "i128", Name + " i128 %w, %w", "w> #"));
    Result.push_back(simple(Op, "<4 x i32>", Name + " <4 x i32> %b, %b", "b> #"));
  }
  using Cmp = llvm::CmpInst;
  for (unsigned P = Cmp::FIRST_ICMP_PREDICATE; P <= Cmp::LAST_ICMP_PREDICATE; ++P) {
    std::string Name = Cmp::getPredicateName(static_cast<Cmp::Predicate>(P)).str();
    Result.push_back(simple(Instruction::ICmp, "i1", "icmp " + Name + " ptr %p, %q", "#"));
    Result.push_back(simple(Instruction::ICmp, "<4 x i1>", "icmp " + Name + " <4 x i32> %b, %b", "#"));
  }
  for (unsigned P = Cmp::FIRST_FCMP_PREDICATE; P <= Cmp::LAST_FCMP_PREDICATE; ++P)
    Result.push_back(simple(Instruction::FCmp, "i1",
                            "fcmp " + Cmp::getPredicateName(static_cast<Cmp::Predicate>(P)).str() + " double %d, %d",
                            "#"));
  Result.push_back(simple(Instruction::FNeg, "double", "fneg double %d", "d>"));
  return Result;
}

std::vector<Example> casts() {
  struct Cast {
    unsigned Opcode;
    const char *From, *To, *Holds;
  };
  static constexpr Cast Casts[] = {
      {Instruction::Trunc, "i64 %l", "i32", "l>"},
      {Instruction::Trunc, "i128 %w", "i32", "w> #"},
      {Instruction::Trunc, "<4 x i32> %b", "<4 x i8>", "b> #"},
      {Instruction::ZExt, "i32 %i", "i64", "i>"},
      {Instruction::ZExt, "i64 %l", "i128", "l> #"},
      {Instruction::SExt, "i32 %i", "i64", "i>"},
      {Instruction::SExt, "<4 x i32> %b", "<4 x i64>", "b> #"},
      {Instruction::FPToUI, "double %d", "i64", "d> #"},
      {Instruction::FPToSI, "double %d", "i32", "d> #"},
      {Instruction::UIToFP, "i32 %i", "double", "i! #"},
      {Instruction::SIToFP, "i64 %l", "double", "l! #"},
      {Instruction::SIToFP, "<4 x i32> %b", "<4 x double>", "b! #"},
      {Instruction::FPTrunc, "double %d", "float", "d> #"},
      {Instruction::FPExt, "double %d", "fp128", "d> #"},
      {Instruction::PtrToInt, "ptr %p", "i64", "p>"},
      {Instruction::PtrToInt, "ptr %p", "i8", "p>"},
      {Instruction::PtrToInt, "<2 x ptr> %v", "<2 x i64>", "v> #"},
      {Instruction::IntToPtr, "i64 %l", "ptr", "l> A"},
      {Instruction::IntToPtr, "i128 %w", "ptr", "w> A"},
      {Instruction::IntToPtr, "<2 x i64> %m", "<2 x ptr>", "m> A"},
      {Instruction::BitCast, "ptr %p", "ptr", "p>"},
      {Instruction::BitCast, "i64 %l", "double", "l> #"},
      {Instruction::BitCast, "double %d", "i64", "d> #"},
      {Instruction::BitCast, "<4 x i32> %b", "i128", "b> #"},
      {Instruction::AddrSpaceCast, "ptr %p", "ptr addrspace(1)", "p>"},
  };
  std::vector<Example> Result;
  for (const Cast &C : Casts)
    Result.push_back(simple(C.Opcode, C.To,
                            std::string(Instruction::getOpcodeName(C.Opcode)) + " " + C.From + " to " + C.To, C.Holds));
  return Result;
}

// What hands values on.
std::vector<Example> choices() {
  std::vector<Example> Result{
      {Instruction::PHI,
       "br i1 %c, label %x, label %y\nx:\nbr label %y\ny:\n%r = phi ptr [%p, %entry], [%q, %x]" + sink("ptr"), "p> q>",
       declared("ptr")},
      simple(Instruction::Select, "ptr", "select i1 %c, ptr %p, ptr %q", "p> q>"),
      simple(Instruction::Select, "<4 x i32>", "select i1 %c, <4 x i32> %b, <4 x i32> zeroinitializer", "b>"),
      simple(Instruction::ExtractElement, "ptr", "extractelement <2 x ptr> %v, i32 %i", "v>"),
      simple(Instruction::InsertElement, "<2 x ptr>", "insertelement <2 x ptr> %v, ptr %p, i32 %i", "v> p>"),
      simple(Instruction::ShuffleVector, "<2 x ptr>",
             "shufflevector <2 x ptr> %v, <2 x ptr> %v, <2 x i32> <i32 1, i32 2>", "v>"),
      simple(Instruction::ExtractValue, "i32", "extractvalue {ptr, i32} %a, 1", "a>"),
      simple(Instruction::InsertValue, "{ptr, i32}", "insertvalue {ptr, i32} %a, ptr %p, 0", "a> p>"),
      simple(Instruction::Freeze, "ptr", "freeze ptr %p", "p>"),
  };
  return Result;
}

std::vector<Example> examples() {
  std::vector<Example> Result;
  for (const std::vector<Example> &Some : {control(), calls(), memory(), computations(), casts(), choices()})
    Result.insert(Result.end(), Some.begin(), Some.end());
  return Result;
}

/// Whether one word of Example::Holds is true.
bool holds(llvm::StringRef Word, const Flow &F, ir::Node Result) {
  auto NodeOf = [](char Letter) { return static_cast<ir::Node>(Letters.find(Letter)); };
  using K = Kind;
  char Last = Word.back();
  ir::Node First = NodeOf(Word.front());
  if (Word == "?")
    return F.isAnything(Result);
  if (Word == "#")
    return F.isNumber(Result);
  if (Word == "&")
    return F.has(K::LocalAddress, ir::NoNode, Result);
  if (Word == "~")
    return F.has(K::Catch, ir::NoNode, Result);
  if (Word == "A")
    return F.has(K::ToAddress, ir::NoNode, Result);
  switch (Last) {
  case '>':
    return F.reaches(First, Result);
  case '!':
    return F.escapes(First);
  case '@':
    return F.has(K::Load, First, Result);
  case '^':
    return F.has(K::Throw, First, ir::NoNode);
  case '(':
    return F.isGiven(First);
  default:
    return Word.size() == 3 && Word[1] == '=' && F.has(K::Store, NodeOf(Last), First);
  }
}

/// Which word of \p List \p Holds(word, values, node) does not find to hold of what the function "example" of \p U,
/// shown as \p Shown, hands to "sink"; or nothing.
template <typename Check>
std::string faultOf(llvm::StringRef List, llvm::StringRef Shown, const ir::Unit &U, Check Holds) {
  for (const ir::Function &F : U.Functions) {
    if (U.Symbols[F.Symbol].Name != "example")
      continue;
    Flow Values(U, F);
    ir::Node Result = Values.argumentOf("sink");
    llvm::SmallVector<llvm::StringRef, 4> Words;
    List.split(Words, ' ');
    for (llvm::StringRef Word : Words)
      if (Word != "." && !Holds(Word, Values, Result))
        return ("'" + Word + "' does not hold of\n" + Shown).str();
    return "";
  }
  return "no such function";
}

/// What is wrong with an example, or nothing.
std::string faultOf(const Example &E, const ir::Unit &U) { return faultOf(E.Holds, E.Body, U, holds); }

/// Whether a constant is what \p Word says: an address itself, or one somewhere in an object; anything; a number, or
/// the one that is given.
bool holdsConstant(llvm::StringRef Word, const Flow &Values, ir::Node Result) {
  int64_t Number = 0;
  if (Word == "&")
    return Values.has(Kind::GlobalAddress, ir::NoNode, Result);
  if (Word == "o&")
    return Values.hasAddress(Result);
  if (Word == "?")
    return Values.isAnything(Result);
  if (Word == "#")
    return Values.isNumber(Result);
  return !Word.getAsInteger(10, Number) && Values.isNumber(Result, Number);
}

/// The opcodes that LLVM has, but those that only its passes use for themselves.
std::map<unsigned, std::string> opcodes() {
  std::map<unsigned, std::string> Result;
#define HANDLE_INST(Number, Name, Class) Result[Number] = #Name;
#define HANDLE_USER_INST(Number, Name, Class)
#include "llvm/IR/Instruction.def"
  return Result;
}

bool hasInstruction(const llvm::Module &M, unsigned Opcode) {
  for (const llvm::Instruction &I : llvm::instructions(*M.getFunction("example")))
    if (I.getOpcode() == Opcode)
      return true;
  return false;
}

TEST(Walk, EveryInstructionIsModelledOrOpens) {
  std::map<unsigned, std::string> Missing = opcodes();
  unsigned Count = 0;
  for (const Example &E : examples()) {
    std::optional<LoweredUnit> U = parse(textOf(E));
    ASSERT_TRUE(U);
    EXPECT_TRUE(hasInstruction(*U->Module, E.Opcode)) << E.Body;
    EXPECT_EQ(faultOf(E, ir::extract(*U)), "");
    Missing.erase(E.Opcode);
    ++Count;
  }
  for (const auto &[Opcode, Name] : Missing)
    ADD_FAILURE() << "no example of the instruction " << Name;
  RecordProperty("Opcodes", static_cast<int>(opcodes().size()));
  RecordProperty("Examples", static_cast<int>(Count));
}

TEST(Walk, WhatIsLeftOutIsSeen) {
  // Without the constraints that say so, no example but those of control holds.
  for (const Example &E : examples()) {
    if (E.Holds == ".")
      continue;
    std::optional<LoweredUnit> Lowered = parse(textOf(E));
    ASSERT_TRUE(Lowered);
    ir::Unit U = ir::extract(*Lowered);
    for (ir::Function &F : U.Functions) {
      F.Constraints.clear();
      for (ir::Call &C : F.Calls)
        if (C.Callee && U.Symbols[*C.Callee].Name != "sink")
          C.Arguments.clear();
        else if (!C.Callee)
          C.Arguments.clear(), C.Pointer = ir::NoNode;
    }
    EXPECT_NE(faultOf(E, U), "") << E.Body;
  }
}

TEST(Walk, ConstantsOfEveryKind) {
  struct {
    const char *Type, *Constant, *Holds;
  } static constexpr Constants[] = {
      {"ptr", "@g", "&"},
      {"ptr", "getelementptr (i32, ptr @g, i64 1)", "o&"},
      {"ptr", "inttoptr (i64 7 to ptr)", "#"},
      {"ptr", "inttoptr (i32 -1 to ptr)", "#"},
      {"i64", "ptrtoint (ptr @g to i64)", "o&"},
      {"i64", "sub (i64 ptrtoint (ptr @g to i64), i64 ptrtoint (ptr @h to i64))", "o& #"},
      {"i64", "xor (i64 ptrtoint (ptr @g to i64), i64 5)", "o& #"},
      {"ptr addrspace(1)", "addrspacecast (ptr @g to ptr addrspace(1))", "o&"},
      {"{ptr, i32}", "{ptr @g, i32 3}", "o& #"},
      {"<2 x ptr>", "<ptr @g, ptr null>", "o& #"},
      {"<4 x i32>", "<i32 1, i32 2, i32 3, i32 1140850688>", "# 1140850688"},
      {"i128", "18446744073709551616", "#"},
      {"double", "1.0", "#"},
      {"ptr", "null", "#"},
      {"ptr", "@replaced", "&"},
      {"ptr", "@same", "o&"},
      {"ptr", "@chosen", "&"},
      {"ptr", "dso_local_equivalent @callee", "o&"},
      {"ptr", "no_cfi @callee", "o&"},
      {"ptr", "blockaddress(@other, %next)", "?"},
      {"{i32, i32}", "zeroinitializer", "#"},
  };
  for (const auto &C : Constants) {
    std::string Text = "@g = global i32 0\n@h = global i32 0\n@same = alias i32, ptr @g\n"
                       "@replaced = weak alias void (), ptr @body\n@chosen = ifunc void (), ptr @choose\n"
                       "define void @body() {\nret void\n}\ndefine ptr @choose() {\nret ptr @body\n}\n"
                       "define void @other() {\nbr label %next\nnext:\nret void\n}\ndeclare void @callee()\n" +
                       declared(C.Type) + "\ndefine void @example() {\ncall void @sink(" + C.Type + " " + C.Constant +
                       ")\nret void\n}\n";
    std::optional<LoweredUnit> Lowered = parse(Text);
    ASSERT_TRUE(Lowered);
    EXPECT_EQ(faultOf(C.Holds, C.Constant, ir::extract(*Lowered), holdsConstant), "");
  }
}

} // namespace
