// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that are no calls, and constants.

#include "extract/FunctionBuilder.h"
#include "extract/MemberPointers.h"
#include "extract/Parts.h"
#include "extract/Rounding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include <numeric>
#include <set>

using namespace mpishm;
using namespace mpishm::ir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using Kind = Constraint::Kind;

void FunctionBuilder::build(llvm::Function &Body, llvm::ScalarEvolution &Ranges) {
  Counts = &Ranges;
  F.Symbol = Unit.symbol(Body);
  F.Parameters = Body.arg_size();
  F.IsVariadic = Body.isVarArg();
  for (const llvm::Argument &A : Body.args())
    Nodes[&A] = newNode(A.getType());
  F.Result = newNode(Body.getReturnType());
  for (AlignedAddress &Each : alignedIn(Body)) {
    AlignedPlaces.insert(Each.Addresses.begin(), Each.Addresses.end());
    Aligned[Each.Made] = std::move(Each);
  }
  for (const llvm::Instruction &I : llvm::instructions(Body)) {
    Here = Unit.line(I.getDebugLoc().get());
    instruction(I);
  }
}

Node FunctionBuilder::newNode(const llvm::Type *Type) {
  F.IsPointer.push_back(Type->isPointerTy());
  F.IsFloating.push_back(Type->isFloatingPointTy());
  return F.Nodes++;
}

Node FunctionBuilder::node(const llvm::Value *V) {
  auto [It, New] = Nodes.try_emplace(V, 0);
  if (!New)
    return It->second;
  Node Result = It->second = newNode(V->getType());
  if (const auto *C = dyn_cast<llvm::Constant>(V))
    constant(C, Result);
  return Result;
}

Constraint &FunctionBuilder::add(Kind K, Node To, Node From, int64_t A, int64_t B, int64_t C) {
  F.Constraints.push_back({K, To, From, NoNode, A, B, C, Here, 0});
  return F.Constraints.back();
}

/// An i1: by its sign, true is -1.
void FunctionBuilder::truth(Node To) {
  number(To, 0);
  number(To, -1);
}

/// The result of a computation that is not followed: some number, and what is left of the operands in it.
void FunctionBuilder::madeOf(const llvm::User &Operands, Node To) {
  anyNumber(To);
  for (const llvm::Value *V : Operands.operands())
    if (!isa<llvm::MetadataAsValue, llvm::Function, llvm::InlineAsm>(V))
      add(Kind::Derive, To, node(V));
}

void FunctionBuilder::escape(const llvm::Value *V, llvm::StringRef Why) {
  if (!isa<llvm::MetadataAsValue, llvm::BasicBlock, llvm::InlineAsm>(V))
    add(Kind::Escape, NoNode, node(V)).Text = Unit.text(Why);
}

/// Floating-point numbers are not followed: what is made of one again is any number.
void FunctionBuilder::becomeNumber(const llvm::Value *V, llvm::StringRef How, bool OnlyWhole) {
  add(Kind::BecomeNumber, NoNode, node(V), OnlyWhole).Text = Unit.text(How);
}

/// The one place for what is not known: anything may come out, and all that goes in may go anywhere.
void FunctionBuilder::unmodelled(const llvm::Instruction &I, llvm::StringRef What) {
  for (const llvm::Value *V : I.operands())
    escape(V, ("goes to " + What + ", which is not followed").str());
  if (!I.getType()->isVoidTy())
    add(Kind::Anything, node(&I)).Text = Unit.text(("comes from " + What).str());
}

/// Whether what is linked with this may give \p Alias another meaning.
static bool isReplaceable(const llvm::GlobalAlias &Alias) {
  return llvm::GlobalValue::isInterposableLinkage(Alias.getLinkage()) &&
         isa_and_nonnull<llvm::Function>(Alias.getAliaseeObject());
}

