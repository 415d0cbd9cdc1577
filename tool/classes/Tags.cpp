// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes/Tags.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mpishm;
using namespace mpishm::ir;

Tags mpishm::ir::tagsOf(const LinkedProgram &P, const Analysis &A, uint32_t Node, bool Receives) {
  Tags Result;
  auto Wild = P.Constants.find("MPI_ANY_TAG");
  Result.All = Result.Wild = A.whyAnything(Node) != nullptr;
  for (uint32_t T : A.tokensOf(Node)) {
    const Token &Each = A.token(T);
    if (Each.Is == Token::Kind::AnySource)
      continue;
    bool IsNumber = Each.Is == Token::Kind::Integer;
    // Something that was made of a handle or an address may be any number, too.
    Result.All |= !IsNumber || Each.Where.Stride == 1;
    if (!IsNumber)
      continue;
    bool IsWild = Receives && (Wild == P.Constants.end() || Each.Where.Offset == Wild->second.Number);
    Result.Wild |= Each.Where.isExact() && IsWild;
    Result.Numbers.push_back(Each.Where);
  }
  Result.All |= Result.Wild || Result.Numbers.empty();
  return Result;
}

bool mpishm::ir::mayBeAnySource(const LinkedProgram &P, const Analysis &A, uint32_t Node) {
  bool IsUnknown = !P.Constants.count("MPI_ANY_SOURCE");
  return A.whyAnything(Node) || llvm::any_of(A.tokensOf(Node), [&](uint32_t T) {
           const Token &Each = A.token(T);
           return Each.Is == Token::Kind::AnySource ||
                  (IsUnknown && Each.Is == Token::Kind::Integer && Each.Where.isExact() && Each.Where.Offset < 0);
         });
}

bool mpishm::ir::mayBeEqual(const Tags &X, const Tags &Y) {
  if (X.All || Y.All)
    return true;
  auto Equal = [](const Region &R, const Region &S) {
    int64_t Stride = std::gcd(R.Stride, S.Stride), Distance = R.Offset - S.Offset;
    return Stride == 0 ? Distance == 0 : Distance % Stride == 0;
  };
  return llvm::any_of(X.Numbers, [&](const Region &R) {
    return llvm::any_of(Y.Numbers, [&](const Region &S) { return Equal(R, S); });
  });
}
