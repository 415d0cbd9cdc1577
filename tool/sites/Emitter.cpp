// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sites/Emitter.h"

using namespace mpishm;
using namespace clang;

void Emitter::call(Call C) { Facts.Calls.push_back(std::move(C)); }

void Emitter::use(llvm::StringRef Function, bool GoesRound, SourceLocation Loc) {
  Place At = Where.at(Loc);
  for (FunctionUse &U : Facts.Uses)
    if (U.Function == Function && U.Where == At) {
      U.GoesRound |= GoesRound;
      return;
    }
  Facts.Uses.push_back({Function.str(), std::move(At), GoesRound});
}

void Emitter::define(llvm::StringRef Function, SourceLocation Loc, bool IsMacro) {
  Facts.Definitions.push_back({Function.str(), Where.at(Loc), IsMacro});
}

void Emitter::libraryFunction(LibraryFunction F) {
  if (LibraryFunctions.insert(F.Name).second)
    Facts.LibraryFunctions.push_back(std::move(F));
}

void Emitter::body(llvm::StringRef Id) {
  if (Bodies.insert(Id).second)
    Facts.Bodies.push_back(Id.str());
}

void Emitter::ownFunctionType(llvm::StringRef Id) {
  if (OwnFunctionTypes.insert(Id).second)
    Facts.OwnFunctionTypes.push_back(Id.str());
}

void Emitter::convertedFunctionType(llvm::StringRef Id) {
  if (ConvertedFunctionTypes.insert(Id).second)
    Facts.ConvertedFunctionTypes.push_back(Id.str());
}

void Emitter::functionPointer(const FunctionPointerOrigin &O) {
  if (FunctionPointers.insert(O.From + " " + O.Type).second)
    Facts.FunctionPointerOrigins.push_back(O);
}