/// A table of numbers, of which the single ones are not kept apart, but those that are too large to be counts: they may
/// be handles of MPI.
void FunctionBuilder::numbers(const llvm::ConstantDataSequential &Data, Node To) {
  constexpr int64_t Small = 1 << 16;
  constexpr size_t Most = 4096;
  anyNumber(To);
  if (!Data.getElementType()->isIntegerTy() || Data.getElementByteSize() < 4)
    return;
  std::set<int64_t> Large;
  for (unsigned I = 0; I < Data.getNumElements() && Large.size() <= Most; ++I)
    if (int64_t Value = Data.getElementAsAPInt(I).getSExtValue(); Value <= -Small || Value >= Small)
      Large.insert(Value);
  for (int64_t Value : Large)
    number(To, Value);
  if (Large.size() > Most)
    add(Kind::Anything, To).Text = Unit.text("is in a table of numbers that is too long to be followed");
}

void FunctionBuilder::constant(const llvm::Constant *C, Node To) {
  if (const auto *Alias = dyn_cast<llvm::GlobalAlias>(C); Alias && !isReplaceable(*Alias))
    copy(Alias->getAliasee(), To);
  else if (isa<llvm::GlobalVariable, llvm::Function, llvm::GlobalIFunc, llvm::GlobalAlias>(C))
    add(Kind::GlobalAddress, To, NoNode, F.Names[To] = Unit.symbol(*cast<llvm::GlobalValue>(C)));
  else if (const auto *Integer = dyn_cast<llvm::ConstantInt>(C); Integer && Integer->getBitWidth() <= 64)
    number(To, F.Literals[To] = Integer->getSExtValue());
  else if (isa<llvm::UndefValue>(C))
    return; // correct programs do not use it
  else if (const auto *Data = dyn_cast<llvm::ConstantDataSequential>(C))
    numbers(*Data, To);
  else if (isa<llvm::ConstantInt, llvm::ConstantFP>(C) && !C->isNullValue())
    anyNumber(To);
  else if (C->isNullValue())
    number(To, F.Literals[To] = 0);
  else if (const auto *E = dyn_cast<llvm::ConstantExpr>(C))
    constantExpression(E, To);
  else if (isa<llvm::ConstantAggregate>(C))
    for (const llvm::Value *V : C->operands())
      copy(V, To);
  else if (isa<llvm::DSOLocalEquivalent, llvm::NoCFIValue>(C))
    copy(C->getOperand(0), To);
  else
    add(Kind::Anything, To).Text = Unit.text("is a constant of a kind that is not followed");
}

void FunctionBuilder::constantExpression(const llvm::ConstantExpr *E, Node To) {
  if (const auto *Number = dyn_cast<llvm::ConstantInt>(E->getOperand(0));
      Number && E->isCast() && Number->getBitWidth() == 64)
    address(*Number, To);
  else if (const auto *Address = dyn_cast<llvm::GEPOperator>(E))
    offset(*Address, To);
  else if (E->isCast())
    convert(E->getOpcode(), E->getOperand(0), E->getType(), To);
  else
    madeOf(*E, To);
}

/// A number as an address.
void FunctionBuilder::address(const llvm::ConstantInt &Number, Node To) {
  Node From = newNode(Number.getType());
  number(From, F.Literals[To] = Number.getSExtValue());
  add(Kind::ToAddress, To, From, Number.getBitWidth(), 64);
}

void FunctionBuilder::initialise(const llvm::GlobalVariable &G) { initialPart(G.getInitializer(), Unit.symbol(G), 0); }

