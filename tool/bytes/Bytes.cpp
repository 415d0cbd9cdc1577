// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bytes/Bytes.h"

using namespace mpishm::bytes;

void Writer::add(const std::string &Text) {
  auto [It, New] = Texts.try_emplace(Text, Texts.size());
  add(It->second);
  if (New) {
    add(Text.size());
    Out << Text;
  }
}

void Writer::add(const std::vector<bool> &All) {
  add(All.size());
  for (size_t I = 0; I < All.size(); I += 32) {
    uint32_t Bits = 0;
    for (size_t J = I; J < std::min(I + 32, All.size()); ++J)
      Bits |= uint32_t(All[J]) << (J - I);
    add(Bits);
  }
}

void Reader::take(std::string &Text) {
  size_t Index = 0;
  take(Index);
  if (Index == Texts.size()) {
    size_t Size = 0;
    take(Size);
    Texts.push_back(From.getBytes(At, Size));
  }
  if (Index < Texts.size())
    Text = Texts[Index].str();
}

void Reader::take(std::vector<bool> &All) {
  size_t Size = 0;
  take(Size);
  uint32_t Bits = 0;
  for (size_t I = 0; I < Size && At; ++I) {
    if (I % 32 == 0)
      take(Bits);
    All.push_back(Bits >> I % 32 & 1);
  }
}

bool Reader::atEnd() {
  bool End = From.eof(At);
  llvm::Error Wrong = At.takeError();
  bool Whole = !Wrong;
  llvm::consumeError(std::move(Wrong));
  return Whole && End;
}
