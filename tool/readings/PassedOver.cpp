// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/PassedOver.h"
#include "readings/Attributes.h"
#include "readings/OwnText.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/AttributeCommonInfo.h"
#include "clang/Basic/Attributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

/// Pragmas that Clang knows, that compilers take as advice on optimisation, floating-point numbers and warnings only,
/// or as directives of OpenMP and its relatives, which leave a program's results alone.
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
      .Cases("float_control", "fenv_access", "fp_contract", "intrinsic", "function", "check_stack", true)
      .Cases("runtime_checks", "auto_inline", "inline_depth", "inline_recursion", "strict_gs_check", true)
      .Cases("scop", "endscop", "pomp", "POMP", "TAU", "unused", "cilk", "unknown_control_flow", "GCC", true)
      .Cases("global", "procedure", "statement", "fj", true) // Fujitsu's; its loop is above
      .Default(false);
}

/// What compilers do not know of other namespaces, they pass over all of them.
static bool isKnown(const Attribute &A, const ASTContext &Context) {
  if (A.isHarmless() || A.Name->IsLiteral || A.Scope.trim('_') != "gnu")
    return true;
  return hasAttribute(AttributeCommonInfo::AS_GNU, nullptr, &Context.Idents.get(A.Name->Text), Context.getTargetInfo(),
                      Context.getLangOpts()) > 0;
}

std::vector<Reading> mpishm::findPassedOver(llvm::ArrayRef<ReadToken> Clangs, llvm::StringRef Own,
                                            const ASTContext &Context, const Places &Where) {
  std::vector<Reading> Result;
  if (Own.contains("\"<command line>\"")) // Clang's own way to put it; it knows no more
    return Result;
  for (size_t I = 0; I < Clangs.size(); ++I)
    if (std::optional<AttributeList> List = attributesAt(Clangs, I))
      for (const Attribute &A : List->Attributes)
        if (!isKnown(A, Context))
          Result.push_back({"is given the attribute '" + A.Name->Text.str() + "', which Clang passes over",
                            Where.at(A.Name->Where)});
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