void FunctionBuilder::initialPart(const llvm::Constant *C, uint32_t Symbol, int64_t Offset) {
  const llvm::Type *Type = C->getType();
  auto Part = [&](const llvm::Constant *Inner, int64_t Further) { initialPart(Inner, Symbol, Offset + Further); };
  const auto *Aggregate = dyn_cast<llvm::ConstantAggregate>(C);
  if (const auto *Struct = dyn_cast<llvm::StructType>(Type); Struct && Aggregate) {
    const llvm::StructLayout *Fields = Layout.getStructLayout(const_cast<llvm::StructType *>(Struct));
    for (unsigned I = 0; I < Aggregate->getNumOperands(); ++I)
      Part(Aggregate->getOperand(I), Fields->getElementOffset(I));
    return;
  }
  // Of long tables of numbers, texts among them, the single ones are not kept apart.
  const auto *Data = dyn_cast<llvm::ConstantDataSequential>(C);
  if (Aggregate || (Data && !Data->isString() && Data->getNumElements() <= 64)) {
    int64_t Stride = Layout.getTypeAllocSize(Type->getContainedType(0));
    unsigned Count = Aggregate ? Aggregate->getNumOperands() : Data->getNumElements();
    for (unsigned I = 0; I < Count; ++I)
      Part(C->getAggregateElement(I), I * Stride);
    return;
  }
  int64_t Size = Layout.getTypeStoreSize(C->getType());
  if (!Size)
    return;
  add(Kind::Initial, NoNode, node(C), Symbol, Offset, Size);
  // A std::string that needs no constructor begins so; later, others copy it as what holds its own text.
  llvm::APInt Distance(64, 0);
  const auto *Self = !Type->isPointerTy() ? nullptr
                                          : dyn_cast<llvm::GlobalVariable>(C->stripAndAccumulateConstantOffsets(
                                                Layout, Distance, /*AllowNonInbounds=*/true));
  if (Self && Unit.symbol(*Self) == Symbol && Distance.getSExtValue() == Offset + 16)
    add(Kind::OwnText, node(C));
}

/// Whether how many bytes some of \p I is of is known only when the program runs.
static bool isScalable(const llvm::Instruction &I) {
  auto Is = [](const llvm::Type *T) { return T->isScalableTy(); };
  const auto *Address = dyn_cast<llvm::GetElementPtrInst>(&I);
  return Is(I.getType()) || (Address && Is(Address->getSourceElementType())) ||
         llvm::any_of(I.operands(), [&](const llvm::Use &V) { return Is(V->getType()); });
}

void FunctionBuilder::instruction(const llvm::Instruction &I) {
  using llvm::Instruction;
  if (AlignedPlaces.contains(&I)) // see align()
    return;
  if (I.isBinaryOp() || I.mayReadOrWriteMemory() || isa<llvm::GetElementPtrInst>(I))
    if (isScalable(I) && !isa<llvm::CallBase>(I))
      return unmodelled(I, "a vector whose length is not known");
  switch (I.getOpcode()) {
  case Instruction::Ret:
    if (I.getNumOperands())
      copy(I.getOperand(0), F.Result);
    return;
  case Instruction::Br:
  case Instruction::Switch:
  case Instruction::IndirectBr:
  case Instruction::Unreachable:
  case Instruction::Fence:
    return;
  case Instruction::Invoke:
  case Instruction::Call:
  case Instruction::CallBr:
    return call(cast<llvm::CallBase>(I));
  case Instruction::Resume:
    add(Kind::Throw, NoNode, node(I.getOperand(0)));
    return;
  case Instruction::LandingPad:
    add(Kind::Catch, node(&I));
    return;
  case Instruction::Alloca:
    return variable(cast<llvm::AllocaInst>(I));
  case Instruction::Load:
    return load(cast<llvm::LoadInst>(I));
  case Instruction::Store:
    return store(cast<llvm::StoreInst>(I));
  case Instruction::AtomicRMW:
    return readModifyWrite(cast<llvm::AtomicRMWInst>(I));
  case Instruction::AtomicCmpXchg:
    return compareExchange(cast<llvm::AtomicCmpXchgInst>(I));
  case Instruction::GetElementPtr:
    if (const llvm::Value *Pointer = virtualMemberFunction(I)) {
      add(Kind::VirtualEntry, node(&I), node(I.getOperand(0))).Second = node(Pointer);
      return;
    }
    return offset(cast<llvm::GEPOperator>(I), node(&I));
  case Instruction::PHI:
    if (counter(I))
      return;
    [[fallthrough]];
  case Instruction::Freeze:
    for (const llvm::Value *V : I.operands())
      copy(V, node(&I));
    return;
  case Instruction::Select:
    copy(I.getOperand(1), node(&I));
    copy(I.getOperand(2), node(&I));
    return;
  case Instruction::ExtractValue: // an aggregate's parts share its node
  case Instruction::ExtractElement:
    return copy(I.getOperand(0), node(&I));
  case Instruction::InsertValue:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    copy(I.getOperand(0), node(&I));
    copy(I.getOperand(1), node(&I));
    return;
  case Instruction::ICmp:
  case Instruction::FCmp:
    return I.getType()->isVectorTy() ? anyNumber(node(&I)) : truth(node(&I));
  case Instruction::FNeg:
    return madeOf(I, node(&I));
  default:
    if (isMemberFunctionAddress(I)) {
      add(Kind::ToAddress, node(&I), node(I.getOperand(0)), 64, 64, /*C=*/1); // a member's
      return;
    }
    if (I.isCast())
      return convert(I.getOpcode(), I.getOperand(0), I.getType(), node(&I));
    if (const auto *B = dyn_cast<llvm::BinaryOperator>(&I))
      return binary(*B);
    unmodelled(I, llvm::Twine("the instruction '").concat(I.getOpcodeName()).concat("'").str());
  }
}

