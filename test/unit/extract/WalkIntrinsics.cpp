// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every intrinsic function that this LLVM has, of every target: what it is given goes to its result, or escapes, or is
// named here as what it does not keep.

#include "Flow.h"
#include "extract/Extract.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "gtest/gtest.h"

using namespace mpishm;
using namespace mpishm::test;
using llvm::Intrinsic::ID;
using llvm::Intrinsic::IITDescriptor;
using Kind = ir::Constraint::Kind;

namespace {

/// What an intrinsic function does that neither escapes nor is computed.
enum class Effect {
  Nothing, ///< of what it is given nothing goes anywhere, and there is no result
  Number,  ///< the same, and the result is a number that says nothing of it
  First,   ///< the result is the first argument; the others are advice
  Copies,  ///< from what the second argument points to, to where the first does
  Fills,   ///< where the first argument points to, with the second
  List     ///< where the first argument points to, with the address of the variadic arguments
};

std::optional<Effect> effectOf(ID Id) {
  namespace I = llvm::Intrinsic;
  switch (Id) {
  case I::dbg_declare:
  case I::dbg_value:
  case I::dbg_assign:
  case I::dbg_label:
  case I::lifetime_start:
  case I::lifetime_end:
  case I::assume:
  case I::invariant_end:
  case I::experimental_noalias_scope_decl:
  case I::trap:
  case I::debugtrap:
  case I::ubsantrap:
  case I::sideeffect:
  case I::pseudoprobe:
  case I::prefetch:
  case I::stackrestore:
  case I::var_annotation:
  case I::donothing:
  case I::vaend:
  case I::x86_sse2_clflush:
  case I::x86_clflushopt:
  case I::x86_clwb:
  case I::x86_cldemote:
    return Effect::Nothing;
  case I::eh_typeid_for:
  case I::objectsize:
  case I::invariant_start:
  case I::stacksave:
  case I::is_constant:
  case I::readcyclecounter:
  case I::readsteadycounter:
  case I::get_rounding:
  case I::x86_rdtsc:
  case I::x86_rdpmc:
    return Effect::Number;
  case I::expect:
  case I::expect_with_probability:
  case I::annotation:
  case I::ptr_annotation:
    return Effect::First;
  case I::memcpy:
  case I::memcpy_inline:
  case I::memmove:
  case I::vacopy:
    return Effect::Copies;
  case I::memset:
  case I::memset_inline:
    return Effect::Fills;
  case I::vastart:
    return Effect::List;
  default:
    return std::nullopt;
  }
}

/// Types for what an intrinsic function may be overloaded with.
struct Choice {
  llvm::Type *Any, *Integer, *Floating, *Vector, *Pointer, *Pointers;
};

/// One type for each overloaded part of \p Id; nothing when it has one of a kind that depends on more than is chosen.
std::optional<std::vector<llvm::Type *>> overloads(ID Id, const Choice &C) {
  llvm::SmallVector<IITDescriptor, 8> Parts;
  llvm::Intrinsic::getIntrinsicInfoTableEntries(Id, Parts);
  std::map<unsigned, llvm::Type *> Chosen;
  std::set<unsigned> Vectors; // of which there are parts
  for (const IITDescriptor &D : Parts) {
    switch (D.Kind) {
    case IITDescriptor::Argument:
      switch (D.getArgumentKind()) {
      case IITDescriptor::AK_Any:
        Chosen.try_emplace(D.getArgumentNumber(), C.Any);
        break;
      case IITDescriptor::AK_AnyInteger:
        Chosen.try_emplace(D.getArgumentNumber(), C.Integer);
        break;
      case IITDescriptor::AK_AnyFloat:
        Chosen.try_emplace(D.getArgumentNumber(), C.Floating);
        break;
      case IITDescriptor::AK_AnyVector:
        Chosen.try_emplace(D.getArgumentNumber(), C.Vector);
        break;
      case IITDescriptor::AK_AnyPointer:
        Chosen.try_emplace(D.getArgumentNumber(), C.Pointer);
        break;
      case IITDescriptor::AK_MatchType:
        break;
      }
      break;
    case IITDescriptor::VecOfAnyPtrsToElt:
      Chosen[D.getOverloadArgNumber()] = C.Pointers;
      break;
    case IITDescriptor::HalfVecArgument:
    case IITDescriptor::VecElementArgument:
    case IITDescriptor::Subdivide2Argument:
    case IITDescriptor::Subdivide4Argument:
    case IITDescriptor::VecOfBitcastsToInt:
      Vectors.insert(D.getArgumentNumber());
      break;
    default:
      break;
    }
  }
  for (unsigned Index : Vectors)
    if (!Chosen.count(Index) || !Chosen[Index]->isVectorTy())
      return std::nullopt;
  std::vector<llvm::Type *> Result;
  for (const auto &[Index, Type] : Chosen) {
    if (Index != Result.size())
      return std::nullopt;
    Result.push_back(Type);
  }
  return Result;
}

/// Adds the function "walk.N", which hands its parameters to the intrinsic function \p Id and the result to "sink".
/// False when there is no such function that LLVM takes for valid.
bool addExample(llvm::Module &M, ID Id, llvm::ArrayRef<llvm::Type *> Overloads) {
  llvm::LLVMContext &Context = M.getContext();
  llvm::FunctionType *Type = llvm::Intrinsic::getType(Context, Id, Overloads);
  llvm::SmallVector<IITDescriptor, 8> Parts;
  llvm::Intrinsic::getIntrinsicInfoTableEntries(Id, Parts);
  llvm::ArrayRef<IITDescriptor> Rest = Parts;
  llvm::SmallVector<llvm::Type *, 4> Matched;
  if (llvm::Intrinsic::matchIntrinsicSignature(Type, Rest, Matched) != llvm::Intrinsic::MatchIntrinsicTypes_Match)
    return false;
  llvm::Function *Callee = llvm::Intrinsic::getDeclaration(&M, Id, Overloads);
  llvm::SmallVector<llvm::Type *, 8> Parameters;
  for (llvm::Type *T : Type->params()) {
    if (T->isTokenTy())
      return false;
    if (!T->isMetadataTy())
      Parameters.push_back(T);
  }
  auto *Function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(Context), Parameters, false),
                                          llvm::GlobalValue::ExternalLinkage, "walk." + llvm::Twine(Id), M);
  llvm::IRBuilder<> Builder(llvm::BasicBlock::Create(Context, "", Function));
  llvm::SmallVector<llvm::Value *, 8> Arguments;
  unsigned Next = 0;
  for (unsigned I = 0; I < Type->getNumParams(); ++I) {
    llvm::Type *T = Type->getParamType(I);
    if (T->isMetadataTy())
      Arguments.push_back(llvm::MetadataAsValue::get(Context, llvm::MDNode::get(Context, {})));
    else if (llvm::Argument *A = Function->getArg(Next++); Callee->hasParamAttribute(I, llvm::Attribute::ImmArg))
      Arguments.push_back(llvm::Constant::getNullValue(A->getType()));
    else
      Arguments.push_back(A);
  }
  llvm::CallInst *Call = Builder.CreateCall(Callee, Arguments);
  if (!Type->getReturnType()->isVoidTy()) {
    auto *Sink = llvm::FunctionType::get(llvm::Type::getVoidTy(Context), {Type->getReturnType()}, false);
    auto *Taker = llvm::Function::Create(Sink, llvm::GlobalValue::ExternalLinkage, "sink", M);
    Builder.CreateCall(Sink, Taker, {Call});
  }
  Builder.CreateRetVoid();
  return true;
}

