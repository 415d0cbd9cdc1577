// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly code in functions: that which is followed, and all other.

#include "extract/FunctionBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"

using namespace mpishm;
using namespace mpishm::ir;
using llvm::cast;
using llvm::InlineAsm;
using Kind = Constraint::Kind;

namespace {

/// An operand that the code may write.
struct Output {
  const llvm::Value *Address = nullptr; ///< if it is in memory
  llvm::Type *Type = nullptr;
  const llvm::Value *Same = nullptr; ///< what stands in the same place before
  llvm::SmallVector<std::string, 4> Codes;
};

} // namespace

/// The words of \p Code.
static llvm::SmallVector<llvm::StringRef, 8> wordsOf(llvm::StringRef Code) {
  llvm::SmallVector<llvm::StringRef, 8> Words;
  llvm::SplitString(Code, Words, " \t\n;");
  return Words;
}

/// Whether \p Code asks the processor as Clang's <cpuid.h> does, which keeps a register that others may need: its
/// second answer is in an operand.
static bool asksKeepingRegister(llvm::StringRef Code) {
  static constexpr llvm::StringLiteral Known[] = {"xchgq", "%rbx,${1:q}", "cpuid", "xchgq", "%rbx,${1:q}"};
  return llvm::equal(wordsOf(Code), Known);
}

/// Whether all that \p Code does is to ask a clock or the processor, to wait and to do nothing. So it names nothing of
/// the program's: a function that has the name of an instruction is not meant.
static bool onlyAsks(llvm::StringRef Code) {
  static const llvm::StringSet<> Known{"rdtsc", "rdtscp", "cpuid", "lfence", "mfence", "sfence", "pause", "rep", "nop"};
  return llvm::all_of(wordsOf(Code), [](llvm::StringRef W) { return Known.contains(W); }) || asksKeepingRegister(Code);
}

/// Whether the instructions of onlyAsks() write the register that \p Code stands for.
static bool isOfAnswers(llvm::StringRef Code) {
  return Code == "{ax}" || Code == "{bx}" || Code == "{cx}" || Code == "{dx}" || Code == "A";
}

/// What stands in the place of \p Out before, an output whose address is \p Address, if it has one; null when nothing
/// is put there, and nothing when this is not understood. \p Given are the arguments, by the operands.
static std::optional<const llvm::Value *> sameAs(const InlineAsm::ConstraintInfo &Out, const llvm::Value *Address,
                                                 const InlineAsm::ConstraintInfoVector &Operands,
                                                 llvm::ArrayRef<const llvm::Value *> Given) {
  llvm::SmallVector<int, 2> Inputs{Out.MatchingInput};
  for (const InlineAsm::SubConstraintInfo &Other : Out.multipleAlternatives)
    Inputs.push_back(Other.MatchingInput);
  const llvm::Value *Same = nullptr;
  for (int Input : Inputs) {
    if (Input < 0)
      continue;
    if ((Same && Same != Given[Input]) || (Operands[Input].isIndirect && Given[Input] != Address))
      return std::nullopt;
    Same = Given[Input];
  }
  return Same;
}

/// What \p I may write; nothing when its operands are not understood.
static std::optional<llvm::SmallVector<Output, 4>> outputsOf(const llvm::CallBase &I) {
  const InlineAsm::ConstraintInfoVector Operands = cast<InlineAsm>(I.getCalledOperand())->ParseConstraints();
  llvm::SmallVector<const llvm::Value *, 8> Given(Operands.size(), nullptr);
  llvm::SmallVector<unsigned, 8> Arguments(Operands.size(), 0);
  unsigned Next = 0, Returned = 0;
  for (size_t N = 0; N < Operands.size(); ++N)
    if (Operands[N].Type == InlineAsm::isInput || (Operands[N].Type == InlineAsm::isOutput && Operands[N].isIndirect)) {
      Arguments[N] = Next++;
      Given[N] = I.getArgOperand(Arguments[N]);
    }
  const auto *Several = llvm::dyn_cast<llvm::StructType>(I.getType());
  llvm::SmallVector<Output, 4> Result;
  for (size_t N = 0; N < Operands.size(); ++N) {
    const InlineAsm::ConstraintInfo &Each = Operands[N];
    if (Each.Type != InlineAsm::isOutput)
      continue;
    std::optional<const llvm::Value *> Same = sameAs(Each, Given[N], Operands, Given);
    if (!Same)
      return std::nullopt;
    Output O{Given[N], I.getType(), *Same, {}};
    if (Each.isIndirect)
      O.Type = I.getParamElementType(Arguments[N]);
    else if (Several)
      O.Type = Several->getElementType(Returned++);
    O.Codes.assign(Each.Codes.begin(), Each.Codes.end());
    for (const InlineAsm::SubConstraintInfo &Other : Each.multipleAlternatives)
      O.Codes.append(Other.Codes.begin(), Other.Codes.end());
    Result.push_back(std::move(O));
  }
  return Result;
}

/// Whether \p O has afterwards what it had before, or is not known to.
static bool keepsValue(const Output &O) {
  if (O.Same)
    return O.Same == O.Address || O.Same->getType() == O.Type;
  return O.Address && llvm::all_of(O.Codes, [](llvm::StringRef Code) { return Code == "m"; });
}

/// Code that leaves its operands as they are, as what hides values from the compiler does, and code that asks a clock
/// or the processor. False for other code.
bool FunctionBuilder::knownAssembly(const llvm::CallBase &I) {
  llvm::StringRef Code = cast<InlineAsm>(I.getCalledOperand())->getAsmString();
  const bool Asks = !Code.trim().empty(), InOperand = asksKeepingRegister(Code);
  std::optional<llvm::SmallVector<Output, 4>> Outputs;
  if (!onlyAsks(Code) || !(Outputs = outputsOf(I)))
    return false;
  auto IsAnswer = [&](const Output &O) {
    return Asks && !O.Address &&
           llvm::all_of(O.Codes, [&](llvm::StringRef C) { return isOfAnswers(C) || (InOperand && C == "r"); });
  };
  if (!llvm::all_of(*Outputs, [&](const Output &O) { return keepsValue(O) || IsAnswer(O); }))
    return false;
  for (const Output &O : *Outputs) {
    if (O.Address && O.Same && O.Same != O.Address)
      add(Kind::Store, node(O.Address), node(O.Same), Layout.getTypeStoreSize(O.Type));
    else if (!O.Address && O.Same)
      copy(O.Same, node(&I));
    if (Asks && !O.Address)
      anyNumber(node(&I));
  }
  return true;
}

void FunctionBuilder::assembly(const llvm::CallBase &I) {
  llvm::StringRef Code = cast<InlineAsm>(I.getCalledOperand())->getAsmString();
  if (!onlyAsks(Code))
    Unit.assembly(Code);
  if (I.arg_empty() && I.getType()->isVoidTy())
    return; // what it might write is memory that escapes
  if (!knownAssembly(I))
    unmodelled(I, "assembly code");
}
