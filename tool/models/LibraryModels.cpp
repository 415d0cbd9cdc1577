// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libraries have before the program calls them, and what code that nothing is known of may do with it.

#include "models/LibraryModels.h"
#include "libraries/Names.h"

using namespace mpishm;
using namespace mpishm::ir;

LibraryModels::LibraryModels(const LinkedProgram &Program, const AnalysisOptions &How)
    : Solver(Program, How, makesMemory) {
  for (uint32_t *Each : {&LibraryNumber, &Split, &KeptByThreads, &InEnvironment})
    *Each = G.newNode();
  G.addAnyInteger(LibraryNumber);
  G.addInteger(Split, 0);
  G.addInteger(KeptByThreads, 0);
}

void LibraryModels::meetUnknown(const CallPlace &At, const UnknownCallee &Callee) {
  for (const std::optional<uint32_t> &Object : {OptionText, Environment})
    if (Object)
      Heap.escape(*Object, reason(At, "may be set by ", Callee));
  escape(InEnvironment, reason(At, "is in the environment, where it may be found by ", Callee));
}

bool LibraryModels::keepsNothing(const Callback &Of, const LinkedFunction &F) const {
  bool OfStream = Of.OfStream && findLibraryRow(F.Name);            // what that does is known
  bool OfLibrary = Of.OfObject && llvm::is_contained(F.Objects, 0); // what that does with the object is known, too
  return OfStream || OfLibrary || isHarmless(F.Name);
}

static bool isEnvironment(const LinkedVariable &V) {
  return llvm::is_contained({"environ", "__environ", "_environ"}, V.Name) && !V.IsDefined && !V.IsExposed;
}

/// The environment is one variable of three names.
std::optional<uint32_t> LibraryModels::sharedObject(const LinkedVariable &V) const {
  return isEnvironment(V) ? Environment : std::nullopt;
}

bool LibraryModels::addContents(uint32_t Object, const LinkedVariable &V) {
  const bool IsOptionText = V.Name == "optarg" && !V.IsDefined && !V.IsExposed;
  if (IsOptionText)
    OptionText = Object;
  if (isEnvironment(V))
    addEnvironment(Object);
  return addNumbers(Object, V) || addTable(Object, tableOf(V)) || addStream(Object, V) || addFile(Object, V) ||
         addOnce(Object, V) || ((IsOptionText || isEnvironment(V)) && !CallsUnknown);
}

/// The environment: text of the library, as main may get it, and what putenv adds. If the program puts an array of its
/// own in its place, getenv finds the texts of that.
void LibraryModels::addEnvironment(uint32_t Object) {
  Environment = Object;
  uint32_t Address = G.newNode(), Arrays = G.newNode(), Texts = G.newNode();
  G.add(Address, {Token::Kind::Memory, Object, {0, 0}});
  G.addCopy(Arguments, Arrays);
  G.addCopy(newPlainMemory("the environment", libraryText()), Arrays);
  G.addRule(Address, {Rule::Kind::Store, NoNode, Arrays, NoNode, 8});
  G.addRule(Address, {Rule::Kind::Load, Arrays, NoNode, NoNode, 8});
  G.addRule(Arrays, {Rule::Kind::Contents, Texts, NoNode, NoNode, Unknown});
  G.addCopy(Texts, libraryText());
}
