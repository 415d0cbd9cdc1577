// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analysis of LLVM IR would find of the programs that facts written by hand stand for.

#ifndef MPISHM_TEST_UNIT_MATCH_VALUES_H
#define MPISHM_TEST_UNIT_MATCH_VALUES_H

#include "classes/ValueClasses.h"
#include "mpi/Functions.h"
#include "program/Program.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace mpishm::test {

/// A handle or a number that a call is given. Objects with one Id are one.
struct Operand {
  enum class Kind { Object, World, Null, Constant, AnySource, AnyTag, Computed, Unknown };
  Kind Which = Kind::Unknown;
  int64_t Value = 0; ///< of a constant
  std::string Id;    ///< of an object
};

/// What one call is given.
struct Operands {
  std::vector<Operand> Comm, Peer, Tag, SecondPeer, SecondTag, Request, NewComm, Message;
};

/// The facts of one unit, and what is beside them in its code.
struct WrittenUnit : UnitFacts {
  std::vector<Operands> Given;                             ///< of Calls
  std::vector<std::pair<std::string, Operand>> HandedOver; ///< to functions
};

/// One program. The operands of a call are its communicator, tag, request and so on; what nothing makes, or is
/// Operand::Kind::Unknown, comes from out of sight; an argument of a function without a body leaves it.
class ProgramValues {
public:
  explicit ProgramValues(const std::vector<const WrittenUnit *> &Units) {
    std::set<std::string> Bodies;
    for (const WrittenUnit *U : Units)
      Bodies.insert(U->Bodies.begin(), U->Bodies.end());
    for (const WrittenUnit *U : Units) {
      for (const auto &[Function, Value] : U->HandedOver)
        if (!Bodies.count(Function))
          Escapes[idOf(Value)] = "is handed to '" + Function + "', which is not in the database";
      for (auto [Index, C] : llvm::enumerate(U->Calls))
        if (const FunctionInfo *Info = findFunction(C.Function))
          Calls.push_back({&C, &U->Given[Index], Info});
      for (const FunctionUse &Use : U->Uses)
        Used.push_back(findFunction(Use.Function));
    }
  }

  ir::ValueClasses find() {
    for (const Made &M : Calls)
      if (isOperation(*M.Info))
        Ops.push_back(&M);
    llvm::IntEqClasses Together(Ops.size());
    for (unsigned I = 0; I < Ops.size(); ++I)
      for (unsigned J = 0; J < I; ++J)
        if (mayMatch(*Ops[I], *Ops[J]))
          Together.join(I, J);
    for (const FunctionInfo *Info : Used) { // whatever it matches is one class
      std::optional<unsigned> First;
      for (unsigned I = 0; I < Ops.size(); ++I)
        if (concerns(*Info, *Ops[I])) {
          Together.join(First.value_or(I), I);
          First = First.value_or(I);
        }
    }
    Together.compress();
    ir::ValueClasses Result;
    Result.Classes.resize(Together.getNumClasses());
    for (unsigned I = 0; I < Ops.size(); ++I)
      Result.Classes[Together[I]].Members.push_back(member(*Ops[I]));
    for (const Made &M : Calls)
      Result.Reached.insert(nameOf(M));
    Result.Makers = makers();
    return Result;
  }

private:
  struct Made {
    const Call *Of;
    const Operands *Given;
    const FunctionInfo *Info;
  };
  using Ids = std::set<std::string>;
  using S = ir::Refusal::Subject;

