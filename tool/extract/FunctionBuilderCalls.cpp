// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, of LLVM's intrinsic functions too.

#include "extract/FunctionBuilder.h"
#include "lower/Containers.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace mpishm;
using namespace mpishm::ir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using Kind = Constraint::Kind;

/// The linker knows which function such an alias is: this unit's, or one that replaces it.
static bool isAliasOfFunction(const llvm::Value &V) {
  const auto *Alias = dyn_cast<llvm::GlobalAlias>(&V);
  return Alias && llvm::isa_and_nonnull<llvm::Function, llvm::GlobalIFunc>(Alias->getAliaseeObject());
}

/// An argument. What a function takes as a list of variadic arguments holds records themselves, not their addresses.
Node FunctionBuilder::argument(const llvm::CallBase &I, unsigned Index) {
  Node Given = node(I.getArgOperand(Index));
  if (Index < I.getFunctionType()->getNumParams() || !I.isByValArgument(Index))
    return Given;
  llvm::Type *Record = I.getParamByValType(Index);
  Node Content = newNode(Record);
  add(Kind::Load, Content, Given, Layout.getTypeStoreSize(Record));
  return Content;
}

/// What \p Address is so many bytes from, as far as these are known.
static std::pair<const llvm::Value *, int64_t> baseOf(const llvm::Value *Address, const llvm::DataLayout &Layout) {
  if (!Address->getType()->isPointerTy())
    return {Address, 0};
  int64_t Offset = 0;
  Address = llvm::GetPointerBaseWithConstantOffset(Address, Offset, Layout);
  return {Address, Offset};
}

/// How \p I finds its function, if that is by way of an argument. A value of the IR is the same wherever it is used in
/// one call, so that the object that led to the function is the one that the function gets.
VirtualCall FunctionBuilder::virtualCall(const llvm::CallBase &I) {
  constexpr unsigned Longest = 3; // a table in an object, and one step more
  VirtualCall Result;
  const llvm::Value *Found = I.getCalledOperand();
  for (unsigned Steps = 0; Steps < Longest; ++Steps) {
    const auto *Load = dyn_cast<llvm::LoadInst>(Found);
    if (!Load)
      return {};
    auto [From, Offset] = baseOf(Load->getPointerOperand(), Layout);
    Result.Way.insert(Result.Way.begin(), {Offset, accessOf(*Load)});
    Result.Loaded.insert(Result.Loaded.begin(), node(Load));
    for (unsigned A = 0; A < I.arg_size(); ++A)
      if (auto [Base, Further] = baseOf(I.getArgOperand(A), Layout); Base == From && !I.isByValArgument(A)) {
        Result.Receiver = A;
        Result.Way.front().first -= Further;
        return isa<llvm::Constant>(Base) ? VirtualCall() : Result;
      }
    Found = From;
  }
  return {};
}

/// The values that \p Chosen may be, where one is a call's place of its own for a function of MPI (lower/Marks.h): its
/// address goes nowhere else, so that each is called here. Else \p Chosen alone.
static llvm::SmallVector<const llvm::Value *, 2> calleesOf(const llvm::Value &Chosen) {
  llvm::SmallVector<const llvm::Value *, 2> Result;
  llvm::SmallVector<const llvm::Value *, 4> Next = {&Chosen};
  llvm::SmallPtrSet<const llvm::Value *, 4> Seen;
  bool HasSite = false;
  while (!Next.empty()) {
    const llvm::Value *V = Next.pop_back_val()->stripPointerCasts();
    if (!Seen.insert(V).second)
      continue;
    if (const auto *Phi = dyn_cast<llvm::PHINode>(V)) {
      Next.append(Phi->op_begin(), Phi->op_end());
    } else if (const auto *Select = dyn_cast<llvm::SelectInst>(V)) {
      Next.append({Select->getTrueValue(), Select->getFalseValue()});
    } else {
      HasSite |= isa<llvm::Function>(V) && siteOfSymbol(V->getName());
      Result.push_back(V);
    }
  }
  if (!HasSite)
    Result.assign({&Chosen});
  return Result;
}

