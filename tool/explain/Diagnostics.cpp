// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "explain/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mpishm;

static constexpr DiagnosticInfo Table[] = {
#define DIAGNOSTIC(Enumerator, Id, Level, Guard, Text) {Id, Severity::Level, Text},
#include "program/Diagnostics.def"
};

const DiagnosticInfo &mpishm::infoOf(Diagnostic What) { return Table[static_cast<unsigned>(What)]; }

llvm::ArrayRef<DiagnosticInfo> mpishm::allDiagnostics() { return Table; }

std::string mpishm::textOf(const Finding &F) {
  std::string Result;
  llvm::StringRef Rest = infoOf(F.What).Text;
  // Not formatv: how many arguments there are is known only now.
  while (!Rest.empty()) {
    auto [Before, After] = Rest.split('{');
    Result += Before;
    Rest = After;
    unsigned Index = 0;
    if (!Rest.consumeInteger(10, Index) && Rest.consume_front("}"))
      Result += F.Args[Index];
  }
  return Result;
}

std::string mpishm::causeTextOf(const Finding &F) {
  switch (F.What) {
  case Diagnostic::MacroBody:
  case Diagnostic::PastedName:
  case Diagnostic::Stringized:
    return F.Args.size() > 1 && !F.Args[1].empty() ? "macro '" + F.Args[1] + "' is defined here"
                                                   : "the macro is defined here";
  case Diagnostic::SharedMacro:
    return "macro '" + F.Args.back() + "' is defined here";
  case Diagnostic::SynchronousSend:
  case Diagnostic::Nodewise:
    return "this one";
  case Diagnostic::CommunicatorUnknown:
    return "it comes from here";
  case Diagnostic::MovedBufferReleased:
    return "the memory is made here";
  default:
    return "because of this";
  }
}

llvm::StringRef mpishm::nameOf(Severity Level) {
  switch (Level) {
  case Severity::Remark:
    return "remark";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    break;
  }
  return "error";
}
