// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constraints of one function, or of the initial values of variables.

#ifndef MPISHM_TOOL_EXTRACT_FUNCTIONBUILDER_H
#define MPISHM_TOOL_EXTRACT_FUNCTIONBUILDER_H

#include "extract/Alignment.h"
#include "extract/UnitBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace llvm {
class ScalarEvolution;
}

namespace mpishm::ir {

/// As what \p I accesses memory.
Access accessOf(const llvm::Instruction &I);

/// From where to where indices go; without an end when that is not known.
struct Indices {
  int64_t Least = 0;
  std::optional<int64_t> Greatest;
};

class FunctionBuilder {
public:
  FunctionBuilder(UnitBuilder &Builder, Function &Result)
      : Unit(Builder), F(Result), Layout(Builder.module().getDataLayout()) {}

  /// Fills the function in from \p Body, which has one. \p Ranges knows what its loops count.
  void build(llvm::Function &Body, llvm::ScalarEvolution &Ranges);

  /// Adds what the variable \p G begins as.
  void initialise(const llvm::GlobalVariable &G);

private:
  // The nodes of values. A constant has one in each function that uses it.
  Node node(const llvm::Value *V);
  Node newNode(const llvm::Type *Type);
  void constant(const llvm::Constant *C, Node To);
  void numbers(const llvm::ConstantDataSequential &Data, Node To);
  void constantExpression(const llvm::ConstantExpr *E, Node To);
  void initialPart(const llvm::Constant *C, uint32_t Symbol, int64_t Offset);

  // Constraints.
  Constraint &add(Constraint::Kind Kind, Node To, Node From = NoNode, int64_t A = 0, int64_t B = 0, int64_t C = 0);
  void address(const llvm::ConstantInt &Number, Node To);
  void copy(const llvm::Value *From, Node To) { add(Constraint::Kind::Copy, To, node(From)); }
  void number(Node To, int64_t Value) { add(Constraint::Kind::Integer, To, NoNode, Value); }
  void truth(Node To);
  void anyNumber(Node To) { add(Constraint::Kind::AnyInteger, To); }
  void madeOf(const llvm::User &Operands, Node To);
  void escape(const llvm::Value *V, llvm::StringRef Why);
  void becomeNumber(const llvm::Value *V, llvm::StringRef How, bool OnlyWhole);
  void unmodelled(const llvm::Instruction &I, llvm::StringRef What);

  // Instructions, by groups.
  void instruction(const llvm::Instruction &I);
  bool counter(const llvm::Instruction &I);
  void load(const llvm::LoadInst &I);
  void store(const llvm::StoreInst &I);
  Node accessed(const llvm::Instruction &I, const llvm::Value *Address);
  void offset(const llvm::GEPOperator &E, Node To);
  Indices indicesOf(const llvm::GEPOperator &E, const llvm::Value &Index, std::optional<int64_t> Elements);
  void convert(unsigned Opcode, const llvm::Value *From, const llvm::Type *Type, Node To);
  void binary(const llvm::BinaryOperator &I);
  void readModifyWrite(const llvm::AtomicRMWInst &I);
  void compareExchange(const llvm::AtomicCmpXchgInst &I);
  void variable(const llvm::AllocaInst &I);
  void call(const llvm::CallBase &I);
  void callOne(const llvm::CallBase &I, const llvm::Value &Callee, Call C);
  void align(const AlignedAddress &In, Node Made);
  Node argument(const llvm::CallBase &I, unsigned Index);
  VirtualCall virtualCall(const llvm::CallBase &I);
  void assembly(const llvm::CallBase &I);
  bool knownAssembly(const llvm::CallBase &I);
  bool intrinsic(const llvm::IntrinsicInst &I);
  bool memoryIntrinsic(const llvm::IntrinsicInst &I);
  void writeMemory(Constraint::Kind Is, const llvm::IntrinsicInst &I);
  void overflowing(const llvm::WithOverflowInst &I);
  bool computes(const llvm::IntrinsicInst &I);
  bool accesses(const llvm::IntrinsicInst &I);

  UnitBuilder &Unit;
  Function &F;
  const llvm::DataLayout &Layout;
  llvm::DenseMap<const llvm::Value *, Node> Nodes;
  llvm::DenseMap<const llvm::CallBase *, AlignedAddress> Aligned; ///< by the call that makes the memory
  llvm::DenseSet<const llvm::Instruction *> AlignedPlaces;        ///< the addresses of these
  llvm::ScalarEvolution *Counts = nullptr;
  uint32_t Here = 0; ///< the line of the instruction at hand
};

} // namespace mpishm::ir

#endif