void FunctionBuilder::call(const llvm::CallBase &I) {
  const llvm::Value *Callee = I.getCalledOperand()->stripPointerCasts();
  if (isa<llvm::InlineAsm>(Callee))
    return assembly(I);
  if (const auto *Intrinsic = dyn_cast<llvm::IntrinsicInst>(&I)) {
    if (!intrinsic(*Intrinsic))
      unmodelled(I, ("the intrinsic function '" + Intrinsic->getCalledFunction()->getName() + "'").str());
    return;
  }
  if (const auto *Named = dyn_cast<llvm::Function>(Callee); Named && Named->getName() == HeadMark)
    return add(Kind::Head, node(&I), node(I.getArgOperand(0)),
               cast<llvm::ConstantInt>(I.getArgOperand(1))->getZExtValue()),
           void();
  Call C;
  C.Where = Here;
  for (unsigned A = 0; A < I.arg_size(); ++A)
    C.Arguments.push_back(argument(I, A));
  const auto AlignedHere = Aligned.find(&I);
  if (AlignedHere != Aligned.end())
    C.Result = newNode(I.getType());
  else if (!I.getType()->isVoidTy())
    C.Result = node(&I);
  const Node Made = C.Result;
  for (unsigned B = 0; B < I.getNumOperandBundles(); ++B)
    for (const llvm::Use &V : I.getOperandBundleAt(B).Inputs)
      escape(V, "goes to a call in a way that is not followed");
  for (const llvm::Value *Each : calleesOf(*Callee))
    callOne(I, *Each, C);
  if (AlignedHere != Aligned.end())
    align(AlignedHere->second, Made);
}

/// \p In is in what the last call returns, which is \p Made.
void FunctionBuilder::align(const AlignedAddress &In, Node Made) {
  const int64_t Number = F.Calls.size() - 1;
  add(Kind::Aligned, node(In.Made), Made, Number, 0);
  for (const llvm::Instruction *Address : In.Addresses) {
    add(Kind::Aligned, node(Address), Made, Number, 1);
    for (const llvm::Value *By : In.By)
      if (isa<llvm::IntToPtrInst>(Address))
        add(Kind::MovedBy, node(Address), node(By));
      else
        add(Kind::Derive, node(Address), node(By), WideIndex);
  }
}

/// \p I calls \p Callee, or may do so; \p C is what is known beside that.
void FunctionBuilder::callOne(const llvm::CallBase &I, const llvm::Value &Callee, Call C) {
  if (isa<llvm::Function, llvm::GlobalIFunc>(Callee) || isAliasOfFunction(Callee)) {
    const auto &Direct = cast<llvm::GlobalValue>(Callee);
    C.Callee = Unit.symbol(Direct);
    C.Site = siteOfSymbol(Direct.getName());
  } else if (&Callee == I.getCalledOperand()->stripPointerCasts()) {
    C.Pointer = node(I.getCalledOperand());
    C.Virtual = virtualCall(I);
  } else {
    C.Pointer = node(&Callee);
  }
  F.Calls.push_back(std::move(C));
  add(Kind::Call, NoNode, NoNode, F.Calls.size() - 1);
}

static int64_t lengthOf(const llvm::Value *V) {
  const auto *Length = dyn_cast<llvm::ConstantInt>(V);
  return Length ? Length->getSExtValue() : Unknown;
}

/// A copy or a fill.
void FunctionBuilder::writeMemory(Kind Is, const llvm::IntrinsicInst &I) {
  const llvm::Value *Length = I.getArgOperand(2);
  Node To = node(I.getArgOperand(0)), From = node(I.getArgOperand(1));
  Node Count = isa<llvm::ConstantInt>(Length) ? NoNode : node(Length);
  add(Is, To, From, lengthOf(Length)).Second = Count;
}

