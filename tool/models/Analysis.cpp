// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MPI has before the program calls it.

#include "models/Analysis.h"

using namespace mpishm;
using namespace mpishm::ir;

Analysis::Analysis(const LinkedProgram &Program, const AnalysisOptions &How)
    : LibraryModels(Program, How), NullComm(P.constant("MPI_COMM_NULL")), NullWindow(P.constant("MPI_WIN_NULL")) {
  if (std::optional<MpiConstant> World = P.constant("MPI_COMM_WORLD"); World && !World->Symbol.empty())
    HandleWidth = 8;
  findDatatypes();
  for (uint32_t *Each : {&Messages, &SentAnyhow, &ReceivedAnyhow, &Reduced, &ToReduce, &InDatatypes, &Addresses,
                         &Attributes, &Windows, &WindowsCalledFor, &CommunicatorsCalledFor})
    *Each = G.newNode();
  G.addAnyInteger(SentAnyhow);
  addMessages(Messages);
  G.addRule(Addresses, {Rule::Kind::Contents, SentAnyhow, NoNode, NoNode, Unknown});
  G.addRule(Addresses, {Rule::Kind::Fill, NoNode, ReceivedAnyhow, NoNode, Unknown});
}

std::optional<Token> Analysis::constantOfMpi(llvm::StringRef Name) const {
  if (auto It = DatatypeSymbols.find(Name); It != DatatypeSymbols.end())
    return Token{Token::Kind::Datatype, It->second, {}};
  for (const std::optional<MpiConstant> *Each : {&NullComm, &NullWindow}) // as good as the number of other libraries
    if (const std::optional<MpiConstant> &Null = *Each; Null && !Null->Symbol.empty() && Null->Symbol == Name)
      return Token{Token::Kind::Integer, 0, {Null->numberOfNull(), 0}};
  return std::nullopt;
}
