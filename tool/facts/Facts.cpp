// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "facts/Facts.h"
#include <tuple>

bool mpishm::operator==(const Place &A, const Place &B) { return A.Offset == B.Offset && A.File == B.File; }

bool mpishm::operator<(const Place &A, const Place &B) {
  return std::tie(A.File, A.Offset) < std::tie(B.File, B.Offset);
}

bool mpishm::mustKeepText(const Call &C) {
  return C.Edit == Editability::Printed || C.Edit == Editability::Column || C.Edit == Editability::Pasted;
}

bool mpishm::operator==(const MpiBringer &A, const MpiBringer &B) {
  return std::tie(A.Where, A.Header) == std::tie(B.Where, B.Header);
}

bool mpishm::operator<(const MpiBringer &A, const MpiBringer &B) {
  return std::tie(A.Where, A.Header) < std::tie(B.Where, B.Header);
}

bool mpishm::operator==(const PackedSend &A, const PackedSend &B) {
  auto Key = [](const PackedSend &S) {
    return std::tie(S.Send, S.Function, S.Refused, S.Call, S.CallWord, S.Arguments, S.Loops, S.LoopsWord, S.Target,
                    S.Rows, S.Row, S.Packer, S.Sender, S.InSender, S.Store, S.StoreText, S.Calls, S.CountsBefore,
                    S.MayBeNegative, S.ApartReads, S.ApartCalls);
  };
  return Key(A) == Key(B);
}