/// Copies, fills, and lists of variadic arguments. False when \p I is none of these.
bool FunctionBuilder::memoryIntrinsic(const llvm::IntrinsicInst &I) {
  auto Argument = [&](unsigned Index) { return node(I.getArgOperand(Index)); };
  switch (I.getIntrinsicID()) {
  case llvm::Intrinsic::memcpy:
  case llvm::Intrinsic::memcpy_inline:
  case llvm::Intrinsic::memmove:
    writeMemory(Kind::CopyMemory, I);
    return true;
  case llvm::Intrinsic::memset:
  case llvm::Intrinsic::memset_inline:
    writeMemory(Kind::FillMemory, I);
    return true;
  case llvm::Intrinsic::vastart: {
    Node List = newNode(I.getArgOperand(0)->getType());
    add(Kind::Variadic, List);
    anyNumber(List); // beside the list's address, how far it was read
    add(Kind::FillMemory, Argument(0), List, Unknown);
    return true;
  }
  case llvm::Intrinsic::vacopy:
    add(Kind::CopyMemory, Argument(0), Argument(1), Unknown);
    return true;
  default:
    return false;
  }
}

void FunctionBuilder::overflowing(const llvm::WithOverflowInst &I) {
  Node To = node(&I), First = node(I.getLHS()), Second = node(I.getRHS());
  Operation Op = I.getBinaryOp() == llvm::Instruction::Add   ? Operation::Add
                 : I.getBinaryOp() == llvm::Instruction::Sub ? Operation::Sub
                                                             : Operation::Mul;
  if (!I.getLHS()->getType()->isIntegerTy() || I.getLHS()->getType()->getIntegerBitWidth() > 64)
    return madeOf(I, To);
  add(Kind::Binary, To, First, static_cast<int64_t>(Op) + MayWrap, I.getLHS()->getType()->getIntegerBitWidth()).Second =
      Second;
  truth(To);
}

/// Whether a \p T has an address.
static bool hasAddress(const llvm::Type *T) {
  return T->isPtrOrPtrVectorTy() || llvm::any_of(T->subtypes(), hasAddress);
}

/// Intrinsic functions that only compute: neither take nor give addresses, nor touch anything but their operands. False
/// when \p I is none of these.
bool FunctionBuilder::computes(const llvm::IntrinsicInst &I) {
  bool Alone = I.doesNotAccessMemory() || isa<llvm::ConstrainedFPIntrinsic>(I);
  auto HasAddress = [](const llvm::Use &V) { return hasAddress(V->getType()); };
  if (!Alone || hasAddress(I.getType()) || llvm::any_of(I.args(), HasAddress))
    return false;
  if (!I.getType()->isVoidTy())
    madeOf(I, node(&I));
  return true;
}

/// Whether \p I is an instruction that reads or writes memory as a load or store does, of a vector or of parts of one.
/// What LLVM knows nothing of but that it is an instruction of a processor may set more than memory.
static bool isAccess(const llvm::IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case llvm::Intrinsic::masked_load:
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::masked_gather:
  case llvm::Intrinsic::masked_scatter:
  case llvm::Intrinsic::masked_expandload:
  case llvm::Intrinsic::masked_compressstore:
  case llvm::Intrinsic::x86_sse2_maskmov_dqu: // it has a hint for the caches
  case llvm::Intrinsic::x86_mmx_maskmovq:
    return true;
  default:
    break;
  }
  const llvm::Function &Callee = *I.getCalledFunction();
  if (!Callee.isTargetIntrinsic() || I.doesNotAccessMemory())
    return false;
  return I.onlyReadsMemory() || I.onlyAccessesArgMemory() ||
         Callee.getName().starts_with("llvm.x86.avx512.mask.scatter");
}

