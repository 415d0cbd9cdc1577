// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types of vectors: `using Numbers = std::vector<double>;`. What is declared by one of them has its type where
// that is written, as several variables of one declaration have.

#include "vectors/VectorReader.h"
#include "vectors/VectorTypes.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

/// Types of a vector's that are the same whatever allocator it has, if that is one for every type; of a nest its
/// elements' are not.
static bool isPlainMemberType(llvm::StringRef Name, QualType Of) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("size_type", "difference_type", true)
      .Cases("value_type", "reference", "const_reference", "pointer", "const_pointer", isFlat(Of))
      .Default(false);
}

/// \p Loc may be where an alias is named. Unless that is said to be plain, by plainMention, its type has to stay.
void VectorReader::mention(TypeLoc Loc) {
  if (auto Alias = Loc.getAs<TypedefTypeLoc>(); Alias && isVectorAlias(Alias.getTypedefNameDecl()))
    Mentions.push_back({Alias.getNameLoc(), Alias.getTypedefNameDecl()});
  if (auto Using = Loc.getAs<UsingTypeLoc>()) {
    const auto *Alias = dyn_cast<TypedefNameDecl>(Using.getFoundDecl()->getTargetDecl());
    if (Alias && isVectorAlias(Alias))
      Mentions.push_back({Using.getNameLoc(), Alias});
  }
  auto Member = Loc.getAs<ElaboratedTypeLoc>();
  const NestedNameSpecifierLoc Before = Member ? Member.getQualifierLoc() : NestedNameSpecifierLoc();
  if (!Before || !Before.getNestedNameSpecifier()->getAsType())
    return;
  auto Named = Member.getNamedTypeLoc().getAs<TypedefTypeLoc>();
  TypedefTypeLoc Alias = aliasWrittenIn(Before.getTypeLoc());
  if (Alias && Named && isPlainMemberType(Named.getTypedefNameDecl()->getName(), Alias.getType()))
    plainMention(Alias);
}

/// What is declared by \p D has to keep its type.
void VectorReader::keepAlias(const TypedefNameDecl *D, const llvm::Twine &Why, SourceLocation Loc) {
  WrittenVector Vector = writtenIn(D->getTypeSourceInfo()->getTypeLoc());
  if (Vector && !Where.isLibrary(Vector.Innermost.getRAngleLoc()))
    Facts.VectorMisuses.push_back({idOfWritten(Vector.Innermost.getRAngleLoc()), Why.str(), Where.at(Loc)});
}

/// \p D is declared: an alias; or one of other elements in this unit; or, behind the type that is written for one,
/// another type.
void VectorReader::alias(const TypedefNameDecl *D) {
  const TypeSourceInfo *Written = D->getTypeSourceInfo();
  WrittenVector Vector = Written ? writtenIn(Written->getTypeLoc()) : WrittenVector();
  if (!Vector)
    return;
  if (D->getPreviousDecl())
    for (const TypedefNameDecl *Each : D->redecls())
      keepAlias(Each, "has its type from '" + D->getName() + "', which is declared more than once", D->getLocation());
  if (isVectorAlias(D))
    Aliases.push_back(D);
  else if (isVector(Written->getType()) && !vectorIn(Written->getType()))
    keepAlias(D, OtherElements, D->getLocation());
  else
    Others.push_back({Vector.Innermost.getRAngleLoc(), D});
}

/// An instance of a function template that is asked for by types which nothing here says how they were written.
void VectorReader::instantiate(const FunctionDecl *F) {
  const TemplateArgumentList *Arguments = F->getTemplateSpecializationArgs();
  if (Arguments && isTemplateExplicitInstantiationOrSpecialization(F->getTemplateSpecializationKind()))
    eachType(Arguments->asArray(), [&](QualType T) { InstantiatesVectors |= mentionsVector(T); });
}

void VectorReader::finishAliases() {
  for (const auto &[Loc, D] : Mentions)
    if (!PlainMentions.contains(Loc))
      keepAlias(D,
                "has its type from '" + D->getName() +
                    "', which is named here in another way than to declare a variable, parameter or result",
                Loc);
  if (InstantiatesVectors)
    for (const TypedefNameDecl *D : Aliases)
      keepAlias(D, "has its type from '" + D->getName() + "', by which a template may be instantiated",
                D->getLocation());
}
