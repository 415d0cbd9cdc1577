// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes with sets of tokens, edges along which tokens go on, and rules that say what else follows from a token: an
// inclusion-based analysis, solved with a worklist. Nodes that only hand tokens round in a cycle are made one.

#ifndef MPISHM_TOOL_GRAPH_GRAPH_H
#define MPISHM_TOOL_GRAPH_GRAPH_H

#include "constraints/Constraints.h"
#include "graph/Sets.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>
#include <memory>
#include <tuple>
#include <vector>

namespace mpishm::ir {

/// What leaves sight as a number: of all that a node may be, or of some of that.
enum class Leaves : uint8_t { All, Handles, Addresses, Requests /**< and matched messages */ };

/// What follows from each token of the node that it is at.
struct Rule {
  enum class Kind : uint8_t {
    Index,         ///< To may be the address of an element by it, an index, of A, a Derivation
    Offset,        ///< Constraint::Kind::Offset
    Part,          ///< To may be the address of the part B, A bytes on
    Member,        ///< To may be the same, of what is A bytes into an object of the class B
    TableOf,       ///< it is at the beginning of what the members A want to know of
    Convert,       ///< Constraint::Kind::Convert
    Head,          ///< Constraint::Kind::Head
    ToAddress,     ///< Constraint::Kind::ToAddress
    MovedBy,       ///< Constraint::Kind::MovedBy
    Aligned,       ///< Constraint::Kind::Aligned of the call C in the instance A
    VirtualEntry,  ///< To may be the address of the virtual function that it is in a table at Other
    Binary,        ///< Constraint::Kind::Binary: Other and Second are the operands, this node one of them
    Load,          ///< To may be what A bytes there hold, as the Access C
    LoadElement,   ///< the same of each element of an array of such
    Store,         ///< A bytes there may be Other, as the Access C
    Fill,          ///< A bytes there (or Unknown) may be made of bits of Other; with C not 0 in elements of C bytes
    Contents,      ///< To may be made of bits of what A bytes there (or Unknown) hold; with B not 0 of constants only,
                   ///< with C not 0 in elements of C bytes
    StreamText,    ///< memory there may be made of bits of Other, and To of those of what it holds
    CopyFrom,      ///< the memory copy A reads there
    CopyTo,        ///< the memory copy A writes there
    CopyCounted,   ///< so many times A bytes go from the address Other to the address To
    FillCounted,   ///< so many times A bytes at the address To may be made of bits of Other; C as for Fill
    ReadCounted,   ///< Other may be made of bits of what so many times A bytes at the address To hold
    Call,          ///< it is what the call A goes to
    CallOf,        ///< it is what the virtual call A is of
    CallFor,       ///< it is what the virtual call A goes to when it is of the token B
    CallMadeUp,    ///< it leads to what the virtual call A goes to, or is that: of whatever object, if it was made of a
                   ///< number or is a function in a table of a library's
    Invoke,        ///< it is what the callback A calls
    Escape,        ///< it goes out of sight, for the reason A
    Lend,          ///< the same, as the address of floating-point numbers; B: of nothing else, see Solver::lend
    Extend,        ///< the same, as the address of an object of a class of a library's
    Extension,     ///< it is at the beginning of the object A that a library has
    EscapeOther,   ///< the same, unless it is an address of memory
    LeaveAsNumber, ///< it goes out of sight as a number, for the reason A, and may come back as one, if it is of what
                   ///< B, one of Leaves, says; with C not 0 unless it is in parts
    InPlace,       ///< sends the buffer that A numbers if this may be MPI_IN_PLACE
    HoldsOthers,   ///< a datatype: something comes to To when it may hold other things than floating-point numbers
    Datatype,      ///< the message of the exchange A may be of this datatype
    Count, ///< the message of the exchange A may have so many elements of B bytes, with C floating-point numbers
    Carry, ///< the message of the exchange A may carry whatever is in memory
    Format ///< Other is printed by it, to To or out of sight, for the reason A; with C not 0, Other is where is
           ///< written what is read by it. Does something unless the format is a text without addresses and characters
  };
  Kind Is = Kind::Index;
  uint32_t To = NoNode, Other = NoNode, Second = NoNode;
  int64_t A = 0, B = 0, C = 0;
};

/// The graph. What rules do is another's: the Client's.
class Graph {
public:
  class Client {
  public:
    virtual ~Client() = default;
    /// Token \p T has come to a node at which \p R is.
    virtual void apply(const Rule &R, uint32_t At, uint32_t T) = 0;
    /// Tokens \p New have come there, in the order of tokensOf(): does what apply() does for each.
    virtual void applyToAll(const Rule &R, uint32_t At, llvm::ArrayRef<uint32_t> New) {
      for (uint32_t T : New)
        apply(R, At, T);
    }
    /// Tokens have come to an operand of \p R, a binary operation.
    virtual void combine(const Rule &R) = 0;
  };

