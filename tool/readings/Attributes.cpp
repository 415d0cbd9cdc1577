// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/Attributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;

bool Attribute::isHarmless() const {
  llvm::StringRef Of = Scope.trim('_');
  if (!Of.empty() && Of != "gnu" && Of != "clang")
    return false;
  return llvm::StringSwitch<bool>(Name->Text.trim('_'))
      .Cases("unused", "used", "noinline", "always_inline", "hot", "cold", "flatten", "artificial", "leaf", true)
      .Cases("format", "format_arg", "pure", "const", "noreturn", "deprecated", "nonnull", "returns_nonnull", true)
      .Cases("malloc", "alloc_size", "alloc_align", "assume_aligned", "warn_unused_result", "nothrow", true)
      .Cases("fallthrough", "nodiscard", "maybe_unused", "likely", "unlikely", true)
      .Cases("no_instrument_function", "optimize", "optnone", "visibility", "no_sanitize", true)
      .Cases("noclone", "noipa", "no_icf", "no_reorder", "externally_visible", "noplt", "dllimport", "dllexport", true)
      .Cases("access", "nonstring", "copy", "designated_init", "warn_if_not_aligned", "simd", "stack_protect", true)
      .Cases("warning", "error", "assume", "no_stack_limit", "tainted_args", "fd_arg", "fd_arg_read", true)
      .Cases("fd_arg_write", "null_terminated_string_arg", "no_sanitize_undefined", "no_sanitize_thread", true)
      .Default(false);
}

bool AttributeList::isHarmless() const {
  return !HasOther && llvm::all_of(Attributes, [](const Attribute &A) { return A.isHarmless(); });
}

std::optional<AttributeList> mpishm::attributesAt(llvm::ArrayRef<ReadToken> All, size_t First) {
  auto Text = [&](size_t I) { return I < All.size() && !All[I].IsLiteral ? All[I].Text : llvm::StringRef(); };
  bool IsGnu = Text(First) == "__attribute__" || Text(First) == "__attribute";
  llvm::StringRef Open = IsGnu ? "(" : "[";
  size_t At = First + IsGnu;
  if (Text(At) != Open || Text(At + 1) != Open)
    return std::nullopt;
  At += 2;
  llvm::StringRef Scope = IsGnu ? "gnu" : "";
  if (!IsGnu && Text(At) == "using" && Text(At + 2) == ":") { // [[using gnu: ...]]
    Scope = Text(At + 1);
    At += 3;
  }
  AttributeList Result;
  bool Begins = true; // an attribute, not what follows on one
  for (int Depth = 2; At < All.size(); ++At) {
    Depth += llvm::StringSwitch<int>(Text(At)).Cases("(", "[", "{", 1).Cases(")", "]", "}", -1).Default(0);
    if (Depth == 0) {
      Result.End = At + 1;
      return Result;
    }
    bool IsName = Depth == 2 && !llvm::is_contained({",", ")", "]", "}"}, Text(At));
    if (IsName && !Begins) {
      Result.HasOther = true;
    } else if (IsName && !IsGnu && Text(At + 1) == "::" && At + 2 < All.size()) {
      Result.Attributes.push_back({Text(At), &All[At + 2]});
      At += 2;
    } else if (IsName) {
      Result.Attributes.push_back({Scope, &All[At]});
    }
    Begins = Depth == 2 && Text(At) == ",";
  }
  return std::nullopt;
}
