// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffers/PointsTo.h"
#include "libraries/Names.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <deque>
#include <numeric>
#include <tuple>

using namespace mpishm;

namespace {
/// What libraries do that the analysis of LLVM IR knows by names. Those of BLAS, LAPACK and CBLAS are known as long as
/// the program defines none of these itself.
class Libraries {
public:
  explicit Libraries(const Program &P)
      : LinearIsLibrarys(llvm::none_of(ir::libraryRows(), [&](const ir::LibraryRow &R) {
          return R.IsLinear && P.isSeen((llvm::Twine(Prefix) + R.Name).str());
        })) {}

  /// Whether the callee of \p A, which is not the program's, reads and writes what the argument of \p Parameter points
  /// to, and gives nothing back: neither to the C library nor, the same address, to its caller.
  bool forgets(const PointerArgument &A, const PointerNode *Parameter) const {
    const ir::LibraryRow *Row = rowOf(A);
    if (!Row)
      return false;
    if (Row->IsLinear)
      return LinearIsLibrarys;
    return llvm::StringRef("vnsL").contains(Row->Effects.front()) &&
           llvm::StringRef(".ilqnzyxrRdtwWbv8").contains(effectOn(*Row, Parameter));
  }

  /// Whether the callee of \p A, which forgets it, only reads text or bytes in what it points to, or nothing. Where
  /// these are of an address, LLVM IR shows.
  bool readsText(const PointerArgument &A, const PointerNode *Parameter) const {
    const ir::LibraryRow *Row = rowOf(A);
    return !Row->IsLinear && llvm::StringRef(".twWbu").contains(effectOn(*Row, Parameter));
  }

  /// Whether what the argument of \p Parameter points to is a lock, say, of which the callee alone knows what is in it.
  bool locks(const PointerArgument &A, const PointerNode *Parameter) const {
    const ir::LibraryRow *Row = rowOf(A);
    return Row && effectOn(*Row, Parameter) == 'o' &&
           llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"pthread_", "sem_", "mtx_", "cnd_"},
                        [&](llvm::StringRef Start) { return Row->Name.starts_with(Start); });
  }

  /// Whether the callee of \p A is a function of the system's, of which is known what it keeps.
  bool isKnown(const PointerArgument &A) const {
    const ir::LibraryRow *Row = rowOf(A);
    return Row && !Row->IsLinear;
  }

private:
  /// That of the callee of \p A, unless it has other arguments: another library may have a function of such a name.
  static const ir::LibraryRow *rowOf(const PointerArgument &A) {
    llvm::StringRef Callee = A.Callee;
    const ir::LibraryRow *Row = Callee.consume_front(Prefix) ? ir::findLibraryRow(Callee) : nullptr;
    return Row && (!Row->IsExact || Row->Effects.size() == A.Count + 1) ? Row : nullptr;
  }

  /// What it does with the argument of \p Parameter; 0: not known.
  static char effectOn(const ir::LibraryRow &Row, const PointerNode *Parameter) {
    llvm::StringRef Number = Parameter ? llvm::StringRef(Parameter->Id) : "", Arguments = Row.Effects.drop_front();
    unsigned Index = 0;
    if (Number.rsplit('#').second.getAsInteger(10, Index) || Arguments.empty())
      return 0;
    return Arguments[std::min<size_t>(Index, Arguments.size() - 1)];
  }

  static constexpr llvm::StringLiteral Prefix = "c:@F@"; ///< of the Ids of what C calls so
  bool LinearIsLibrarys;
};
} // namespace

/// A node of the graph of copies.
struct PointsTo::CopyNode {
  std::vector<const CopyNode *> To;
};

template <> struct llvm::GraphTraits<const PointsTo::CopyNode *> {
  using NodeRef = const PointsTo::CopyNode *;
  using ChildIteratorType = std::vector<NodeRef>::const_iterator;
  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) { return N->To.begin(); }
  static ChildIteratorType child_end(NodeRef N) { return N->To.end(); }
};

PointsTo::PointsTo(const Program &Whole, const PointerFacts &All) : P(Whole), Facts(All) {
  size_t Count = Facts.Nodes.size() + findHolders();
  for (auto *PerNode : {&Sets, &Done, &Edges})
    PerNode->resize(Count);
  for (auto *PerNode : {&Loads, &Stores, &Views, &Types})
    PerNode->resize(Count);
  for (auto *PerNode : {&Touched, &Left, &Queued})
    PerNode->resize(Count);
  Parent.resize(Count);
  std::iota(Parent.begin(), Parent.end(), 0);
  if (Facts.Nodes.empty())
    return;
  findWrappers();
  addFacts();
  sortMarks();
  // What the program itself does with its pointers first: from out of sight comes each address that went there, and
  // then it cannot be told any more by which way one did.
  for (bool First : {true, false}) {
    OutsideWaits = First;
    push(find(OutsideNode));
    propagate();
    if (!gaveUp())
      explain();
  }
}