/// Whether \p Type is std::string, of either form that libstdc++ has, or another instance of its template.
static bool isString(const llvm::Type *Type) {
  const auto *Record = dyn_cast<llvm::StructType>(Type);
  llvm::StringRef Name = Record && Record->hasName() ? Record->getName() : "";
  return Name.consume_front("class.std::") && (Name.consume_front("__cxx11::"), Name.consume_front("basic_string")) &&
         (Name.empty() || Name.front() == '.');
}

/// Whether \p E is where a std::string holds a short text in itself.
static bool isOwnText(const llvm::GEPOperator &E) {
  const auto *Member = E.getNumIndices() < 2 ? nullptr : dyn_cast<llvm::ConstantInt>(E.getOperand(2));
  return isString(E.getSourceElementType()) && Member && Member->equalsInt(2);
}

void FunctionBuilder::variable(const llvm::AllocaInst &I) {
  Object O;
  O.Name = I.getName().split(".addr").first.split(".sroa").first.str();
  if (std::optional<llvm::TypeSize> Size = I.getAllocationSize(Layout); Size && !Size->isScalable())
    O.Size = Size->getFixedValue();
  O.IsString = isString(I.getAllocatedType());
  const llvm::DISubprogram *Source = I.getFunction()->getSubprogram();
  O.Where = Source ? Unit.line(Source->getFile(), Source->getLine()) : Unit.line(nullptr);
  F.Objects.push_back(std::move(O));
  add(Kind::LocalAddress, node(&I), NoNode, F.Objects.size() - 1);
}

/// The number that \p E adds to an address as bytes, when that is all: so a pointer to a member function says where in
/// an object the part is that the function is of.
static const llvm::Value *bytesAdded(const llvm::GEPOperator &E, const llvm::DataLayout &Layout) {
  const llvm::Value *Index = E.getNumIndices() == 1 ? E.idx_begin()->get() : nullptr;
  bool Bytes = Index && Index->getType()->isIntegerTy(64) && !isa<llvm::Constant>(Index) &&
               Layout.getTypeAllocSize(E.getSourceElementType()) == llvm::TypeSize::getFixed(1);
  return Bytes ? Index : nullptr;
}

