// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "output/Fixes.h"
#include "clang/Tooling/ReplacementsYaml.h"

using namespace mpishm;

std::string mpishm::fixesOf(llvm::ArrayRef<EditedFile> Files, llvm::StringRef Source) {
  clang::tooling::TranslationUnitReplacements All;
  All.MainSourceFile = Source.str();
  for (const EditedFile &File : Files)
    All.Replacements.insert(All.Replacements.end(), File.Changes.begin(), File.Changes.end());
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  llvm::yaml::Output Yaml(Stream);
  Yaml << All;
  return Text;
}
