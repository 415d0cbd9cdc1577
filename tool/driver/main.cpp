// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Rewrite.h"
#include "llvm/Support/InitLLVM.h"

int main(int Argc, const char **Argv) {
  llvm::InitLLVM Init(Argc, Argv);
  std::optional<mpishm::Options> Options = mpishm::parseOptions(Argc, Argv);
  return Options ? mpishm::rewrite(*Options) : mpishm::Unusable;
}