/// Instructions that read or write memory where their operands say, which for a gather may be numbers beside a null
/// pointer. None keeps an address. False when \p I is none of these, or gives an address.
bool FunctionBuilder::accesses(const llvm::IntrinsicInst &I) {
  auto HasAddress = [](const llvm::Value *V) { return hasAddress(V->getType()); };
  if (!isAccess(I) || HasAddress(&I) || llvm::none_of(I.args(), HasAddress))
    return false;
  llvm::Type *Word = llvm::Type::getInt64Ty(I.getContext());
  Node Place = newNode(llvm::PointerType::getUnqual(I.getContext())), Read = newNode(Word), Moved = newNode(Word);
  anyNumber(Moved);
  for (const llvm::Value *V : I.args()) {
    add(Kind::Derive, Place, node(V), HasAddress(V) ? Bits : WideIndex);
    if (!HasAddress(V))
      add(Kind::Derive, Moved, node(V));
  }
  add(Kind::Load, Read, Place, Layout.getTypeStoreSize(Word));
  add(Kind::Derive, Moved, Read);
  if (!I.onlyReadsMemory())
    add(Kind::FillMemory, Place, Moved, Unknown);
  if (!I.getType()->isVoidTy())
    add(Kind::Copy, node(&I), Moved);
  return true;
}

/// False when \p I is not modelled.
bool FunctionBuilder::intrinsic(const llvm::IntrinsicInst &I) {
  if (memoryIntrinsic(I))
    return true;
  if (const auto *Checked = dyn_cast<llvm::WithOverflowInst>(&I)) {
    overflowing(*Checked);
    return true;
  }
  switch (I.getIntrinsicID()) {
  case llvm::Intrinsic::dbg_declare:
  case llvm::Intrinsic::dbg_value:
  case llvm::Intrinsic::dbg_assign:
  case llvm::Intrinsic::dbg_label:
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::invariant_end:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
  case llvm::Intrinsic::trap:
  case llvm::Intrinsic::debugtrap:
  case llvm::Intrinsic::ubsantrap:
  case llvm::Intrinsic::sideeffect:
  case llvm::Intrinsic::pseudoprobe:
  case llvm::Intrinsic::prefetch:
  case llvm::Intrinsic::stackrestore:
  case llvm::Intrinsic::var_annotation:
  case llvm::Intrinsic::donothing:
  case llvm::Intrinsic::vaend:
  case llvm::Intrinsic::x86_sse2_clflush:
  case llvm::Intrinsic::x86_clflushopt:
  case llvm::Intrinsic::x86_clwb:
  case llvm::Intrinsic::x86_cldemote:
    return true;
  case llvm::Intrinsic::eh_typeid_for:
  case llvm::Intrinsic::objectsize:
  case llvm::Intrinsic::invariant_start:
  case llvm::Intrinsic::stacksave:
  case llvm::Intrinsic::readcyclecounter:
  case llvm::Intrinsic::readsteadycounter:
  case llvm::Intrinsic::get_rounding:
  case llvm::Intrinsic::x86_rdtsc:
  case llvm::Intrinsic::x86_rdpmc:
    anyNumber(node(&I));
    return true;
  case llvm::Intrinsic::is_constant:
    truth(node(&I));
    return true;
  case llvm::Intrinsic::expect:
  case llvm::Intrinsic::expect_with_probability:
  case llvm::Intrinsic::launder_invariant_group:
  case llvm::Intrinsic::strip_invariant_group:
  case llvm::Intrinsic::annotation:
  case llvm::Intrinsic::ptr_annotation:
  case llvm::Intrinsic::threadlocal_address:
  case llvm::Intrinsic::ssa_copy:
  case llvm::Intrinsic::arithmetic_fence:
    copy(I.getArgOperand(0), node(&I));
    return true;
  case llvm::Intrinsic::ptrmask:
    madeOf(I, node(&I));
    return true;
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::umin:
    copy(I.getArgOperand(0), node(&I));
    copy(I.getArgOperand(1), node(&I));
    return true;
  default:
    return computes(I) || accesses(I);
  }
}
