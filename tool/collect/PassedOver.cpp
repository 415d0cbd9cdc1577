// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/PassedOver.h"
#include "collect/OwnText.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/AttributeCommonInfo.h"
#include "clang/Basic/Attributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

/// Attributes that say nothing of what a program does.
bool mpishm::isHarmlessAttribute(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name.trim('_'))
      .Cases("unused", "used", "noinline", "always_inline", "hot", "cold", "flatten", "artificial", "leaf", true)
      .Cases("format", "format_arg", "pure", "const", "noreturn", "deprecated", "nonnull", "returns_nonnull", true)
      .Cases("malloc", "alloc_size", "alloc_align", "assume_aligned", "warn_unused_result", "nothrow", true)
      .Cases("fallthrough", "nodiscard", "maybe_unused", "likely", "unlikely", "gnu", "clang", true)
      .Cases("no_instrument_function", "optimize", "optnone", "visibility", "no_sanitize", true)
      .Cases("noclone", "noipa", "no_icf", "no_reorder", "externally_visible", "noplt", "dllimport", "dllexport", true)
      .Cases("access", "nonstring", "copy", "designated_init", "warn_if_not_aligned", "simd", "stack_protect", true)
      .Cases("warning", "error", "assume", "no_stack_limit", "tainted_args", "fd_arg", "fd_arg_read", true)
      .Cases("fd_arg_write", "null_terminated_string_arg", "no_sanitize_undefined", "no_sanitize_thread", true)
      .Default(false);
}

/// Pragmas that Clang knows, that compilers take as advice on optimisation and warnings only, or as directives of
/// OpenMP and its relatives, which leave a program's results alone.
static bool isHarmlessPragma(llvm::StringRef Text) {
  auto [First, Rest] = Text.split(' ');
  First = First.take_until([](char C) { return C == '(' || C == '\t'; });
  if (First == "GCC")
    return llvm::StringSwitch<bool>(Rest.ltrim().take_while([](char C) { return llvm::isAlnum(C) || C == '_'; }))
        .Cases("diagnostic", "system_header", "poison", "dependency", "warning", "error", "visibility", true)
        .Cases("push_options", "pop_options", "reset_options", "optimize", "target", "pch_preprocess", true)
        .Cases("ivdep", "unroll", "novector", true)
        .Default(false);
  return llvm::StringSwitch<bool>(First)
      .Cases("", "once", "pack", "weak", "redefine_extname", "push_macro", "pop_macro", "message", "STDC", true)
      .Cases("clang", "mark", "region", "endregion", "ms_struct", "ident", "warning", "warn", "diag_suppress", true)
      .Cases("omp", "ompx", "acc", "oss", "OPENCL", "hdrstop", "comment", "code_seg", "offload_attribute", true)
      .Cases("ivdep", "vector", "novector", "simd", "unroll", "nounroll", "unroll_and_jam", true)
      .Cases("nounroll_and_jam", "loop_count", "loop", "distribute_point", "prefetch", "noprefetch", true)
      .Cases("inline", "noinline", "forceinline", "noforceinline", "parallel", "noparallel", "block_loop", true)
      .Cases("fusion", "nofusion", "disjoint", "independent", "code_align", "intel", "optimize", "optimization", true)
      .Cases("_CRI", "_NEC", "IBM", "ibm", "pgi", "nvc", "nv_diag_suppress", "nv_diag_default", "HLS", "SWIG", true)
      .Cases("scop", "endscop", "pomp", "POMP", "TAU", "unused", "cilk", "unknown_control_flow", "GCC", true)
      .Default(false);
}

namespace {

/// The attributes that stand in tokens of Clang's.
class Attributes {
public:
  Attributes(llvm::ArrayRef<ReadToken> Tokens, const ASTContext &C) : All(Tokens), Context(C) {}
  /// Calls \p Each with those that Clang passes over.
  void forEachPassedOver(llvm::function_ref<void(const ReadToken &)> Each) const;

private:
  llvm::StringRef at(size_t I) const { return I < All.size() && !All[I].IsLiteral ? All[I].Text : ""; }
  bool isKnown(llvm::StringRef Name, llvm::StringRef Scope) const;

  llvm::ArrayRef<ReadToken> All;
  const ASTContext &Context;
};

} // namespace

/// What compilers do not know of other namespaces, they pass over all of them.
bool Attributes::isKnown(llvm::StringRef Name, llvm::StringRef Scope) const {
  if (isHarmlessAttribute(Name) || (Scope != "gnu" && Scope != "__gnu__"))
    return true;
  return hasAttribute(AttributeCommonInfo::AS_GNU, nullptr, &Context.Idents.get(Name), Context.getTargetInfo(),
                      Context.getLangOpts()) > 0;
}

void Attributes::forEachPassedOver(llvm::function_ref<void(const ReadToken &)> Each) const {
  for (size_t I = 0; I < All.size(); ++I) {
    bool IsGnu = (at(I) == "__attribute__" || at(I) == "__attribute") && at(I + 1) == "(" && at(I + 2) == "(";
    if (!IsGnu && !(at(I) == "[" && at(I + 1) == "["))
      continue;
    size_t First = I + (IsGnu ? 3 : 2);
    llvm::StringRef Scope = IsGnu ? "gnu" : "";
    if (!IsGnu && at(First) == "using") { // [[using gnu: ...]]
      Scope = at(First + 1);
      First += 3;
    }
    int Depth = 2;
    bool Begins = true; // an attribute, not what follows on one
    for (size_t At = First; At < All.size() && Depth > 0; ++At) {
      llvm::StringRef Text = at(At);
      Depth += llvm::StringSwitch<int>(Text).Cases("(", "[", "{", 1).Cases(")", "]", "}", -1).Default(0);
      if (Depth == 2 && Begins && !IsGnu && at(At + 1) == "::") {
        if (!isKnown(at(At + 2), Text))
          Each(All[At + 2]);
      } else if (Depth == 2 && Begins && Text != "," && !Text.empty() && !isKnown(Text, Scope)) {
        Each(All[At]);
      }
      Begins = Depth == 2 && Text == ",";
    }
  }
}

std::vector<Reading> mpishm::findPassedOver(llvm::ArrayRef<ReadToken> Clangs, llvm::StringRef Own,
                                            const ASTContext &Context, const Places &Where) {
  std::vector<Reading> Result;
  if (Own.contains("\"<command line>\"")) // Clang's own way to put it; it knows no more
    return Result;
  Attributes(Clangs, Context).forEachPassedOver([&](const ReadToken &T) {
    Result.push_back({"is given the attribute '" + T.Text.str() + "', which Clang passes over", Where.at(T.Where)});
  });
  OwnText Text(Own, Where);
  for (const OwnText::Pragma &P : Text.pragmas())
    if (!isHarmlessPragma(P.Text)) {
      Place At;
      At.File = P.File;
      At.Line = P.Line;
      At.Column = 1;
      Result.push_back({"is given the pragma '" + P.Text + "', which Clang passes over", At});
    }
  return Result;
}
