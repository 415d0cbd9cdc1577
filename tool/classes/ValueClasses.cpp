// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes in words.

#include "classes/ValueClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
using namespace mpishm::ir;

std::string mpishm::ir::communicatorOf(const Refusal &Why) {
  return (llvm::StringRef(Why.Call).starts_with("MPI_COMM_") ? "" : "of ") + Why.Call;
}

std::string mpishm::ir::textOf(const Refusal &Why) {
  switch (Why.Of) {
  case Refusal::Subject::Other:
  case Refusal::Subject::FunctionAsValue:
  case Refusal::Subject::FunctionDefined:
    return Why.Text;
  case Refusal::Subject::Request:
    return "the request of " + Why.Call + " " + Why.Text;
  case Refusal::Subject::Message:
    return "the message of " + Why.Call + " " + Why.Text;
  case Refusal::Subject::Window:
  case Refusal::Subject::UnknownWindow:
  case Refusal::Subject::DynamicWindow:
    return "the window of " + Why.Call + " " + Why.Text;
  case Refusal::Subject::Unsupported:
    return "the runtime has no counterpart of " + Why.Call;
  case Refusal::Subject::Communicator:
    return "the communicator " + communicatorOf(Why) + " " + Why.Text;
  case Refusal::Subject::CommunicatorOfWindow:
  case Refusal::Subject::UnknownCommunicator:
    return "the communicator of " + Why.Call + " " + Why.Text;
  }
  return {};
}

static void dump(const ClassMember &M, llvm::raw_ostream &Out) {
  auto Line = [](const CallName &C) { return C.Function + ":" + std::to_string(C.Where.Line); };
  Out << "  " << llvm::sys::path::filename(M.Call.Where.File) << ":" << M.Call.Where.Line << ":" << M.Call.Where.Column
      << " " << M.Call.Function;
  for (const CallName &C : M.Makers)
    Out << " made by " << Line(C);
  std::set<CallName> Completions;
  for (const SharedCompletions &Each : M.Completions)
    Completions.insert(Each->begin(), Each->end());
  for (const CallName &C : Completions)
    Out << " completed by " << Line(C);
  if (!M.Whys.empty())
    Out << " open: " << textOf(M.Whys.front());
  if (!M.Whys.empty() && M.Whys.front().Line)
    Out << " (line " << M.Whys.front().Line << ")";
  Out << "\n";
}

void mpishm::ir::dump(const ValueClasses &Classes, llvm::raw_ostream &Out) {
  if (Classes.GivenUp)
    Out << "given up: " << textOf(*Classes.GivenUp) << "\n";
  for (const auto &[Number, Class] : llvm::enumerate(Classes.Classes)) {
    Out << "class " << Number << (Class.isClosed() ? " closed" : " open") << "\n";
    if (!Class.Whys.empty())
      Out << "  open: " << textOf(Class.Whys.front()) << "\n";
    for (const ClassMember &M : Class.Members)
      ::dump(M, Out);
  }
}
