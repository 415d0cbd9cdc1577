// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts written by hand.

#ifndef MPISHM_TEST_UNIT_MATCH_FACTS_H
#define MPISHM_TEST_UNIT_MATCH_FACTS_H

#include "Values.h"
#include "match/Match.h"
#include "mpi/Functions.h"
#include "program/Decisions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <gtest/gtest.h>

namespace mpishm::test {

inline Operand operand(Operand::Kind Which, int64_t Value = 0) { return {Which, Value, ""}; }
inline const Operand World = operand(Operand::Kind::World);
inline const Operand Null = operand(Operand::Kind::Null);
inline const Operand AnySource = operand(Operand::Kind::AnySource);
inline const Operand AnyTag = operand(Operand::Kind::AnyTag);
inline const Operand Computed = operand(Operand::Kind::Computed);
inline const Operand Unknown = operand(Operand::Kind::Unknown);
inline Operand constant(int64_t Value) { return operand(Operand::Kind::Constant, Value); }

/// One unit under construction. Places are "<file>" at the line of the last call of at().
class Unit {
public:
  explicit Unit(std::string File = "/p/a.c", bool Main = true) {
    Facts.MainFile = std::move(File);
    Facts.IncludesMpi = true;
    if (Main)
      Facts.Bodies.push_back("c:@F@main");
  }

  Unit &at(uint32_t Where) {
    Line = Where;
    return *this;
  }
  Place here() const { return {Facts.MainFile, Line * 100, Line, 3}; }

  static Operand object(const std::string &Id) { return {Operand::Kind::Object, 0, Id}; }
  static Operand comm(const std::string &Id) { return object(Id); }
  static Operand request(const std::string &Id) { return object(Id); }
  static Operand message(const std::string &Id) { return object(Id); }

  Unit &body(const std::string &Function) {
    Facts.Bodies.push_back(Function);
    return *this;
  }
  /// \p Value is handed to \p Function.
  Unit &argument(const std::string &Function, Operand Value) {
    Facts.HandedOver.push_back({Function, std::move(Value)});
    return *this;
  }

  /// A call of \p Spelled at the current line, which then advances.
  Call &call(llvm::StringRef Spelled) {
    const FunctionInfo *Row = findFunction(Spelled);
    Call C;
    C.Function = (Row ? Row->Name : AttachName).str();
    C.Spelled = Spelled.str();
    C.Name = here();
    C.Enclosing = "main";
    ++Line;
    Facts.Given.resize(Facts.Calls.size());
    Facts.Given.emplace_back();
    Facts.Calls.push_back(C);
    return Facts.Calls.back();
  }
  /// What the last call is given.
  Operands &given() { return Facts.Given.back(); }
  Unit &collective(llvm::StringRef Name, Operand Comm) {
    call(Name);
    given().Comm = {Comm};
    return *this;
  }
  Unit &send(llvm::StringRef Name, Operand Tag, Operand Comm, std::vector<Operand> Request = {}) {
    call(Name);
    given().Tag = {Tag};
    given().Comm = {Comm};
    given().Peer = {Computed};
    given().Request = std::move(Request);
    return *this;
  }
  Unit &receive(llvm::StringRef Name, Operand Source, Operand Tag, Operand Comm, std::vector<Operand> Request = {}) {
    send(Name, Tag, Comm, std::move(Request));
    given().Peer = {Source};
    return *this;
  }
  /// A matched probe with \p Tag on MPI_COMM_WORLD.
  Unit &matchedProbe(llvm::StringRef Name, Operand Tag, Operand Message) {
    receive(Name, Computed, Tag, World);
    given().Message = {Message};
    return *this;
  }
  Unit &matchedReceive(llvm::StringRef Name, Operand Message, std::vector<Operand> Request = {}) {
    call(Name);
    given().Message = {Message};
    given().Request = std::move(Request);
    return *this;
  }
  Unit &completion(llvm::StringRef Name, Operand Request) {
    call(Name);
    given().Request = {Request};
    return *this;
  }
  Unit &maker(llvm::StringRef Name, Operand Parent, Operand New) {
    call(Name);
    given().Comm = {Parent};
    given().NewComm = {New};
    return *this;
  }
  /// Irecv, Isend and Waitall with one tag: what is rewritten when nothing speaks against it.
  Unit &exchange(Operand Tag, Operand Comm, const std::string &Requests = "c:reqs") {
    receive("MPI_Irecv", Computed, Tag, Comm, {request(Requests)});
    send("MPI_Isend", Tag, Comm, {request(Requests)});
    return completion("MPI_Waitall", request(Requests));
  }

  WrittenUnit Facts;

private:
  uint32_t Line = 1;
};

inline Decisions match(const std::vector<WrittenUnit> &Units, ProgramContext Context = {}) {
  std::vector<ir::ValueClasses> Values = valuesOf(Units, Context.Together);
  if (!Context.Values)
    Context.Values = &Values;
  return matchProgram({Units.begin(), Units.end()}, Context);
}

/// The units of a program, with an MPI_Init.
template <typename... Units> Decisions decide(const Units &...List) {
  Unit Init("/p/init.c", false);
  Init.call("MPI_Init");
  return match({Init.Facts, List.Facts...});
}

/// Names and lines of the renames outside init.c: "MPI_Irecv:1 MPI_Isend:2".
inline std::string renames(const Decisions &D) {
  std::string Result;
  for (const Rename &R : D.Renames)
    if (R.Where.File != "/p/init.c")
      Result += (Result.empty() ? "" : " ") + R.OldName + ":" + std::to_string(R.Where.Line);
  return Result;
}

/// The reason that counts for the site at \p Line of \p File; none when it is rewritten or there is no such site.
inline std::optional<Diagnostic> reasonAt(const Decisions &D, uint32_t Line, llvm::StringRef File = "/p/a.c") {
  for (const Site &S : D.Sites)
    if (S.Name.Line == Line && S.Name.File == File && S.Reason)
      return D.Findings[*S.Reason].What;
  return std::nullopt;
}

/// Whether the site at \p Line is rewritten, with or without proof.
inline bool rewritten(const Decisions &D, uint32_t Line, llvm::StringRef File = "/p/a.c") {
  return llvm::any_of(D.Sites, [&](const Site &S) { return S.Name.Line == Line && S.Name.File == File && S.Rewrite; });
}

/// Rewritten without proof, for the first of these reasons.
inline std::optional<Diagnostic> guardedFor(const Decisions &D, uint32_t Line, llvm::StringRef File = "/p/a.c") {
  for (const Site &S : D.Sites)
    if (S.Name.Line == Line && S.Name.File == File && S.Rewrite && S.Guarded && S.Reason)
      return D.Findings[*S.Reason].What;
  return std::nullopt;
}

/// What the program looks like after \p D was done.
inline void apply(const Decisions &D, UnitFacts &Facts) {
  for (Call &C : Facts.Calls)
    for (const Rename &R : D.Renames)
      if (R.Where == C.Name)
        C.Spelled = R.NewName;
}

inline bool hasFinding(const Decisions &D, Diagnostic What) {
  return llvm::any_of(D.Findings, [&](const Finding &F) { return F.What == What; });
}

} // namespace mpishm::test

#endif