/// Whether \p Index has no more than 32 bits, made as wide as an address.
static bool isNarrow(const llvm::Value *Index) {
  if (isa<llvm::SExtInst, llvm::ZExtInst>(Index))
    Index = cast<llvm::Instruction>(Index)->getOperand(0);
  return Index->getType()->isIntegerTy() && Index->getType()->getIntegerBitWidth() <= 32;
}

/// Whether \p E is in a function of std::array, or of its traits in libstdc++.
static bool isOfStdArray(const llvm::GEPOperator &E) {
  const auto *Use = dyn_cast<llvm::Instruction>(static_cast<const llvm::Value *>(&E));
  llvm::StringRef Name = Use ? Use->getFunction()->getName() : "";
  if (!Name.consume_front("_ZN"))
    return false;
  Name.consume_front("K");
  return Name.starts_with("St5arrayI") || Name.starts_with("St14__array_traitsI");
}

void FunctionBuilder::offset(const llvm::GEPOperator &E, Node To) {
  if (E.getType()->isVectorTy())
    return madeOf(E, To);
  if (isOwnText(E))
    return add(Kind::OwnText, To), void();
  if (const llvm::Value *Bytes = bytesAdded(E, Layout)) {
    Node First = node(E.getPointerOperand()), Second = node(Bytes);
    add(Kind::Binary, To, First, static_cast<int64_t>(Operation::Add) + MayWrap, 64).Second = Second;
    return;
  }
  if (std::optional<Part> Field = partOf(E, Layout)) {
    llvm::APInt Distance(64, 0);
    E.accumulateConstantOffset(Layout, Distance);
    F.Parts.push_back(*Field);
    add(Kind::Part, To, node(E.getPointerOperand()), Distance.getSExtValue(), F.Parts.size() - 1);
    return;
  }
  int64_t Fixed = 0, Stride = 0, Extent = 0;
  const llvm::Type *Before = nullptr;
  for (auto It = llvm::gep_type_begin(E), End = llvm::gep_type_end(E); It != End; ++It) {
    const llvm::Type *Outer = Before;
    Before = It.getIndexedType();
    const auto *Index = dyn_cast<llvm::ConstantInt>(It.getOperand());
    if (llvm::StructType *Struct = It.getStructTypeOrNull()) {
      Fixed += Layout.getStructLayout(Struct)->getElementOffset(Index->getZExtValue());
      continue;
    }
    int64_t Size = It.getSequentialElementStride(Layout);
    if (Index) {
      Fixed += Index->getSExtValue() * Size;
      continue;
    }
    add(Kind::Derive, To, node(It.getOperand()), isNarrow(It.getOperand()) ? NarrowIndex : WideIndex);
    // An index of an array stays in it; an array of one element may be the first of more, at the end of a record, but
    // not one of std::array.
    const auto *Array = dyn_cast_or_null<llvm::ArrayType>(Outer);
    std::optional<int64_t> Elements;
    if (Array && (Array->getNumElements() > 1 || (Array->getNumElements() == 1 && isOfStdArray(E))))
      Elements = Array->getNumElements();
    const Indices In = indicesOf(E, *It.getOperand(), Elements);
    Fixed += In.Least * Size;
    Stride = In.Greatest == In.Least ? Stride : std::gcd(Stride, Size);
    Extent = In.Greatest && Extent != Unknown ? Extent + (*In.Greatest - In.Least) * Size : Unknown;
  }
  add(Kind::Offset, To, node(E.getPointerOperand()), Fixed, Stride, Extent);
}

/// Whether \p From, which an address is made of, may be a number that says where memory is: 32 bits do not.
static bool isNumberOfPlace(const llvm::Value &From, const llvm::DataLayout &Layout) {
  return Layout.getPointerSizeInBits() <= 32 || !isNarrow(&From);
}

static int64_t widthOf(const llvm::Type *T) { return T->isIntegerTy() ? T->getIntegerBitWidth() : 64; }