  static bool isOperation(const FunctionInfo &Info) {
    using K = FunctionKind;
    return Info.Kind == K::Send || Info.Kind == K::Receive || Info.Kind == K::SendReceive || Info.Kind == K::Probe ||
           Info.Kind == K::MatchedReceive || isCollective(Info.Kind);
  }
  static ir::CallName nameOf(const Made &M) { return {M.Of->Name, M.Of->Spelled}; }
  static std::string idOf(const Operand &O) {
    return O.Which == Operand::Kind::Object  ? O.Id
           : O.Which == Operand::Kind::World ? "MPI_COMM_WORLD"
           : O.Which == Operand::Kind::Null  ? "null"
                                             : "";
  }
  static Ids idsOf(const Made &M, std::vector<Operand> Operands::*Which) {
    Ids Result;
    for (const Operand &O : M.Given->*Which)
      Result.insert(idOf(O));
    return Result;
  }
  static bool meet(const Ids &A, const Ids &B) {
    return llvm::any_of(A, [&](const std::string &Id) { return B.count(Id); });
  }
  bool isMade(const std::string &Comm) const {
    return Comm == "MPI_COMM_WORLD" || llvm::any_of(Calls, [&](const Made &M) {
             return M.Info->NewComm && idsOf(M, &Operands::NewComm).count(Comm);
           });
  }
  bool isUnknown(const Ids &Comms) const {
    return !llvm::all_of(Comms, [&](const std::string &Id) { return isMade(Id); });
  }
  bool isKnownOutside(const Ids &Comms) const {
    return Comms.count("MPI_COMM_WORLD") ||
           llvm::any_of(Comms, [&](const std::string &Id) { return Escapes.count(Id); });
  }
  static std::vector<std::optional<int64_t>> tagsOf(const Made &M) {
    std::vector<std::optional<int64_t>> Result;
    for (const std::vector<Operand> *List : {&M.Given->Tag, &M.Given->SecondTag})
      for (const Operand &O : *List)
        Result.push_back(O.Which == Operand::Kind::Constant ? std::optional(O.Value) : std::nullopt);
    return Result;
  }
  static bool isMatchedReceive(const Made &M) { return M.Info->Kind == FunctionKind::MatchedReceive; }
  bool mayMatch(const Made &A, const Made &B) const {
    if (isMatchedReceive(A) || isMatchedReceive(B))
      return meet(idsOf(A, &Operands::Message), idsOf(B, &Operands::Message));
    Ids X = idsOf(A, &Operands::Comm), Y = idsOf(B, &Operands::Comm);
    if (collectiveOf(*A.Info) != collectiveOf(*B.Info) ||
        !(meet(X, Y) || (isUnknown(X) && (isUnknown(Y) || isKnownOutside(Y))) || (isUnknown(Y) && isKnownOutside(X))))
      return false;
    return isCollective(A.Info->Kind) || llvm::any_of(tagsOf(A), [&](std::optional<int64_t> Tag) {
             return llvm::any_of(tagsOf(B), [&](std::optional<int64_t> T) { return !T || !Tag || *T == *Tag; });
           });
  }
  /// Whether a call of the function \p Used by its address may meet \p M.
  static bool concerns(const FunctionInfo &Used, const Made &M) {
    switch (Used.Kind) {
    case FunctionKind::Completion:
      return M.Info->Request.has_value();
    case FunctionKind::MatchedReceive:
      return M.Info->Message.has_value();
    default:
      return isOperation(Used) && collectiveOf(Used) == collectiveOf(*M.Info);
    }
  }
  void addEscapes(ir::ClassMember &To, const Made &M, S Of, const Ids &Handles) const {
    for (const std::string &Id : Handles)
      if (auto It = Escapes.find(Id); It != Escapes.end())
        To.Whys.push_back({Of, M.Of->Function, It->second, "", 0});
  }
  ir::ClassMember member(const Made &M) const {
    ir::ClassMember Result;
    Result.Call = nameOf(M);
    Ids Comms = idsOf(M, &Operands::Comm), Requests = idsOf(M, &Operands::Request),
        Messages = idsOf(M, &Operands::Message);
    if (isUnknown(Comms))
      Result.Whys.push_back({S::UnknownCommunicator, M.Of->Function, "cannot be followed", "", 0});
    addEscapes(Result, M, S::Communicator, Comms);
    addEscapes(Result, M, S::Request, Requests);
    addEscapes(Result, M, S::Message, Messages);
    if (Requests.count(""))
      Result.Whys.push_back({S::Request, M.Of->Function, "cannot be followed", "", 0});
    for (const FunctionInfo *Info : Used)
      if (concerns(*Info, M))
        Result.Whys.push_back({S::FunctionAsValue, Info->Name.str(), "is used as a value", "", 0});
    bool OutOfSight = Requests.count("") || isKnownOutside(Requests);
    std::set<ir::CallName> Completions;
    for (const Made &Other : Calls) {
      Ids Given = idsOf(Other, &Operands::Request);
      if (Other.Info->Kind == FunctionKind::Completion &&
          (meet(Given, Requests) || (OutOfSight && (Given.count("") || isKnownOutside(Given)))))
        Completions.insert(nameOf(Other));
      if (Other.Info->NewComm && meet(idsOf(Other, &Operands::NewComm), Comms))
        Result.Makers.insert(nameOf(Other));
    }
    Result.Completions = {std::make_shared<const std::set<ir::CallName>>(std::move(Completions))};
    Result.OnWorld = Comms.count("MPI_COMM_WORLD");
    auto Has = [](const std::vector<Operand> &List, Operand::Kind Which) {
      return llvm::any_of(List, [&](const Operand &O) { return O.Which == Which; });
    };
    Result.Wildcard =
        M.Info->Kind != FunctionKind::Probe &&
        (Has(M.Given->Peer, Operand::Kind::AnySource) || Has(M.Given->SecondPeer, Operand::Kind::AnySource) ||
         Has(M.Given->Tag, Operand::Kind::AnyTag) || Has(M.Given->SecondTag, Operand::Kind::AnyTag));
    return Result;
  }
  std::vector<ir::MakerGroup> makers() const {
    std::vector<const Made *> All;
    for (const Made &M : Calls)
      if (M.Info->NewComm)
        All.push_back(&M);
    llvm::IntEqClasses Groups(All.size());
    for (unsigned I = 0; I < All.size(); ++I)
      for (unsigned J = 0; J < I; ++J) {
        Ids X = idsOf(*All[I], &Operands::Comm), Y = idsOf(*All[J], &Operands::Comm);
        if (All[I]->Info == All[J]->Info && (meet(X, Y) || isUnknown(X) || isUnknown(Y)))
          Groups.join(I, J);
      }
    Groups.compress();
    std::vector<ir::MakerGroup> Result(Groups.getNumClasses());
    for (unsigned I = 0; I < All.size(); ++I)
      Result[Groups[I]].Calls.push_back(nameOf(*All[I]));
    return Result;
  }

  std::vector<Made> Calls;
  std::vector<const Made *> Ops;
  std::vector<const FunctionInfo *> Used;
  std::map<std::string, std::string> Escapes; ///< handles by their Ids, and what becomes of them
};

/// Of each program that \p Units make up, as findValueClasses() has them.
inline std::vector<ir::ValueClasses> valuesOf(const std::vector<WrittenUnit> &Units, bool Together) {
  std::vector<std::string> Mains;
  std::vector<Part> Parts(Units.size(), Shared);
  if (!Together)
    Parts = partsOf({Units.begin(), Units.end()}, Mains);
  std::vector<ir::ValueClasses> Result;
  for (Part In = Mains.empty() ? Shared : 1; In <= Mains.size(); ++In) {
    std::vector<const WrittenUnit *> Program;
    for (auto [Unit, Where] : llvm::zip_equal(Units, Parts))
      if (mayMeet(Where, In))
        Program.push_back(&Unit);
    Result.push_back(ProgramValues(Program).find());
  }
  return Result;
}

} // namespace mpishm::test

#endif