/// The elements of a container have their own address among what they hold, so that it is found through iterators and
/// references. What code out of sight reads where numbers are is only what was stored there: by that it does not get
/// their address. Gives back the number of nodes beside those of Facts.
size_t PointsTo::findHolders() {
  Holder.resize(Facts.Nodes.size());
  std::iota(Holder.begin(), Holder.end(), 0);
  size_t More = 0;
  for (const VectorDeclaration &V : Facts.Vectors)
    if (V.Elements != NoNode && Holder[V.Elements] == V.Elements)
      Holder[V.Elements] = Facts.Nodes.size() + More++;
  return More;
}

/// A function is a wrapper when each of its definitions is one, and each function that it calls for memory is.
void PointsTo::findWrappers() {
  std::map<std::string, std::set<Node>> Calls;
  std::set<std::string> None;
  for (const AllocationWrapper &W : Facts.Wrappers) {
    if (W.Makes.empty() && W.Calls.empty())
      None.insert(W.Function);
    Wrappers[W.Function].insert(W.Makes.begin(), W.Makes.end());
    Calls[W.Function].insert(W.Calls.begin(), W.Calls.end());
  }
  for (const std::string &Function : None)
    Wrappers.erase(Function);
  std::map<Node, std::string> CalleeOf;
  for (const ResultCall &C : Facts.Results)
    if (C.As.Makes != NoNode)
      CalleeOf[C.As.Makes] = C.Callee;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto It = Wrappers.begin(); It != Wrappers.end();) {
      auto &[Function, Makes] = *It;
      bool Fresh = P.isSeen(Function);
      for (Node Call : Calls[Function]) {
        auto Callee = CalleeOf.find(Call);
        auto Inner = Callee == CalleeOf.end() ? Wrappers.end() : Wrappers.find(Callee->second);
        Fresh &= Inner != Wrappers.end();
        if (!Fresh)
          break;
        size_t Before = Makes.size();
        Makes.insert(Inner->second.begin(), Inner->second.end());
        Changed |= Makes.size() != Before;
      }
      Changed |= !Fresh;
      It = Fresh ? std::next(It) : Wrappers.erase(It);
    }
  }
}

void PointsTo::push(Node N) {
  if (!Queued[N]) {
    Queued[N] = true;
    Work.push_back(N);
  }
}

PointsTo::Node PointsTo::find(Node N) const {
  while (Parent[N] != N)
    N = Parent[N] = Parent[Parent[N]];
  return N;
}

void PointsTo::addEdge(Node From, Node To) {
  From = find(From);
  To = find(To);
  if (From == To || !Edges[From].test_and_set(To))
    return;
  ++Steps;
  if (waits(From))
    return;
  if ((Sets[To] |= Sets[From]))
    push(To);
}

void PointsTo::escape(Node Value, const Place &Where, std::string What) {
  addEdge(Value, OutsideNode);
  Marks.push_back({Value, {Where, std::move(What)}});
}

/// What a pointer of \p Value points to is read and written out of sight, and the pointer is forgotten.
void PointsTo::compute(Node Value, const Place &Where, std::string What) {
  Loads[Value].push_back(OutsideNode);
  Stores[Value].push_back(OutsideNode);
  push(Value);
  ReadMarks.push_back({Value, {Where, std::move(What)}});
}

