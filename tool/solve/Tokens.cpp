// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve/Tokens.h"

using namespace mpishm::ir;

bool mpishm::ir::operator==(const Token &A, const Token &B) {
  return A.Is == B.Is && A.Id == B.Id && A.Where == B.Where;
}

Region mpishm::ir::normalised(Region R) {
  if (R.Stride < 0)
    R.Stride = -R.Stride;
  if (R.Stride == 0 || !R.isBounded()) {
    R.Low = Lowest;
    R.High = Highest;
  }
  if (R.Stride != 0) {
    R.Offset %= R.Stride;
    if (R.Offset < 0)
      R.Offset += R.Stride;
  }
  return R;
}

uint32_t TokenTable::number(const Token &T) {
  auto [It, New] = Numbers.try_emplace(T, All.size());
  if (New) {
    All.push_back(T);
    Groups.push_back(static_cast<uint64_t>(T.Is) << 32 | T.Id);
  }
  return It->second;
}
