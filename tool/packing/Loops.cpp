// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Loops.h"
#include "packing/Harmless.h"
#include "packing/Regions.h"
#include "packing/Texts.h"
#include "syntax/Callees.h"
#include "syntax/WholeCalls.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

namespace {

class LoopsReader : public SendReader {
public:
  LoopsReader(ASTContext &C, const Places &P, const Pair &What, const FunctionDecl *In)
      : SendReader(C, P, What, In, nullptr), Loops(cast<ForStmt>(What.Packs)), Block(What.Around.front().first),
        InLoops(What.Packs), InOrder(In) {}

  bool read(PackedSend &Result);

private:
  std::string whyNotEditable(PackedSend &Result) const;
  bool readCover(bool Substitutes, bool Settles, PackedSend &Result);
  std::optional<Address> placeOf(const Cover &C, Terms &Outer);
  std::string whyNotTheirs(const VarDecl *Target);
  bool changesIn(const Stmt *E, const Uses &Statements) const;
  bool mentionsBuffer() const;
  bool readStore(const Cover &C, PackedSend &Result) const;

  const ForStmt *Loops;
  const CompoundStmt *Block;
  const Uses InLoops;
  const Order InOrder;
  std::vector<const FunctionDecl *> Calls;
};

} // namespace

/// Whether \p Statements change a variable that \p E names.
bool LoopsReader::changesIn(const Stmt *E, const Uses &Statements) const {
  const auto *Name = dyn_cast<DeclRefExpr>(E);
  if (Name && Name->getType()->isScalarType() && Statements.changes(Name->getDecl()))
    return true;
  return llvm::any_of(E->children(), [&](const Stmt *Child) { return Child && changesIn(Child, Statements); });
}

/// The pointers and arrays, variables or members, that \p S names.
static void addPointers(const Stmt *S, llvm::DenseSet<const ValueDecl *> &Found) {
  const ValueDecl *D = nullptr;
  if (const auto *Name = dyn_cast<DeclRefExpr>(S))
    D = Name->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(S))
    D = Member->getMemberDecl();
  if (D && (D->getType()->isPointerType() || D->getType()->isArrayType()))
    Found.insert(D);
  for (const Stmt *Child : S->children())
    if (Child)
      addPointers(Child, Found);
}

/// Whether the loops name a pointer that the buffer's address is made of.
bool LoopsReader::mentionsBuffer() const {
  llvm::DenseSet<const ValueDecl *> Buffer, Used;
  addPointers(argument(0), Buffer);
  addPointers(Loops, Used);
  return llvm::any_of(Buffer, [&](const ValueDecl *D) { return Used.contains(D); });
}

/// Why the loops do not have \p Target, by which they pack, for themselves: a variable that is declared before them,
/// with nothing between that could change where it points to.
std::string LoopsReader::whyNotTheirs(const VarDecl *Target) {
  const char *Used = "the pointer that packs is used outside of the loops, too";
  if (Uses::countIn(Sender->getBody(), Target) != 1)
    return Used;
  bool Declared = false;
  std::vector<const Stmt *> Since{Loops};
  for (const Stmt *S : Block->body()) {
    if (S == Loops)
      break;
    if (const auto *Declares = dyn_cast<DeclStmt>(S); Declares && llvm::is_contained(Declares->decls(), Target)) {
      Declared = true;
      continue;
    }
    if (!Declared)
      continue;
    Harmless Rest(OfSender, nullptr); // which knows no labels
    if (!Rest.is(S))
      return "something is done after it was found out where to pack";
    llvm::append_range(Calls, Rest.calls());
    Since.push_back(S);
  }
  return !Declared || changesIn(Target->getInit(), Uses(Since)) ? Used : "";
}

std::string LoopsReader::whyNotEditable(PackedSend &Result) const {
  if (!Context.getLangOpts().C99 && !Context.getLangOpts().CPlusPlus)
    return "loops declare no variables in the language of its file";
  SourceLocation Begin = Block->getLBracLoc();
  for (const Stmt *S : Block->body()) {
    if (S == Loops)
      break;
    Begin = SM.getExpansionRange(S->getEndLoc()).getEnd();
  }
  llvm::StringRef Before = textOf(Begin, Loops->getBeginLoc());
  if (Before.empty() || hasDirective(Before) || Before.contains("_Pragma"))
    return "directives of the preprocessor stand in the text";
  return SendReader::whyNotEditable(Result);
}

