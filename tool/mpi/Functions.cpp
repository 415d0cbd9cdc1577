// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mpi/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mpishm;

namespace {

constexpr std::nullopt_t _ = std::nullopt;
constexpr llvm::StringLiteral GuardedSuffix = "_guarded", NodewiseSuffix = "_nodewise";

constexpr FunctionInfo Table[] = {
#define MPI_FUNCTION(Name, Kind, Supported, Nonblocking, ...)                                                          \
  {"MPI_" #Name, FunctionKind::Kind, Support::Supported, Nonblocking, __VA_ARGS__},
// A large-count variant is a row of its own: its calls are renamed to another function of the runtime.
#define MPI_COUNTED(Name, Kind, Supported, Nonblocking, ...)                                                           \
  {"MPI_" #Name, FunctionKind::Kind, Support::Supported, Nonblocking, __VA_ARGS__},                                    \
      {"MPI_" #Name "_c", FunctionKind::Kind, Support::Supported, Nonblocking, __VA_ARGS__},
#include "mpi/Functions.def"
};

llvm::StringMap<const FunctionInfo *> indexTable() {
  llvm::StringMap<const FunctionInfo *> Index;
  for (const FunctionInfo &Row : Table)
    Index[Row.Name.drop_front(4)] = &Row;
  return Index;
}

/// Takes them off \p Name.
Marks takeMarks(llvm::StringRef &Name) {
  Marks Result;
  if (!Name.starts_with("MPISHM_"))
    return Result;
  Result.Guarded = Name.consume_back(GuardedSuffix);
  Result.Nodewise = Name.consume_back(NodewiseSuffix);
  return Result;
}

} // namespace

const FunctionInfo *mpishm::findFunction(llvm::StringRef Name) {
  static const llvm::StringMap<const FunctionInfo *> Index = indexTable();
  const bool Marked = takeMarks(Name).any(), IsOurs = Name.starts_with("MPISHM_");
  if (!Name.consume_front("MPI_") && !Name.consume_front("PMPI_") && !Name.consume_front("MPISHM_"))
    return nullptr;
  if (IsOurs && (Name == "Isend_packed" || Name == "Send_packed"))
    Name.consume_back("_packed");
  const FunctionInfo *Row = Index.lookup(Name);
  return Row && Marked && Row->Kind != FunctionKind::Initialize ? nullptr : Row;
}

llvm::StringRef mpishm::collectiveOf(const FunctionInfo &Function) {
  bool Makes = Function.Kind == FunctionKind::WindowMaker;
  llvm::StringRef Name = isCollective(Function.Kind) || Makes ? llvm::StringRef(Function.Name) : "";
  Name.consume_back("_c");
  return Name;
}

bool mpishm::isPartitioned(const FunctionInfo &Function) {
  return Function.Name == "MPI_Psend_init" || Function.Name == "MPI_Precv_init";
}

/// "Bcast" of MPI_Bcast, MPI_Ibcast_c and MPI_Bcast_init, but for upper and lower case.
static llvm::StringRef blockingForm(llvm::StringRef Name) {
  Name.consume_front("MPI_");
  Name.consume_back("_c");
  Name.consume_back("_init");
  if (Name.size() > 1 && Name.front() == 'I' && !llvm::isUpper(Name[1]))
    Name = Name.drop_front();
  return Name;
}

const CollectiveBuffers *mpishm::collectiveBuffersOf(const FunctionInfo &Function) {
  static constexpr CollectiveBuffers Moving[] = {
      {"Bcast", {0, 1}, std::nullopt},
      {"Gather", {0, 1}, BufferArgument{3, 4}},
      {"Gatherv", {0, 1}, BufferArgument{3, _}},
      {"Scatter", {0, 1}, BufferArgument{3, 4}},
      {"Scatterv", {0, _}, BufferArgument{4, 5}},
      {"Allgather", {0, 1}, BufferArgument{3, 4}},
      {"Allgatherv", {0, 1}, BufferArgument{3, _}},
      {"Alltoall", {0, 1}, BufferArgument{3, 4}},
      {"Alltoallv", {0, _}, BufferArgument{4, _}},
      {"Alltoallw", {0, _}, BufferArgument{4, _}},
      {"Neighbor_allgather", {0, 1}, BufferArgument{3, 4}},
      {"Neighbor_allgatherv", {0, 1}, BufferArgument{3, _}},
      {"Neighbor_alltoall", {0, 1}, BufferArgument{3, 4}},
      {"Neighbor_alltoallv", {0, _}, BufferArgument{4, _}},
      {"Neighbor_alltoallw", {0, _}, BufferArgument{4, _}},
  };
  if (Function.Kind != FunctionKind::Collective)
    return nullptr;
  const auto *Found = llvm::find_if(Moving, [Name = blockingForm(Function.Name)](const CollectiveBuffers &Each) {
    return Name.equals_insensitive(Each.Name);
  });
  return Found == std::end(Moving) ? nullptr : Found;
}

bool mpishm::takesMessages(const FunctionInfo &Function) {
  llvm::StringRef Name = Function.Name.drop_front(4);
  return Function.Nonblocking || Name.starts_with("Gather") || Name.starts_with("Scatter") ||
         Name.starts_with("Neighbor");
}

bool mpishm::isWindowAccess(const FunctionInfo &Info) {
  return Info.Kind == FunctionKind::OneSided && !Info.Name.starts_with("MPI_Win_");
}

bool mpishm::isAttach(llvm::StringRef Name) {
  takeMarks(Name);
  return Name == AttachName;
}

Marks mpishm::marksOf(llvm::StringRef Name) { return takeMarks(Name); }

std::string mpishm::markedForm(llvm::StringRef Function, Marks Wanted) {
  takeMarks(Function);
  Function.consume_front("MPI_");
  Function.consume_front("MPISHM_");
  return ("MPISHM_" + Function + (Wanted.Nodewise ? NodewiseSuffix : "") + (Wanted.Guarded ? GuardedSuffix : "")).str();
}

bool mpishm::isMpiName(llvm::StringRef Name) {
  Name.consume_front("P");
  return Name.consume_front("MPI_") && !Name.empty() && llvm::isUpper(Name.front());
}
