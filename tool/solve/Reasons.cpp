// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why something has escaped, or is anything, in words.

#include "libraries/Names.h"
#include "solve/Analysis.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace mpishm::ir;

uint32_t Analysis::reason(std::string Text, const Unit *U, uint32_t Line) {
  Reason R;
  R.Text = std::move(Text);
  if (U) {
    Place Where = placeOf(*U, Line);
    R.File = std::move(Where.File);
    R.Line = Where.Line;
  }
  Reasons.push_back(std::move(R));
  return Reasons.size() - 1;
}

uint32_t Analysis::reason(const CallPlace &At, std::string Text) {
  return reason(std::move(Text), Instances[At.In].Of.Of, At.What->Where);
}

std::string Analysis::whyWrittenAnywhere() const {
  if (!WritesAnywhere)
    return "";
  const std::string Result = "the program writes at an address that it makes of a number";
  for (const Instance &I : Instances)
    for (const Constraint &C : I.Of.Code->Constraints) {
      bool Makes = C.Is == Constraint::Kind::ToAddress || C.Is == Constraint::Kind::Load;
      if (!Makes || C.To == NoNode || I.Base + C.To != FirstMadeUp)
        continue;
      const Place Where = placeOf(*I.Of.Of, C.Where);
      return Where.Line
                 ? Result + " (" + llvm::sys::path::filename(Where.File).str() + ":" + std::to_string(Where.Line) + ")"
                 : Result;
    }
  return Result;
}

const Reason *Analysis::whyEscaped(const Token &T) const {
  auto It = EscapedHandles.find(const_cast<Graph &>(G).number(T.whole()));
  return It == EscapedHandles.end() ? nullptr : &Reasons[It->second.front()];
}

/// "is in 'x', which is in memory of malloc (a.c:3), which ": a handle's way out of sight, of which nobody reads more
/// than the beginning and the end.
static std::string wayThrough(llvm::ArrayRef<std::string> Objects) {
  constexpr size_t Begin = 2, Most = 4;
  std::string Result;
  for (size_t I = 0; I < Objects.size(); ++I) {
    bool Skips = Objects.size() > Most && I == Begin;
    if (Skips)
      I = Objects.size() - 1;
    Result += (Skips ? "(" + std::to_string(I - Begin + 1) + " steps on) is in " : "is in ") + Objects[I] + ", which ";
  }
  return Result;
}

/// One more object on the way. Of objects that are called alike, as those that one function makes, the way between is
/// left out: it would say the same again.
static void step(std::vector<std::string> &Way, std::string Name) {
  auto Again = llvm::find(Way, Name);
  if (Again != Way.end())
    Way.erase(Again + 1, Way.end());
  else
    Way.push_back(std::move(Name));
}

/// By the shortest way from \p T; what is told is told of the first object that leads there.
std::vector<Reason> Analysis::whysEscaped(const Token &T) const {
  constexpr size_t Most = 24;
  std::vector<Reason> Result;
  auto It = EscapedHandles.find(const_cast<Graph &>(G).number(T.whole()));
  if (It == EscapedHandles.end())
    return Result;
  std::set<std::tuple<std::string, std::string, unsigned>> Told;
  auto Tell = [&](const Reason &First, std::string Text) {
    if (Result.size() < Most && Told.insert({First.Text, First.File, First.Line}).second)
      Result.push_back({std::move(Text), First.File, First.Line, std::nullopt});
  };
  const Reason &Counts = Reasons[It->second.front()];
  Tell(firstOf(Counts), describe(Counts));
  std::deque<std::pair<uint32_t, std::vector<std::string>>> Next; // reasons, and the objects that lead there
  for (uint32_t Why : It->second)
    Next.push_back({Why, {}});
  llvm::DenseSet<uint32_t> Seen;
  for (; !Next.empty() && Result.size() < Most; Next.pop_front()) {
    const auto &[Why, Way] = Next.front();
    const Reason &R = Reasons[Why];
    if (!R.Object) {
      Tell(R, wayThrough(Way) + withPlainNames(R.Text));
      continue;
    }
    if (!Seen.insert(*R.Object).second)
      continue;
    const MemoryObject &O = Heap[*R.Object];
    std::vector<std::string> Further = Way;
    step(Further, withPlainNames(O.Name));
    Next.push_back({O.WhyEscaped, Further});
    if (auto Again = EscapedAgain.find(*R.Object); Again != EscapedAgain.end())
      for (uint32_t Other : Again->second)
        Next.push_back({Other, Further});
  }
  return Result;
}

const Reason *Analysis::whyLeftAsNumber(const Token &T) const {
  auto It = LeftHandles.find(const_cast<Graph &>(G).number(T.whole()));
  return It == LeftHandles.end() ? nullptr : &Reasons[It->second];
}

const Reason *Analysis::whyAnything(uint32_t Node) const {
  if (G.isAnything(Node))
    return &Reasons[G.whyAnything(Node)];
  for (uint32_t T : G.tokensOf(Node))
    if (G.token(T).Is == Token::Kind::Narrow)
      return &Reasons[G.token(T).Id];
  return nullptr;
}

const Reason &Analysis::firstOf(const Reason &Why) const {
  const Reason *R = &Why;
  while (R->Object)
    R = &Reasons[Heap[*R->Object].WhyEscaped];
  return *R;
}

std::string Analysis::describe(const Reason &Why) const {
  std::vector<std::string> Way;
  const Reason *R = &Why;
  for (; R->Object; R = &Reasons[Heap[*R->Object].WhyEscaped])
    step(Way, withPlainNames(Heap[*R->Object].Name));
  return wayThrough(Way) + withPlainNames(R->Text);
}