void PointsTo::addFacts() {
  Sets[OutsideNode].set(OutsideNode);
  for (const VectorDeclaration &V : Facts.Vectors)
    if (V.Elements != NoNode)
      addEdge(Holder[V.Elements], V.Elements);
  for (const RecordLayout &L : Facts.Layouts)
    Layouts[L.Record].insert(L.Fields.begin(), L.Fields.end());
  for (const PointerFlow &F : Facts.Flows)
    switch (F.What) {
    case PointerFlow::Kind::Copy:
      addEdge(F.From, F.To);
      break;
    case PointerFlow::Kind::Address:
      Sets[F.To].set(F.From);
      push(F.To);
      break;
    case PointerFlow::Kind::Load:
      Loads[F.From].push_back(F.To);
      break;
    case PointerFlow::Kind::Store:
      Stores[F.To].push_back(F.From);
      break;
    }
  for (const RecordView &V : Facts.Views)
    Views[V.Value].push_back(V.Record);
  llvm::StringSet<> Defined;
  for (const std::string &Id : Facts.Defined)
    Defined.insert(Id);
  for (Node N = 0; N < Facts.Nodes.size(); ++N) {
    const PointerNode &Storage = Facts.Nodes[N];
    if (Storage.Record != NoNode)
      addType(N, Storage.Record);
    llvm::StringRef Function = Storage.Id;
    if (Function.consume_back("#result") && !P.isSeen(Function))
      addEdge(OutsideNode, N);
    if (Storage.External && !Defined.contains(Storage.Id)) {
      Sets[OutsideNode].set(N);
      Marks.push_back(
          {N, {Place(), "can be reached by '" + Storage.Name + "', which is defined outside the database"}});
    }
  }
  for (const ResultCall &C : Facts.Results) {
    auto Wrapper = C.As.Makes == NoNode ? Wrappers.end() : Wrappers.find(C.Callee);
    if (Wrapper != Wrappers.end()) {
      Sets[C.Value].set(C.As.Makes);
      push(C.Value);
      for (Node Inner : Wrapper->second) // what realloc keeps
        addEdge(Inner, C.As.Makes);
    } else {
      addEdge(C.Returned, C.Value);
    }
  }
  const Libraries Known(P);
  for (const PointerArgument &A : Facts.Arguments) {
    const PointerNode *Parameter = A.Parameter == NoNode ? nullptr : &Facts.Nodes[A.Parameter];
    // Which functions a pointer leads to, LLVM IR shows, as long as it neither comes from out of sight nor is
    // converted.
    const llvm::StringRef Callee = A.Callee;
    const bool IsFollowed = Callee.starts_with("indirect:") && P.IsWhole && !P.ForeignFunctionTypes.contains(Callee) &&
                            !P.ConvertedFunctionTypes.contains(Callee);
    if (P.isSeen(Callee) || IsFollowed) {
      if (Parameter)
        addEdge(A.Value, A.Parameter);
    } else if (Known.forgets(A, Parameter)) {
      if (!Known.readsText(A, Parameter))
        compute(A.Value, A.Where, "may be in memory that is handed to '" + A.CalleeName + "'");
    } else if (!Known.locks(A, Parameter)) {
      const char *Why = Known.isKnown(A) ? "', which may keep it or give it back" : "', which is not in the database";
      escape(A.Value, A.Where, "is handed to '" + A.CalleeName + Why);
    }
  }
  for (const PointerEscape &E : Facts.Escapes)
    escape(E.Value, E.Where, E.What);
}

void PointsTo::propagate() {
  while ((!Work.empty() || !Merging.empty()) && !gaveUp()) {
    if (Steps >= NextCollapse) {
      collapse();
      NextCollapse = Steps + 10 * Sets.size(); // so that a small program has it amid its steps, too
    }
    if (!Merging.empty()) { // not amid a step, which goes through what this changes
      auto [A, B] = Merging.back();
      Merging.pop_back();
      merge(A, B);
      continue;
    }
    Node N = Work.back();
    Work.pop_back();
    Queued[N] = false;
    step(N);
  }
}

/// What is new in the set of \p N goes on.
void PointsTo::step(Node N) {
  if (find(N) != N || waits(N))
    return;
  NodeSet New;
  New.intersectWithComplement(Sets[N], Done[N]);
  Done[N] = Sets[N];
  apply(N, New);
  if (N == find(OutsideNode))
    for (Node Storage : New)
      leave(Storage);
}

/// What \p N does with what it points to, it does with \p New.
void PointsTo::apply(Node N, const NodeSet &New) {
  if (!Loads[N].empty() || !Stores[N].empty() || !Views[N].empty())
    for (Node Storage : New) {
      for (Node To : Loads[N])
        addEdge(To == OutsideNode ? Holder[Storage] : Storage, To);
      for (Node From : Stores[N])
        addEdge(From, Holder[Storage]);
      if (!Loads[N].empty() || !Stores[N].empty())
        touch(Storage);
      for (Node Record : Views[N])
        addType(Storage, Record);
      ++Steps;
    }
  for (Node Each : Edges[N]) {
    ++Steps;
    if (Node To = find(Each); To != N && (Sets[To] |= New))
      push(To);
  }
}

/// What is copied in a cycle is in all nodes of that. (Cycle elimination as Fähndrich, Foster, Su and Aiken 1998 have
/// it, at intervals.) Of edges to what is one node now, one is left.
void PointsTo::collapse() {
  std::vector<CopyNode> Graph(Sets.size() + 1);
  CopyNode &Entry = Graph.back(); // leads to all
  for (Node N = 0; N < Sets.size(); ++N) {
    if (find(N) != N)
      continue;
    std::vector<Node> Targets;
    for (Node To : Edges[N])
      Targets.push_back(find(To));
    llvm::sort(Targets);
    Targets.erase(llvm::unique(Targets), Targets.end());
    llvm::erase(Targets, N);
    Edges[N].clear();
    for (Node To : Targets) {
      Edges[N].set(To);
      if (!waits(N))
        Graph[N].To.push_back(&Graph[To]);
    }
    Entry.To.push_back(&Graph[N]);
  }
  const CopyNode *First = Graph.data();
  for (auto Cycle = llvm::scc_begin<const CopyNode *>(&Entry); !Cycle.isAtEnd(); ++Cycle)
    for (const CopyNode *Other : llvm::drop_begin(*Cycle))
      Merging.push_back({static_cast<Node>(Cycle->front() - First), static_cast<Node>(Other - First)});
}