/// Where the loops pack.
std::optional<Address> LoopsReader::placeOf(const Cover &C, Terms &Outer) {
  return C.Target ? Outer.first(C.Target) : Outer.address(C.To);
}

/// Fills in how the loops are told to write elsewhere. False: the text cannot.
bool LoopsReader::readStore(const Cover &C, PackedSend &Result) const {
  if (C.Target) {
    Result.Target = C.Target->getNameAsString();
    return true;
  }
  SourceLocation Begin = C.To->getBeginLoc(), End = C.To->getEndLoc();
  std::optional<std::string> Text = plainText(C.To, C.To, Context);
  if (!isInMainFile(Begin) || !isInMainFile(End) || !Text || Text->find(',') != std::string::npos)
    return false;
  Result.Target = *Text;
  Result.Store = Where.at(Begin);
  Result.StoreText = textOf(Begin, End).str();
  return true;
}

/// False: they pack something else than what is sent.
bool LoopsReader::readCover(bool Substitutes, bool Settles, PackedSend &Result) {
  Terms Outer(Context, OfSender);
  if (Substitutes)
    Outer.substitute();
  if (Settles)
    Outer.settle(&InOrder, Loops);
  std::string Why;
  Calls.clear();
  std::optional<Cover> C = coverOf(Loops, Block, OfSender, Outer, Context, Calls, Why);
  if (!C)
    return mentionsBuffer() && refuse(Result, Why);
  std::optional<Address> To = placeOf(*C, Outer), From = Outer.address(argument(0));
  if (!To || !From || !(*To == *From))
    return false;
  if (C->Target)
    if (std::string Not = whyNotTheirs(C->Target); !Not.empty())
      return refuse(Result, Not);
  if (!isOfElement(C->Target ? C->Target->getType()->getPointeeType() : C->To->getType()->getPointeeType()))
    return refuse(Result, "its elements are of another type than those that are packed");
  if (std::string Other = whyOtherLength(*C, Outer, Result); !Other.empty())
    return refuse(Result, Other);
  for (unsigned I = 0; I < 6; ++I)
    if (changesIn(argument(I), InLoops))
      return refuse(Result, "the loops that pack it change an argument of the send");
  if (Outer.early() && !isKeptSince(Outer.early()))
    return refuse(Result, "how much is packed may change after it was found out how much is sent");
  if (!isInMainFile(Loops->getBeginLoc()) || !readStore(*C, Result))
    return refuse(Result, "a macro packs it");
  if (std::string Not = whyNotEditable(Result); !Not.empty())
    return refuse(Result, Not);
  Result.Refused.clear();
  Result.Rows = C->Turn.size() > 1 ? C->Turn.front().Text : "1";
  Result.Row = C->Turn.back().Text;
  Result.CountsBefore = Outer.early();
  for (const FunctionDecl *F : Calls)
    if (LinkedName Name = nameOf(F); !llvm::is_contained(Result.Calls, Name))
      Result.Calls.push_back(std::move(Name));
  RegionReader(Context, Where, Both, Sender, InOrder).read(Result);
  return true;
}

bool LoopsReader::read(PackedSend &Result) {
  Result.InSender = true;
  Result.Loops = Where.at(Loops->getBeginLoc());
  Result.LoopsWord = wordAt(Loops->getBeginLoc());
  return readAny(Result, 3, [&](size_t Way, PackedSend &Found) {
    return readCover(/*Substitutes=*/Way == 2, /*Settles=*/Way == 1, Found);
  });
}

bool mpishm::readLoopsBefore(ASTContext &Context, const Places &Where, const Pair &Both, const FunctionDecl *Sender,
                             PackedSend &Result) {
  if (Sender->isConstexpr() || Sender->isConsteval())
    return false;
  return LoopsReader(Context, Where, Both, Sender).read(Result);
}