  explicit Graph(Client &C) : Owner(C) {}

  uint32_t newNode();
  /// The tokens of \p Node, in the order of TokenSets. Good until solve() goes on.
  llvm::ArrayRef<uint32_t> tokensOf(uint32_t Node) const { return Sets[Nodes[find(Node)].All]; }
  bool has(uint32_t Node, uint32_t T) const { return Sets.contains(Nodes[find(Node)].All, T); }
  const Token &token(uint32_t T) const { return Tokens[T]; }
  uint32_t number(const Token &T) { return Tokens.number(T); }

  void addToken(uint32_t Node, uint32_t T) {
    if (Kept)
      noteBegin(Node, T);
    addSet(Node, Sets.single(T), 0);
  }
  void add(uint32_t Node, const Token &T) { addToken(Node, Tokens.number(T)); }
  void addInteger(uint32_t Node, int64_t Value) { add(Node, {Token::Kind::Integer, 0, {Value, 0}}); }
  void addAnyInteger(uint32_t Node) { addToken(Node, AnyInteger); }
  /// Adds \p T to \p To since it, or what it is a part of, is at \p From.
  void handOn(uint32_t From, uint32_t To, uint32_t T) {
    if (Kept)
      Kept->Edges.insert({From, To});
    addSet(To, Sets.single(T), 0);
  }
  /// \p Node may be anything, for the reason \p Why.
  void addAnything(uint32_t Node, uint32_t Why) {
    if (Kept)
      noteBegin(Node, Anything);
    addSet(Node, Sets.single(Anything), Why);
  }
  /// Code out of sight has the memory object \p Id. Unless it \p IsConstant, what is loaded there may be anything:
  /// then one address of such memory at a node, like anything, may stand for those of all memory that has escaped.
  void setEscaped(uint32_t Id, bool IsConstant) { Sets.setEscaped(Id, IsConstant); }
  /// Whether one does, at \p Node.
  bool hasOutside(uint32_t Node) const { return Sets.hasOutside(Nodes[find(Node)].All); }
  bool isAnything(uint32_t Node) const { return Sets.hasAnything(Nodes[find(Node)].All); }
  uint32_t whyAnything(uint32_t Node) const { return Nodes[find(Node)].Why; }
  void addCopy(uint32_t From, uint32_t To);
  /// \p To may be made of bits of \p From.
  void addDerived(uint32_t From, uint32_t To);
  void addRule(uint32_t Node, const Rule &R);

  /// The node between \p Tokens, addresses by which \p R loads or stores, and all that does the same by the same: so
  /// that where many load from many, edges are as many as these together, not their product. True when it is new, and
  /// nothing is known yet of what is there.
  std::pair<uint32_t, bool> jointNode(const Rule &R, llvm::ArrayRef<uint32_t> Tokens);
  /// Adds to \p Node what \p Image adds of each of \p Tokens for \p R, which depends on nothing else: asked once for
  /// all rules that do the same with the same.
  void addImages(uint32_t Node, const Rule &R, llvm::ArrayRef<uint32_t> Tokens,
                 llvm::function_ref<void(const Token &T, llvm::SmallVectorImpl<Token> &Images)> Image);