/// \p A and \p B, each of which gets what the other has, are one node from now on: as two, what comes to code out of
/// sight would be handed to and fro between it and each storage that it has.
void PointsTo::merge(Node A, Node B) {
  A = find(A);
  B = find(B);
  if (A == B)
    return;
  if (B == find(OutsideNode)) // whose set is the largest
    std::swap(A, B);
  apply(B, Done[A]); // what was done with at A is new to B alone
  Parent[B] = A;
  for (auto *PerNode : {&Loads, &Stores, &Views}) {
    llvm::append_range((*PerNode)[A], (*PerNode)[B]);
    (*PerNode)[B] = {};
  }
  Edges[A] |= Edges[B];
  Sets[A] |= Sets[B];
  for (auto *PerNode : {&Sets, &Done, &Edges})
    (*PerNode)[B].clear();
  push(A);
}

void PointsTo::addType(Node Storage, Node Record) {
  std::vector<Node> &Known = Types[Storage];
  if (llvm::is_contained(Known, Record) || Storage == OutsideNode)
    return;
  Known.push_back(Record);
  if (Known.size() > 1) // used as several kinds of record
    touch(Storage);
  if (Touched[Storage])
    joinFields(Storage, Record);
  if (Left[Storage])
    joinFields(OutsideNode, Record);
}

/// The bytes of \p Storage are read or written as pointers.
void PointsTo::touch(Node Storage) {
  if (Touched[Storage])
    return;
  Touched[Storage] = true;
  for (Node Record : Types[Storage])
    joinFields(Storage, Record);
}

void PointsTo::joinFields(Node Storage, Node Record) {
  auto It = Layouts.find(Record);
  if (It == Layouts.end())
    return;
  for (Node Field : It->second)
    Merging.push_back({Storage, Field});
  if (Holder[Storage] != Storage)
    Merging.push_back({Holder[Storage], Storage});
}

/// Code that we do not see has the address of \p Storage: it may read what is there, and write.
void PointsTo::leave(Node Storage) {
  if (Left[Storage])
    return;
  Left[Storage] = true;
  Merging.push_back({OutsideNode, Storage});
  for (Node Record : Types[Storage])
    joinFields(OutsideNode, Record);
}

/// Sorts marks by place, those without one to the end.
void PointsTo::sortMarks() {
  for (auto *Each : {&Marks, &ReadMarks})
    llvm::stable_sort(*Each, [](const auto &A, const auto &B) {
      auto Key = [](const OutsideMark &M) { return std::tie(M.Where.File, M.Where.Offset, M.What); };
      if (A.second.Where.File.empty() != B.second.Where.File.empty())
        return B.second.Where.File.empty();
      return Key(A.second) < Key(B.second);
    });
}

/// Finds for all storage that is outside, and has none yet, the mark that led there, the first by place where there are
/// several. A pointer that comes from out of sight may be to all that is there, and has led there what no other has.
void PointsTo::explain() {
  std::deque<Node> Next;
  std::vector<bool> Walked(Sets.size()); // all that such a node may point to has its mark
  auto ReachFrom = [&](Node Value, const OutsideMark *Mark) {
    if (Walked[find(Value)] || waits(Value))
      return;
    Walked[find(Value)] = true;
    for (Node Storage : of(Value))
      if (Storage != OutsideNode && Why.try_emplace(Storage, Mark).second)
        Next.push_back(Storage);
  };
  for (bool FromOutside : {false, true}) {
    for (const auto &[Value, Mark] : Marks)
      if (of(Value).test(OutsideNode) == FromOutside)
        ReachFrom(Value, &Mark);
    for (const auto &[Value, Mark] : ReadMarks)
      if (of(Value).test(OutsideNode) == FromOutside && !waits(Value))
        for (Node Storage : of(Value))
          ReachFrom(Holder[Storage], &Mark);
    while (!Next.empty()) {
      Node Storage = Next.front();
      Next.pop_front();
      const OutsideMark *Mark = Why.at(Storage);
      ReachFrom(Storage, Mark);
      for (Node Record : Types[Storage])
        if (auto It = Layouts.find(Record); It != Layouts.end())
          for (Node Field : It->second)
            ReachFrom(Field, Mark);
    }
  }
}

const OutsideMark *PointsTo::whyOutside(Node Storage) const {
  auto It = Why.find(Storage);
  return It == Why.end() ? nullptr : It->second;
}
