// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/UnitBuilder.h"
#include "lower/Prototypes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace mpishm::ir;

/// Whether \p G is the record of an array that moves (MPISHM_ARRAY), which is the runtime's.
static bool isRecordOfArray(const llvm::GlobalVariable &G) {
  return G.getSection() == "mpishm_arrays" && G.hasInternalLinkage() && G.getName().contains("mpishm_place_");
}

static void addVariable(const llvm::GlobalVariable &G, const llvm::DataLayout &Layout, Symbol &S) {
  S.IsDefined = G.hasInitializer();
  // What is in a section of its own is found by where that begins and ends.
  S.IsExposed = G.hasSection() && !isRecordOfArray(G);
  // What a library's vtable holds is not known, but nobody writes there.
  S.IsConstant = G.isConstant() || S.Name.starts_with("_ZTV") || S.Name.starts_with("_ZTI");
  if (G.getValueType()->isSized())
    S.Size = Layout.getTypeAllocSize(G.getValueType());
  if (!G.isConstant() || !S.IsDefined)
    return;
  if (const auto *Data = llvm::dyn_cast<llvm::ConstantDataSequential>(G.getInitializer()); Data && Data->isCString()) {
    S.Text = Data->getAsCString().str();
    S.HasText = true;
  }
}

static void addPrototype(const llvm::Function &F, Symbol &S) {
  for (unsigned I = 0; I < F.arg_size(); ++I) {
    if (F.getAttributes().hasParamAttr(I, FloatingAttribute))
      S.Floating.push_back(I);
    if (F.getAttributes().hasParamAttr(I, ObjectAttribute))
      S.Objects.push_back(I);
  }
  S.IsNumeric = F.hasFnAttribute(NumericAttribute);
  S.IsOwn = F.hasFnAttribute(OwnAttribute);
  S.Parameters = F.arg_size();
}

uint32_t UnitBuilder::symbol(const llvm::GlobalValue &G) {
  auto [It, New] = Symbols.try_emplace(&G, Result.Symbols.size());
  if (!New)
    return It->second;
  Symbol S;
  llvm::StringRef Name = G.getName();
  Name.consume_front("\01");
  S.Name = functionOfSymbol(Name).str();
  S.IsInternal = G.hasLocalLinkage();
  S.IsFunction = llvm::isa_and_nonnull<llvm::Function, llvm::GlobalIFunc>(G.getAliaseeObject());
  if (const auto *Variable = llvm::dyn_cast<llvm::GlobalVariable>(&G))
    addVariable(*Variable, M.getDataLayout(), S);
  if (const auto *Function = llvm::dyn_cast<llvm::Function>(&G))
    addPrototype(*Function, S);
  Result.Symbols.push_back(std::move(S));
  return It->second;
}

void UnitBuilder::assembly(llvm::StringRef Code) {
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; };
  while (!(Code = Code.drop_until(IsPart)).empty()) {
    llvm::StringRef Word = Code.take_while(IsPart);
    Result.AssemblyWords.insert(Word.str());
    Code = Code.drop_front(Word.size());
  }
}

uint32_t UnitBuilder::file(const llvm::DIFile *File) {
  auto [It, New] = Files.try_emplace(File, Result.Files.size());
  if (!New)
    return It->second;
  llvm::SmallString<256> Path;
  if (File) {
    Path = File->getFilename();
    if (!llvm::sys::path::is_absolute(Path)) {
      Path = File->getDirectory();
      llvm::sys::path::append(Path, File->getFilename());
    }
    if (llvm::SmallString<256> Real; !llvm::sys::fs::real_path(Path, Real))
      Path = Real;
  }
  Result.Files.push_back(Path.str().str());
  return It->second;
}

uint32_t UnitBuilder::line(const llvm::DIFile *File, unsigned Line) {
  Result.Lines.push_back({file(File), Line, 0});
  return Result.Lines.size() - 1;
}

uint32_t UnitBuilder::line(const llvm::DILocation *Loc) {
  auto [It, New] = Lines.try_emplace(Loc, Result.Lines.size());
  if (New)
    Result.Lines.push_back(Loc ? SourceLine{file(Loc->getFile()), Loc->getLine(), Loc->getColumn()} : SourceLine());
  return It->second;
}

uint32_t UnitBuilder::text(llvm::StringRef Text) {
  auto [It, New] = Texts.try_emplace(Text, Result.Texts.size());
  if (New)
    Result.Texts.push_back(Text.str());
  return It->second;
}