void FunctionBuilder::convert(unsigned Opcode, const llvm::Value *From, const llvm::Type *Type, Node To) {
  using llvm::Instruction;
  bool Scalars = (From->getType()->isIntegerTy() || From->getType()->isPointerTy()) &&
                 (Type->isIntegerTy() || Type->isPointerTy());
  switch (Opcode) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    if (!Scalars || widthOf(Type) > 64 || widthOf(From->getType()) > 64)
      break;
    if (RoundedAddress Rounded = Opcode == Instruction::IntToPtr ? addressRoundedIn(*From) : RoundedAddress();
        Rounded.Address) {
      add(Kind::Offset, To, node(Rounded.Address), 0, 1, Unknown); // as in pointer arithmetic with any number
      for (const llvm::Value *By : Rounded.By)
        add(Kind::MovedBy, To, node(By));
      return;
    }
    if (Opcode == Instruction::IntToPtr)
      add(Kind::ToAddress, To, node(From), widthOf(From->getType()), 64, isNumberOfPlace(*From, Layout) ? 0 : 1);
    else
      add(Kind::Convert, To, node(From), widthOf(From->getType()), widthOf(Type), Opcode == Instruction::SExt);
    return;
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
    if (!Scalars)
      break;
    return copy(From, To);
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    anyNumber(To);
    return becomeNumber(From, "is converted to a floating-point number", /*OnlyWhole=*/true);
  default:
    break;
  }
  anyNumber(To);
  add(Kind::Derive, To, node(From));
  if (Opcode == Instruction::IntToPtr) // of a vector, or wide: which address it is, is not known
    add(Kind::ToAddress, To, To, 64, 64);
}

static std::optional<Operation> operationOf(unsigned Opcode) {
  using llvm::Instruction;
  switch (Opcode) {
  case Instruction::Add:
    return Operation::Add;
  case Instruction::Sub:
    return Operation::Sub;
  case Instruction::Mul:
    return Operation::Mul;
  case Instruction::And:
    return Operation::And;
  case Instruction::Or:
    return Operation::Or;
  case Instruction::Xor:
    return Operation::Xor;
  case Instruction::Shl:
    return Operation::Shl;
  case Instruction::LShr:
    return Operation::LShr;
  case Instruction::AShr:
    return Operation::AShr;
  case Instruction::SDiv:
    return Operation::SDiv;
  case Instruction::UDiv:
    return Operation::UDiv;
  case Instruction::SRem:
    return Operation::SRem;
  case Instruction::URem:
    return Operation::URem;
  default:
    return std::nullopt;
  }
}

/// Clang's own code for the difference of two pointers, which are into one object: a number, not made into an address
/// of either again. Arithmetic on addresses that the program has made integers has other names; the difference to a
/// null pointer is the address itself.
static bool isDifference(const llvm::BinaryOperator &I) {
  return I.getName().starts_with("sub.ptr.sub") && !isa<llvm::Constant>(I.getOperand(0)) &&
         !isa<llvm::Constant>(I.getOperand(1));
}

void FunctionBuilder::binary(const llvm::BinaryOperator &I) {
  if (isDifference(I)) {
    Node First = node(I.getOperand(0)), Second = node(I.getOperand(1));
    add(Kind::Difference, node(&I), First).Second = Second;
    return;
  }
  std::optional<Operation> Op = operationOf(I.getOpcode());
  if (!Op || !I.getType()->isIntegerTy() || I.getType()->getIntegerBitWidth() > 64)
    return madeOf(I, node(&I));
  const auto *Wrapping = dyn_cast<llvm::OverflowingBinaryOperator>(&I);
  bool Wraps = Wrapping && !Wrapping->hasNoSignedWrap();
  Node First = node(I.getOperand(0)), Second = node(I.getOperand(1));
  add(Kind::Binary, node(&I), First, static_cast<int64_t>(*Op) + (Wraps ? MayWrap : 0),
      I.getType()->getIntegerBitWidth())
      .Second = Second;
}
