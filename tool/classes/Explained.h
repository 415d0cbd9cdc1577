// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways of handles, for the reasons of those classes that the user asks about.

#ifndef MPISHM_TOOL_CLASSES_EXPLAINED_H
#define MPISHM_TOOL_CLASSES_EXPLAINED_H

#include "classes/ValueClasses.h"
#include "models/Analysis.h"
#include <functional>
#include <map>
#include <tuple>

namespace mpishm::ir {

class Explained {
public:
  /// \p Asked, if it is not null, says whether the user asks about the call whose name stands there.
  Explained(const Analysis &Values, std::function<bool(const Place &Call)> Asked)
      : A(Values), IsAsked(std::move(Asked)) {}

  /// \p Why is that the handle \p T escapes, for the reasons \p Chain as in EscapeReason.
  void add(const Refusal &Why, const Token &T, std::vector<uint32_t> Chain);
  /// \p Why is that the node \p Given may be anything.
  void add(const Refusal &Why, uint32_t Given);
  /// \p Why is that the program writes at an address that it makes of a number.
  void addWriting(const Refusal &Why) { add(Why, NoNode); }
  /// Finds the ways, of what has been added to reasons of \p To.
  void addFlows(std::vector<ValueClass> &To);

private:
  /// What the way is of: a handle, or a node; of neither, an address at which the program writes.
  struct Subject {
    std::optional<Token> Handle;
    std::vector<uint32_t> Chain;
    uint32_t Given = NoNode;
    std::optional<Flow> Found = {};
  };
  using Key = std::tuple<Refusal::Subject, std::string, std::string, std::string, unsigned>;
  static Key keyOf(const Refusal &Why) { return {Why.Of, Why.Call, Why.Text, Why.File, Why.Line}; }

  const Analysis &A;
  const std::function<bool(const Place &Call)> IsAsked;
  std::map<Key, Subject> Subjects;
};

} // namespace mpishm::ir

#endif
