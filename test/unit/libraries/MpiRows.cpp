// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function that mpi.h declares is known, and its row fits its declaration.

#include "libraries/Declared.h"
#include "models/Analysis.h"
#include "mpi/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mpishm;
using namespace mpishm::test;

namespace {

/// Functions that set the handle that they are given to null, which is not followed, or end what another one began.
bool isEnd(llvm::StringRef Name) {
  return Name.ends_with("_free") || Name == "MPI_Type_commit" || Name.ends_with("_end") ||
         Name.ends_with("_disconnect") || Name.ends_with("_close") || Name.ends_with("_finalize");
}

/// What is wrong with the letter \p Effect for a parameter, or nothing.
std::string misfitOf(const DeclaredType &P, char Effect) {
  bool Writes = llvm::StringRef("noilurbgzMqd124").contains(Effect), Reads = llvm::StringRef("sfaP").contains(Effect);
  bool IsHandle = P.Bytes < 0 && !P.ToVoid && !P.ToFunction; // MPI_File
  if (P.Is != DeclaredType::Pointer || IsHandle)
    return Writes || Reads || Effect == 'm' ? "is no address" : "";
  if (P.ToFunction)
    return llvm::StringRef("ech").contains(Effect) ? "" : "is a function, and is not called";
  if (Effect == 'c')
    return "is no function";
  if (Effect == 't' || Effect == 'T')
    return "is no datatype";
  if (Writes && P.ToConst)
    return "is written, and is constant";
  if (!Writes && !P.ToConst && Effect != 'e' && Effect != 'm')
    return "may be written, and is not";
  int64_t Bytes = llvm::StringRef("i124").contains(Effect)   ? 4
                  : llvm::StringRef("lodz").contains(Effect) ? 8
                  : Effect == 'u'                            ? 24
                                                             : P.Bytes;
  return P.Bytes > Bytes ? "is longer than what is written" : "";
}

std::string misfitOf(const DeclaredFunction &F, llvm::StringRef Effects) {
  if (Effects.size() > F.Parameters.size() || (Effects.empty() && !F.Parameters.empty()))
    return "the row has another number of arguments";
  for (size_t I = 0; I < F.Parameters.size(); ++I) {
    char Effect = Effects[std::min(I, Effects.size() - 1)];
    if (std::string Misfit = misfitOf(F.Parameters[I], Effect); !Misfit.empty())
      return "argument " + std::to_string(I + 1) + " " + Misfit;
    bool IsBuffer = F.Parameters[I].ToVoid && llvm::StringRef("srbfg").contains(Effect);
    if (!IsBuffer && llvm::StringRef("srbfg").contains(Effect))
      return "argument " + std::to_string(I + 1) + " is no buffer";
    if (llvm::StringRef("124").contains(Effect) && F.Parameters[Effect - '0'].Is != DeclaredType::Integer)
      return std::string("argument ") + static_cast<char>(Effect + 1) + " is no count";
    if (Effect == 'T' && F.Parameters[I - 1].Is != DeclaredType::Integer)
      return "argument " + std::to_string(I) + " is no count";
  }
  return "";
}

const std::map<std::string, DeclaredFunction> &declared() {
  static const std::map<std::string, DeclaredFunction> Result = [] {
    std::map<std::string, DeclaredFunction> All;
    for (const DeclaredFunction &F : declaredByMpi().Functions)
      if (llvm::StringRef(F.Name).starts_with("MPI_"))
        All.emplace(F.Name, F);
    return All;
  }();
  return Result;
}

TEST(MpiRows, FitWhatIsDeclared) {
  unsigned Seen = 0;
  // Without const, most of them of MPI-1 and MPI-2.
  std::set<std::string> Old = {"MPI_Type_hindexed",       "MPI_Type_struct",      "MPI_Type_indexed",
                               "MPI_Pready_list",         "MPI_Info_create_env",  "MPI_Group_range_incl",
                               "MPI_T_cvar_handle_alloc", "MPI_Group_range_excl", "MPI_T_pvar_handle_alloc"};
  for (const auto &[Name, F] : declared())
    if (std::optional<llvm::StringRef> Row = ir::Analysis::mpiEffects(Name); Row && !isEnd(Name)) {
      ++Seen;
      EXPECT_EQ(Old.count(Name) ? "" : misfitOf(F, *Row), "") << Name << " " << Row->str();
    }
  EXPECT_GT(Seen, 250U);
}

/// What a function with large counts sends is what the other receives.
TEST(MpiRows, LargeCountsAreOfTheSameKind) {
  unsigned Seen = 0;
  for (const auto &[Name, F] : declared()) {
    llvm::StringRef Plain = Name;
    const FunctionInfo *Large = findFunction(Name), *Small = Plain.consume_back("_c") ? findFunction(Plain) : nullptr;
    if (Plain.size() == Name.size() || (!Large && !Small))
      continue;
    ++Seen;
    EXPECT_TRUE(Large && Small && collectiveOf(*Large) == collectiveOf(*Small)) << Name;
  }
  EXPECT_TRUE(Seen > 20 || !declared().count("MPI_Bcast_c"));
}

TEST(MpiRows, ThatDoNotFitAreSeen) {
  struct {
    const char *Name, *Wrong;
  } static constexpr Rows[] = {{"MPI_Bcast", "s.T..."},    {"MPI_Bcast", "b.T...."}, {"MPI_Gather", "s.Ts.t.."},
                               {"MPI_Comm_rank", ".."},    {"MPI_Comm_rank", ".s"},  {"MPI_Type_get_extent", ".ii"},
                               {"MPI_Get_count", "i.i"},   {"MPI_Op_create", "..o"}, {"MPI_Reduce", "sbT...."},
                               {"MPI_File_open", ".n..o"}, {"MPI_Barrier", "n"},     {"MPI_Cart_get", "..122"}};
  for (auto [Name, Wrong] : Rows)
    EXPECT_NE(misfitOf(declared().at(Name), Wrong), "") << Name << " " << Wrong;
}

/// What is not known opens all that it is handed; that is right of these.
TEST(MpiRows, EveryFunctionIsKnown) {
  std::set<std::string> Others = {"MPI_Address",   "MPI_Get_address",       "MPI_Aint_add",
                                  "MPI_Aint_diff", "MPI_Type_get_contents", // addresses
                                  "MPI_Attr_get",  "MPI_Attr_put",          "MPI_Keyval_create"};
  // What is written into a variable of the library may be read from it.
  for (llvm::StringRef What : {"cvar_read", "cvar_write", "pvar_read", "pvar_readreset", "pvar_write"})
    Others.insert("MPI_T_" + What.str());
  for (llvm::StringRef Kind : {"Comm", "Type", "Win"})
    for (llvm::StringRef What : {"_create_keyval", "_set_attr", "_get_attr"})
      Others.insert("MPI_" + Kind.str() + What.str());
  for (const auto &[Name, F] : declared()) {
    llvm::StringRef Plain = Name;
    Plain.consume_back("_c");
    bool IsConversion = Plain.ends_with("2f") || Plain.ends_with("_f2") || Plain.ends_with("_f2c");
    const bool IsEvent = Plain.starts_with("MPI_T_event_") || Plain.starts_with("MPI_T_source_") ||
                         Plain == "MPI_T_category_get_events" || Plain == "MPI_T_category_get_num_events";
    EXPECT_TRUE(IsConversion || IsEvent || findFunction(Name) || ir::Analysis::mpiEffects(Plain) ||
                Others.count(Plain.str()))
        << Name;
  }
  EXPECT_GT(declared().size(), 400U);
}

} // namespace