/// How many are modelled, and open.
struct Split {
  unsigned Modelled = 0, Computed = 0, Open = 0;
};

/// Whether memory at \p Address, or at an address made of it, is read, and that goes to \p Result or to memory.
bool isRead(const Flow &F, const ir::Function &Code, ir::Node Address, ir::Node Result) {
  return llvm::any_of(Code.Constraints, [&](const ir::Constraint &C) {
    bool Goes = Result != ir::NoNode ? F.reaches(C.To, Result) : F.has(Kind::FillMemory, C.To, ir::NoNode);
    return C.Is == Kind::Load && F.reaches(Address, C.From) && Goes;
  });
}

/// What is wrong with the constraints of the example of \p Id, or nothing.
std::string faultOf(ID Id, const Flow &F, const ir::Function &Code, const llvm::Function &Example, Split &Count) {
  ir::Node Result = ir::NoNode;
  for (const ir::Call &C : Code.Calls)
    Result = C.Arguments.front();
  std::optional<Effect> E = effectOf(Id);
  if (E) {
    ++Count.Modelled;
    switch (*E) {
    case Effect::Nothing:
      return Result == ir::NoNode ? "" : "it has a result";
    case Effect::Number:
      return F.isNumber(Result) ? "" : "its result is no number";
    case Effect::First:
      return F.reaches(0, Result) ? "" : "its result is not its argument";
    case Effect::Copies:
      return F.has(Kind::CopyMemory, 1, 0) ? "" : "it does not copy";
    case Effect::Fills:
      return F.has(Kind::FillMemory, 1, 0) ? "" : "it does not fill";
    case Effect::List:
      return F.has(Kind::FillMemory, ir::NoNode, 0) && F.has(Kind::Variadic, ir::NoNode, ir::NoNode)
                 ? ""
                 : "it makes no list";
    }
  }
  bool Opens = Result == ir::NoNode ? !Code.Constraints.empty() : F.isAnything(Result);
  if (Result != ir::NoNode && !Opens && !F.isNumber(Result) && Code.Parameters == 0)
    return "its result is nothing";
  for (const llvm::Argument &A : Example.args()) {
    if (A.use_empty())
      continue;
    ir::Node N = A.getArgNo();
    bool Kept = (Result != ir::NoNode && F.reaches(N, Result)) || F.has(Kind::FillMemory, N, ir::NoNode) ||
                isRead(F, Code, N, Result);
    if (!Kept && !F.escapes(N))
      return "parameter " + std::to_string(N) + " goes nowhere";
    Opens |= !Kept;
  }
  ++(Opens ? Count.Open : Count.Computed);
  return "";
}

