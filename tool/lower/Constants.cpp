// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Constants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace mpishm;

namespace {

struct Row {
  llvm::StringLiteral Type, Name;
  ElementType Element; ///< of datatypes whose size is the same everywhere
};

constexpr Row Rows[] = {
    {"MPI_Comm", "MPI_COMM_WORLD", {}},
    {"MPI_Comm", "MPI_COMM_SELF", {}},
    {"MPI_Comm", "MPI_COMM_NULL", {}},
    {"MPI_Request", "MPI_REQUEST_NULL", {}},
    {"MPI_Win", "MPI_WIN_NULL", {}},
    {"int", "MPI_ANY_SOURCE", {}},
    {"int", "MPI_ANY_TAG", {}},
    {"int", "MPI_PROC_NULL", {}},
    {"MPI_Datatype", "MPI_DATATYPE_NULL", {}},
    {"MPI_Datatype", "MPI_FLOAT", {4, true}},
    {"MPI_Datatype", "MPI_DOUBLE", {8, true}},
    {"MPI_Datatype", "MPI_C_FLOAT_COMPLEX", {8, true}},
    {"MPI_Datatype", "MPI_C_DOUBLE_COMPLEX", {16, true}},
    {"MPI_Datatype", "MPI_C_COMPLEX", {8, true}},
    {"MPI_Datatype", "MPI_CXX_FLOAT_COMPLEX", {8, true}},
    {"MPI_Datatype", "MPI_CXX_DOUBLE_COMPLEX", {16, true}},
    {"MPI_Datatype", "MPI_REAL4", {4, true}},
    {"MPI_Datatype", "MPI_REAL8", {8, true}},
    {"MPI_Datatype", "MPI_COMPLEX8", {8, true}},
    {"MPI_Datatype", "MPI_COMPLEX16", {16, true}},
    {"MPI_Datatype", "MPI_CHAR", {1, false}},
    {"MPI_Datatype", "MPI_SIGNED_CHAR", {1, false}},
    {"MPI_Datatype", "MPI_UNSIGNED_CHAR", {1, false}},
    {"MPI_Datatype", "MPI_BYTE", {1, false}},
    {"MPI_Datatype", "MPI_SHORT", {2, false}},
    {"MPI_Datatype", "MPI_UNSIGNED_SHORT", {2, false}},
    {"MPI_Datatype", "MPI_INT", {4, false}},
    {"MPI_Datatype", "MPI_UNSIGNED", {4, false}},
    {"MPI_Datatype", "MPI_LONG_LONG", {8, false}},
    {"MPI_Datatype", "MPI_UNSIGNED_LONG_LONG", {8, false}},
    {"MPI_Datatype", "MPI_INT32_T", {4, false}},
    {"MPI_Datatype", "MPI_INT64_T", {8, false}},
    {"MPI_Datatype", "MPI_UINT32_T", {4, false}},
    {"MPI_Datatype", "MPI_UINT64_T", {8, false}},
    {"MPI_Datatype", "MPI_LONG", {}},
    {"MPI_Datatype", "MPI_UNSIGNED_LONG", {}},
    {"MPI_Datatype", "MPI_LONG_DOUBLE", {}},
    {"MPI_Datatype", "MPI_PACKED", {}},
    {"MPI_Datatype", "MPI_WCHAR", {}},
    {"MPI_Datatype", "MPI_C_BOOL", {}},
    {"MPI_Datatype", "MPI_CXX_BOOL", {}},
    {"MPI_Datatype", "MPI_INT8_T", {}},
    {"MPI_Datatype", "MPI_UINT8_T", {}},
    {"MPI_Datatype", "MPI_INT16_T", {}},
    {"MPI_Datatype", "MPI_UINT16_T", {}},
    {"MPI_Datatype", "MPI_AINT", {}},
    {"MPI_Datatype", "MPI_OFFSET", {}},
    {"MPI_Datatype", "MPI_COUNT", {}},
    {"MPI_Datatype", "MPI_2INT", {}},
    {"MPI_Datatype", "MPI_FLOAT_INT", {}},
    {"MPI_Datatype", "MPI_DOUBLE_INT", {}},
    {"MPI_Datatype", "MPI_LONG_INT", {}},
    {"MPI_Datatype", "MPI_SHORT_INT", {}},
    {"MPI_Datatype", "MPI_INTEGER", {}},
    {"MPI_Datatype", "MPI_REAL", {}},
    {"MPI_Datatype", "MPI_DOUBLE_PRECISION", {}},
    {"MPI_Datatype", "MPI_COMPLEX", {}},
    {"MPI_Datatype", "MPI_DOUBLE_COMPLEX", {}},
    {"MPI_Datatype", "MPI_LOGICAL", {}},
    {"MPI_Datatype", "MPI_CHARACTER", {}},
    {"MPI_Datatype", "MPI_INTEGER4", {}},
    {"MPI_Datatype", "MPI_INTEGER8", {}},
};

constexpr llvm::StringLiteral Prefix = "mpishm_value_of_";

} // namespace

bool mpishm::operator==(const MpiConstant &A, const MpiConstant &B) {
  return A.Symbol == B.Symbol && A.Number == B.Number;
}

std::string mpishm::sourceOfConstants() {
  std::string Text = "#include <mpi.h>\n";
  for (const Row &R : Rows)
    Text += ("#ifdef " + R.Name + "\n" + R.Type + " " + Prefix + R.Name + " = " + R.Name + ";\n#endif\n").str();
  return Text;
}

MpiConstants mpishm::readConstants(const llvm::Module &M) {
  MpiConstants Result;
  for (const llvm::GlobalVariable &G : M.globals()) {
    llvm::StringRef Name = G.getName();
    if (!Name.consume_front(Prefix) || !G.hasInitializer())
      continue;
    const llvm::Constant *Value = G.getInitializer();
    if (const auto *Cast = llvm::dyn_cast<llvm::ConstantExpr>(Value); Cast && Cast->isCast())
      Value = Cast->getOperand(0); // an integer as a pointer
    if (const auto *Integer = llvm::dyn_cast<llvm::ConstantInt>(Value))
      Result[Name.str()] = {"", Integer->getSExtValue()};
    else if (llvm::isa<llvm::ConstantPointerNull>(Value))
      Result[Name.str()] = {};
    else if (const auto *Symbol = llvm::dyn_cast<llvm::GlobalVariable>(Value))
      Result[Name.str()] = {Symbol->getName().str(), 0};
  }
  return Result;
}

std::optional<ElementType> mpishm::elementOf(llvm::StringRef Name) {
  for (const Row &R : Rows)
    if (R.Name == Name && R.Element.Size)
      return R.Element;
  return std::nullopt;
}

bool mpishm::isDatatype(llvm::StringRef Name) {
  return llvm::any_of(Rows, [&](const Row &R) { return R.Name == Name && R.Type == "MPI_Datatype"; });
}