  /// Handles all that is new, at most \p Steps nodes, whose different sets have no more than \p Most tokens together.
  /// False when there was more.
  bool solve(uint64_t Steps, uint64_t Most = ~0ULL);

  /// What else would be lost when nodes become one, for those who ask for ways through the graph.
  struct Trail {
    struct Step {
      uint32_t From = NoNode, To = NoNode;
      Rule::Kind By = Rule::Kind::Index;
      int64_t A = 0; ///< of the rule
    };
    llvm::DenseSet<std::pair<uint32_t, uint32_t>> Edges; ///< from, to: of copies, and of what is made of bits
    std::vector<Step> Rules;                          ///< those that hand on what they are at, and those without a To
    std::vector<std::pair<uint32_t, uint32_t>> Begun; ///< nodes, and tokens that came from no other node
  };
  /// Keeps it from now on. Without that there is none.
  void keepTrail() { Kept = std::make_unique<Trail>(); }
  const Trail *trail() const { return Kept.get(); }

  size_t nodes() const { return Nodes.size(); }
  size_t edges() const { return Edges.size() + DerivedEdges.size(); }
  uint64_t steps() const { return Done; }
  /// How many tokens all different sets have together.
  uint64_t tokens() const { return Sets.held(); }

private:
  struct State {
    TokenSets::Id All = TokenSets::None, Handled = TokenSets::None;
    std::vector<std::pair<TokenSets::Id, uint32_t>> Waiting; ///< to be added to All, with what addSet() is given
    std::vector<uint32_t> Copies, Derives;
    std::vector<Rule> Rules;
    uint32_t Why = 0;
    bool Queued = false;
  };

  uint32_t find(uint32_t Node) const;
  void queue(uint32_t Node);
  void addSet(uint32_t Node, TokenSets::Id Set, uint32_t Why);
  void addNow(State &S, TokenSets::Id Set, uint32_t Why);
  void addWaiting(State &S);
  void handle(uint32_t Node);
  void collapse();
  void joinTargets(std::vector<uint32_t> &Targets, uint32_t Self) const;
  void dropSets();
  /// A set, and what is done with it: Is, A, B and C of a rule.
  using Joint = std::tuple<TokenSets::Id, uint32_t, int64_t, int64_t, int64_t>;
  Joint jointOf(const Rule &R, llvm::ArrayRef<uint32_t> Tokens);
  void merge(uint32_t Into, uint32_t From);
  void noteBegin(uint32_t Node, uint32_t T);
  void noteRule(uint32_t Node, const Rule &R);
  void applyRule(const Rule &R, uint32_t At, llvm::ArrayRef<uint32_t> New);

  Client &Owner;
  TokenTable Tokens;
  TokenSets Sets{Tokens};
  uint32_t AnyInteger = Tokens.number({Token::Kind::Integer, 0, {0, 1}});
  uint32_t Anything = Tokens.number({Token::Kind::Anything, 0, {}});
  std::deque<State> Nodes; ///< does not move when nodes are made
  mutable std::vector<uint32_t> Parent;
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> Edges, DerivedEdges;
  llvm::DenseMap<Joint, uint32_t> JointNodes;
  llvm::DenseMap<Joint, TokenSets::Id> Images; ///< by the tokens that they are of
  std::deque<uint32_t> Work, Late; ///< nodes to be handled; those of which many others have what they have, after all
                                   ///< that may bring something to them
  std::unique_ptr<Trail> Kept;
  bool HandsOn = false; ///< a rule is applied whose To gets what comes from its node
  uint64_t Done = 0, NextCollapse = 50000, NextDrop = 1'000'000;
};

} // namespace mpishm::ir

#endif