/// The module with an example of every intrinsic function, by what may be overloaded; how many have none.
std::unique_ptr<llvm::Module> examples(llvm::LLVMContext &Context, std::vector<ID> &Missing) {
  auto M = std::make_unique<llvm::Module>("walk", Context);
  llvm::Type *I32 = llvm::Type::getInt32Ty(Context), *I64 = llvm::Type::getInt64Ty(Context);
  llvm::Type *Double = llvm::Type::getDoubleTy(Context), *Pointer = llvm::PointerType::get(Context, 0);
  auto Four = [](llvm::Type *T) -> llvm::Type * { return llvm::FixedVectorType::get(T, 4); };
  const Choice Choices[] = {
      {Pointer, I64, Double, Four(I32), Pointer, Four(Pointer)},
      {I64, I32, Double, Four(Double), Pointer, Four(Pointer)},
      {Double, I32, Double, Four(I64), Pointer, Four(Pointer)},
      {Four(I32), Four(I32), Four(Double), Four(I32), Pointer, Four(Pointer)},
      {Four(Double), Four(I32), Four(Double), Four(Double), Pointer, Four(Pointer)},
  };
  for (ID Id = 1; Id < llvm::Intrinsic::num_intrinsics; ++Id) {
    bool Done = false;
    for (const Choice &C : Choices) {
      std::optional<std::vector<llvm::Type *>> Types = overloads(Id, C);
      if (Types && (Done = addExample(*M, Id, *Types)))
        break;
    }
    if (!Done)
      Missing.push_back(Id);
  }
  return M;
}

/// Tokens come from other intrinsic functions alone, so that no example can be given one.
bool takesTokens(ID Id) {
  llvm::SmallVector<IITDescriptor, 8> Parts;
  llvm::Intrinsic::getIntrinsicInfoTableEntries(Id, Parts);
  return llvm::any_of(Parts, [](const IITDescriptor &D) { return D.Kind == IITDescriptor::Token; });
}

TEST(Walk, EveryIntrinsicFunctionIsModelledOrOpens) {
  LoweredUnit Lowered;
  Lowered.Context = std::make_unique<llvm::LLVMContext>();
  std::vector<ID> Missing;
  Lowered.Module = examples(*Lowered.Context, Missing);
  ir::Unit U = ir::extract(Lowered);
  Split Count;
  for (const ir::Function &F : U.Functions) {
    llvm::StringRef Name = U.Symbols[F.Symbol].Name;
    ID Id = 0;
    ASSERT_TRUE(Name.consume_front("walk.") && !Name.getAsInteger(10, Id)) << Name.str();
    const llvm::Function &Example = *Lowered.Module->getFunction(U.Symbols[F.Symbol].Name);
    EXPECT_EQ(faultOf(Id, Flow(U, F), F, Example, Count), "") << llvm::Intrinsic::getBaseName(Id).str();
  }
  EXPECT_EQ(U.Functions.size() + Missing.size() + 1, size_t(llvm::Intrinsic::num_intrinsics));
  for (ID Id : Missing)
    EXPECT_TRUE(takesTokens(Id)) << "no example of " << llvm::Intrinsic::getBaseName(Id).str();
  EXPECT_GT(Count.Computed, Count.Modelled);
  EXPECT_GT(Count.Open, Count.Modelled);
  RecordProperty("Modelled", static_cast<int>(Count.Modelled));
  RecordProperty("Computed", static_cast<int>(Count.Computed));
  RecordProperty("Open", static_cast<int>(Count.Open));
  RecordProperty("WithoutExample", static_cast<int>(Missing.size()));
}

TEST(Walk, IntrinsicFunctionsThatAreLeftOutAreSeen) {
  LoweredUnit Lowered;
  Lowered.Context = std::make_unique<llvm::LLVMContext>();
  std::vector<ID> Missing;
  Lowered.Module = examples(*Lowered.Context, Missing);
  ir::Unit U = ir::extract(Lowered);
  for (ir::Function &F : U.Functions) {
    ID Id = 0;
    llvm::StringRef Name = U.Symbols[F.Symbol].Name;
    ASSERT_TRUE(Name.consume_front("walk.") && !Name.getAsInteger(10, Id));
    if (F.Constraints.empty() || effectOf(Id) == Effect::Nothing)
      continue;
    const llvm::Function &Example = *Lowered.Module->getFunction(U.Symbols[F.Symbol].Name);
    bool Used = llvm::any_of(Example.args(), [](const llvm::Argument &A) { return !A.use_empty(); });
    F.Constraints.clear();
    Split Count;
    if (Used)
      EXPECT_NE(faultOf(Id, Flow(U, F), F, Example, Count), "") << llvm::Intrinsic::getBaseName(Id).str();
  }
}

} // namespace
