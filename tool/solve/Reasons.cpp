// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why something has escaped, or is anything, in words.

#include "libraries/Names.h"
#include "solve/Solver.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace mpishm::ir;

uint32_t Solver::reason(std::string Text, const Unit *U, uint32_t Line) {
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

uint32_t Solver::reason(const CallPlace &At, std::string Text) {
  return reason(std::move(Text), Instances[At.In].Of.Of, At.What->Where);
}

uint32_t Solver::reason(const CallPlace &At, llvm::StringRef Text, const UnknownCallee &Callee) {
  uint32_t Result = reason(At, (Text + Callee.Name).str());
  Reasons[Result].Callee = Callee.Why;
  return Result;
}

std::string Solver::whyWrittenAnywhere() const {
  if (WrittenAt == NoNode)
    return "";
  std::string Result = "the program writes at an address that it makes of a number";
  for (const Instance &I : Instances)
    for (const Constraint &C : I.Of.Code->Constraints) {
      bool Makes =
          C.Is == Constraint::Kind::ToAddress || C.Is == Constraint::Kind::MovedBy || C.Is == Constraint::Kind::Load;
      if (!Makes || C.To == NoNode || I.Base + C.To != FirstMadeUp)
        continue;
      const Place Where = placeOf(*I.Of.Of, C.Where);
      return Where.Line
                 ? Result + " (" + llvm::sys::path::filename(Where.File).str() + ":" + std::to_string(Where.Line) + ")"
                 : Result;
    }
  return Result;
}

const Reason *Solver::whyEscaped(const Token &T) const {
  auto It = EscapedHandles.find(const_cast<Graph &>(G).number(T.whole()));
  return It == EscapedHandles.end() ? nullptr : &Reasons[It->second.front()];
}

/// "is in 'x', which is an argument of 'f', which ": a handle's way out of sight, of which nobody reads more than the
/// beginning and the end.
static std::string wayThrough(llvm::ArrayRef<std::string> Steps) {
  constexpr size_t Begin = 2, Most = 4;
  std::string Result;
  for (size_t I = 0; I < Steps.size(); ++I) {
    if (Steps.size() > Most && I == Begin) {
      I = Steps.size() - 1;
      Result += "(" + std::to_string(I - Begin + 1) + " steps on) ";
    }
    Result += Steps[I] + ", which ";
  }
  return Result;
}

/// One more step on the way that \p R tells of. Between steps that are called alike, as objects that one function
/// makes, the way is left out: it would say the same again. So is a function that is exposed by another such.
void Solver::addStep(WayOut &Way, const Reason &R) const {
  if (R.Exposed && Way.WasExposed)
    return;
  Way.WasExposed = R.Exposed.has_value();
  std::string Text = withPlainNames(R.Object ? "is in " + Heap[*R.Object].Name : R.Text);
  auto Again = llvm::find(Way.Steps, Text);
  if (Again != Way.Steps.end())
    Way.Steps.erase(Again + 1, Way.Steps.end());
  else
    Way.Steps.push_back(std::move(Text));
}

const Reason *Solver::next(const Reason &R) const {
  return R.Object ? &Reasons[Heap[*R.Object].WhyEscaped] : R.Exposed ? &Reasons[*R.Exposed] : nullptr;
}

/// The text of \p R, to which no other led. A function that is anything since another such has made it is told as that
/// one: a chain of calls would have no end.
std::string Solver::textOf(const Reason &R) const {
  std::string Text = withPlainNames(R.Text);
  if (!R.Callee)
    return Text;
  const Reason *Callee = &Reasons[*R.Callee];
  while (std::optional<uint32_t> Further = firstOf(*Callee).Callee)
    Callee = &Reasons[*Further];
  return Text + " that " + describe(*Callee);
}

/// By the shortest way from \p T; what is told is told of the first object that leads there.
std::vector<EscapeReason> Solver::whysEscaped(const Token &T) const {
  constexpr size_t Most = 24;
  std::vector<EscapeReason> Result;
  auto It = EscapedHandles.find(const_cast<Graph &>(G).number(T.whole()));
  if (It == EscapedHandles.end())
    return Result;
  std::set<std::tuple<std::string, std::string, unsigned>> Told;
  auto Tell = [&](const Reason &First, std::string Text, std::vector<uint32_t> Chain) {
    if (Result.size() < Most && Told.insert({First.Text, First.File, First.Line}).second)
      Result.push_back({{std::move(Text), First.File, First.Line}, std::move(Chain)});
  };
  const Reason &Counts = Reasons[It->second.front()];
  Tell(firstOf(Counts), describe(Counts), chainOf(Counts));
  struct Arrival {
    WayOut Way; ///< what leads there
    std::vector<uint32_t> Chain;
  };
  std::deque<Arrival> Next;
  for (uint32_t Why : It->second)
    Next.push_back({{}, {Why}});
  llvm::DenseSet<uint32_t> Seen;
  for (; !Next.empty() && Result.size() < Most; Next.pop_front()) {
    Arrival At = std::move(Next.front());
    const uint32_t Why = At.Chain.back();
    const Reason &R = Reasons[Why];
    if (!Seen.insert(Why).second)
      continue;
    if (!R.Object && !R.Exposed) {
      Tell(R, wayThrough(At.Way.Steps) + textOf(R), std::move(At.Chain));
      continue;
    }
    addStep(At.Way, R);
    auto GoOn = [&](uint32_t To) {
      Next.push_back(At);
      Next.back().Chain.push_back(To);
    };
    GoOn(R.Object ? Heap[*R.Object].WhyEscaped : *R.Exposed);
    if (R.Object)
      for (uint32_t Other : EscapedAgain.lookup(*R.Object))
        GoOn(Other);
  }
  return Result;
}

const Reason *Solver::whyLeftAsNumber(const Token &T) const {
  auto It = LeftHandles.find(const_cast<Graph &>(G).number(T.whole()));
  return It == LeftHandles.end() ? nullptr : &Reasons[It->second];
}

const Reason *Solver::whyAnything(uint32_t Node) const {
  if (G.isAnything(Node))
    return &Reasons[G.whyAnything(Node)];
  for (uint32_t T : G.tokensOf(Node))
    if (G.token(T).Is == Token::Kind::Narrow)
      return &Reasons[G.token(T).Id];
  return nullptr;
}

std::vector<uint32_t> Solver::chainOf(const Reason &Why) const {
  std::vector<uint32_t> Result;
  for (const Reason *R = &Why; R; R = next(*R))
    Result.push_back(R - Reasons.data());
  return Result;
}

const Reason &Solver::firstOf(const Reason &Why) const {
  const Reason *R = &Why;
  while (const Reason *Further = next(*R))
    R = Further;
  return *R;
}

std::string Solver::describe(const Reason &Why) const {
  WayOut Way;
  const Reason *R = &Why;
  for (; next(*R); R = next(*R))
    addStep(Way, *R);
  return wayThrough(Way.Steps) + textOf(*R);
}
