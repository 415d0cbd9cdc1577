// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where values may go in a whole program: from main, and from what runs before it, through every function that is
// reached. Code out of sight may do anything with what reaches it: what it gets has *escaped*.
//
// What is known of functions without bodies stands above this room, in models/, which derives from the Solver.

#ifndef MPISHM_TOOL_SOLVE_SOLVER_H
#define MPISHM_TOOL_SOLVE_SOLVER_H

#include "graph/Memory.h"
#include "link/Program.h"
#include "mpi/Functions.h"
#include "solve/SolverParts.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace mpishm::ir {

/// Why something escapes, or is anything: what happens, and where. Where another reason led to that, it is pointed to,
/// and put into words at the end: Solver::describe.
struct Reason {
  std::string Text;
  std::string File;
  unsigned Line = 0;
  /// It is in this object, which has escaped. No text then.
  std::optional<uint32_t> Object = {};
  /// It is of a function, as Text says, which code out of sight may call because of this reason.
  std::optional<uint32_t> Exposed = {};
  /// Text ends with a function, which is anything because of this reason.
  std::optional<uint32_t> Callee = {};
};

/// Why a handle escapes.
struct EscapeReason : Reason {
  /// What led to it, into the solver's reasons: first that of the handle, last the one that counts.
  std::vector<uint32_t> Chain;
};

struct AnalysisOptions {
  bool IsWhole = true;                              ///< all callers are known
  std::set<std::string> TrustedCalls, TrustedFully; ///< as in ClassesOptions
  uint64_t MostSteps = 0, MostTokens = 0;           ///< the same
  bool KeepsTrail = false;                          ///< ways through the program will be asked for, see Graph::Trail
};

class Solver : Graph::Client, Memory::Client, protected SolverParts {
public:
  ~Solver() override = default;

  /// Follows everything. False when that takes more than it may: then nothing is known.
  bool run();

  llvm::ArrayRef<uint32_t> tokensOf(uint32_t Node) const { return G.tokensOf(Node); }
  const Token &token(uint32_t T) const { return G.token(T); }
  /// Why \p T, a handle, is known to code out of sight, or null.
  const Reason *whyEscaped(const Token &T) const;
  /// All of that, as far as it is kept: each as describe() says it, with the place where it begins; those that begin
  /// with the same are one. The first is whyEscaped().
  std::vector<EscapeReason> whysEscaped(const Token &T) const;
  /// Why \p T, a handle, or some bits of it, have left as numbers, or null.
  const Reason *whyLeftAsNumber(const Token &T) const;
  /// Why \p Node may be anything; null when it cannot be.
  const Reason *whyAnything(uint32_t Node) const;
  /// Whether that is for no other reason than that an address was made of a number.
  bool isMadeUp(uint32_t Node) const { return whyAnything(Node) == Reasons.data(); }
  /// That the program writes at an address that was made of a number, and where that is made, if it is known. Nothing
  /// when it does not: "the program writes at an address that it makes of a number (a.c:3)".
  std::string whyWrittenAnywhere() const;
  /// \p Why in words, with what led there: "is stored in 'x', ...".
  std::string describe(const Reason &Why) const;
  const Reason &firstOf(const Reason &Why) const;
  /// \p Why, and what led to it, as in EscapeReason.
  std::vector<uint32_t> chainOf(const Reason &Why) const;
  /// The sites to which nothing comes that was read, but which other code could call or have called, by names.
  std::set<uint32_t> uncalledSites() const;
  /// Whether the program defines \p Function itself.
  bool isDefined(llvm::StringRef Function) const;

  /// They see all that was found, and add nothing.
  friend class ProgramMemory;
  friend class Packers;
  friend class ScratchFinder;
  friend class FlowFinder;
  friend class FlowPlaces;

  struct Size {
    size_t Functions, Nodes, Objects, Edges;
    uint64_t Steps;
  };
  Size size() const { return {Instances.size(), G.nodes(), Heap.size(), G.edges(), G.steps()}; }

protected:
  /// \p MakesMemory says whether a function without a body does, by its name.
  Solver(const LinkedProgram &Program, const AnalysisOptions &Options,
         llvm::function_ref<bool(llvm::StringRef)> MakesMemory);

  // What is known of what has no body.

  /// A function whose name is MPI's; if \p IsSeen, the program defines it.
  virtual void callMpi(const CallPlace &At, llvm::StringRef Name, bool IsSeen) = 0;
  /// A function of a library. False when nothing is known of it.
  virtual bool callLibrary(const CallPlace &At, llvm::StringRef Name) = 0;
  /// A function in a table of a library's, see isOfTable.
  virtual void callTable(const CallPlace &At, uint32_t Index) = 0;
  /// The first call of what nothing is known of.
  virtual void meetUnknown(const CallPlace &At, const UnknownCallee &Callee) = 0;
  /// Whether \p F, without a body, keeps nothing of what \p Of gives it.
  virtual bool keepsNothing(const Callback &Of, const LinkedFunction &F) const = 0;
  /// The object that \p V is another name of; if it is none, nothing.
  virtual std::optional<uint32_t> sharedObject(const LinkedVariable &V) const = 0;
  /// Adds what is known to be in \p Object, which is \p V. False when nothing is.
  virtual bool addContents(uint32_t Object, const LinkedVariable &V) = 0;
  /// What the address of a variable of MPI's stands for, by its name.
  virtual std::optional<Token> constantOfMpi(llvm::StringRef Name) const = 0;
  /// Whether \p Text, as a format, prints or reads other addresses than those of text.
  virtual bool usesAddresses(llvm::StringRef Text) const = 0;
  /// Exceptions may be of a library.
  virtual void addLibraryException() = 0;
  /// What is loaded from a table of a library's.
  virtual void loadFromTable(const Rule &R, const Token &T) = 0;
  /// \p R is of a kind that only calls of these functions make.
  virtual void applyModel(const Rule &R, const Token &T) = 0;

  // What that consists of: the arguments of a call (Calls.cpp),
  uint32_t argument(const CallPlace &At, unsigned Index);
  uint32_t result(const CallPlace &At);
  std::optional<int64_t> literal(const CallPlace &At, unsigned Index) const;
  const Symbol *symbolOf(const CallPlace &At, unsigned Index) const;
  bool isPointer(const CallPlace &At, unsigned Index) const;
  bool isFloating(const CallPlace &At, unsigned Index) const;
  uint32_t reason(const CallPlace &At, std::string Text);
  uint32_t reason(const CallPlace &At, llvm::StringRef Text, const UnknownCallee &Callee);
  uint32_t reason(std::string Text, const Unit *U = nullptr, uint32_t Line = 0);
  // what it does with memory (Calls.cpp, Counts.cpp, Primitives.cpp),
  uint32_t newHeap(const CallPlace &At, std::string_view What, int64_t Size);
  MemoryPlace memoryAt(const CallPlace &At, uint32_t ObjectOrNode) const;
  uint32_t newMemory(std::string Name, uint32_t Contents);
  uint32_t newPlainMemory(std::string Name, uint32_t Addresses = NoNode);
  uint32_t stringText();
  uint32_t placeAt(uint32_t Address, int64_t Offset, int64_t Each = 0);
  void storeAt(uint32_t Address, int64_t Offset, uint32_t What);
  uint32_t loadFrom(uint32_t Address, int64_t Offset, int64_t Each = 0, int64_t Bytes = 8);
  void fill(uint32_t Address, uint32_t From, int64_t Length, int64_t Element = 0) {
    G.addRule(Address, {Rule::Kind::Fill, NoNode, From, NoNode, Length, 0, Element});
  }
  void contents(uint32_t Address, uint32_t To, int64_t Length, int64_t Element = 0) {
    G.addRule(Address, {Rule::Kind::Contents, To, NoNode, NoNode, Length, 0, Element});
  }
  void copyMemory(uint32_t To, uint32_t From, int64_t Length);
  void bindCount(uint32_t Node, const Rule &R);
  void fillCounted(uint32_t Address, uint32_t From, uint32_t Count, int64_t Bytes = 1, int64_t Element = 0) {
    bindCount(Count, {Rule::Kind::FillCounted, Address, From, NoNode, Bytes, 0, Element});
  }
  void copyCounted(const CallPlace &At, unsigned To, unsigned From, unsigned Count);
  void exchangeElements(const CallPlace &At, unsigned Address, uint32_t Out, uint32_t In);
  // whom it calls, and what goes out of sight (Calls.cpp, Escapes.cpp),
  void callBack(uint32_t Function, std::vector<uint32_t> Arguments, uint32_t Result, uint32_t Why,
                bool IsTrusted = false);
  void exposeFunction(uint32_t Function, uint32_t Why);
  void escape(uint32_t Node, uint32_t Why);
  void showNumber(uint32_t Number, uint32_t Why, Leaves Counts = Leaves::All);
  void goOut(uint32_t Bytes, uint32_t Why);
  void letBack();
  // and variables.
  uint32_t variable(uint32_t Index);
  void addAddress(uint32_t To, const Linked &L, int64_t Offset);
  bool isOfTable(uint32_t Function) const { return Function >= P.Functions.size(); }

  const LinkedProgram &P;
  Graph G{*this};
  Memory Heap{G, *this};
  std::vector<Reason> Reasons{1};
  std::vector<Instance> Instances;
  std::deque<CallPlace> Places;
  std::vector<Callback> Callbacks;
  std::vector<MemoryPlace> Allocations;                  ///< by object
  std::vector<std::vector<uint32_t>> InstancesOf;        ///< by function: those that are no clones
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> Entered; ///< place and instance
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> Called;  ///< place and function
  std::map<uint32_t, uint32_t> CalledUnknown; ///< places, and why what goes to a function that may be any escapes
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> Invoked; ///< callback and function
  llvm::DenseSet<uint32_t> LentObjects;                  ///< of which code out of sight has addresses, see lend()
  bool CallsUnknown = false;                             ///< functions are called that nothing is known of
  llvm::DenseSet<uint32_t> ExposedFunctions;
  uint32_t Written = NoNode;                ///< bytes that went out, to files and other processes
  std::map<uint32_t, uint32_t> LeftObjects; ///< whose addresses left as numbers, to reason
  /// The object of all constant strings that as formats use no addresses but those of text.
  std::optional<uint32_t> Texts;
  uint32_t Zero = NoNode, AnyNumber = NoNode, Exceptions = NoNode, Arguments = NoNode;

private:
  // Rules and memory (Rules.cpp, Many.cpp).
  void apply(const Rule &R, uint32_t At, uint32_t T) override;
  void applyToAll(const Rule &R, uint32_t At, llvm::ArrayRef<uint32_t> New) override;
  bool applyToMany(const Rule &R, llvm::ArrayRef<uint32_t> Memory);
  int64_t partNumber(const Part &Of);
  void initialise(const Function &Code, const Constraint &C, uint32_t Object, uint32_t From);
  void applyToMemory(const Rule &R, const Token &T);
  void applyToAnything(const Rule &R, uint32_t Why);
  void applyToMadeUp(const Rule &R, uint32_t At);

  // Numbers, and places in objects (Numbers.cpp, Counts.cpp).
  void addImage(const Rule &R, const Token &T, llvm::SmallVectorImpl<Token> &Images) const;
  bool addExactly(const Rule &R, uint32_t Address, llvm::ArrayRef<uint32_t> Numbers, int64_t Sign);
  bool staysAnySource(Operation Op, unsigned Side, llvm::ArrayRef<uint32_t> Operand) const;
  void combine(const Rule &R) override;
  bool isPlace(const Region &N) const;
  /// Whether \p T is a number that, added to an address or cut out of it, leads to no other object.
  static bool isDistance(const Token &T);
  bool leavesIndex(llvm::ArrayRef<uint32_t> Tokens) const;
  bool areAddresses(llvm::ArrayRef<uint32_t> Tokens) const;
  void derive(uint32_t To, const Token &T);
  void offset(const Rule &R, uint32_t T, bool IsPointer = true);
  void convert(const Rule &R, uint32_t T);
  void virtualEntry(const Rule &R, const Token &T);
  void movedBy(const Rule &R, const Token &T);
  void aligned(const Rule &R, uint32_t T);
  void addMadeUp(uint32_t To);
  void addNumber(uint32_t To, const Region &Number);
  void doCounted(const Rule &R, const Token &Count);
  bool settleCounts();

  // What leaves sight (Escapes.cpp), and why (Reasons.cpp).
  uint32_t reasonIn(uint32_t Object);
  void exposeCell(uint32_t Object, const Cell &C) override;
  void exposeHead(uint32_t Object, uint32_t Head) override;
  void escapeMemory(uint32_t Object, uint32_t Why);
  void escapeToken(uint32_t T, uint32_t Why);
  void lend(const Token &Address, bool Known, uint32_t Why);
  void note(Whys &Known, uint32_t Why) const;
  void leaveAsNumber(uint32_t T, uint32_t Why);
  const Reason *next(const Reason &R) const;
  void addStep(WayOut &Way, const Reason &R) const;
  std::string textOf(const Reason &R) const;

  // Code (Solver.cpp).
  void begin();
  bool solve();
  uint32_t instantiate(const Body &B);
  bool settleDifferences();
  bool settleAddresses();
  bool exposeUncalled();
  void addConstraints(uint32_t Index);
  void addConstraint(uint32_t Index, const Constraint &C);
  const std::vector<uint32_t> &reach(uint32_t Function);
  std::vector<uint32_t> reachFrom(const CallPlace &At, uint32_t Function);
  std::optional<uint32_t> hiddenRecords(const Function &Code, uint32_t Index);
  uint32_t nodeOf(uint32_t Index, Node N) const { return N == NoNode ? NoNode : Instances[Index].Base + N; }

  // Members of objects (Members.cpp).
  void addMember(uint32_t To, uint32_t From, int64_t Offset, const std::string &Class);
  void member(const Rule &R, uint32_t T);
  void findTable(uint32_t Members, const Token &Table);
  void allow(uint32_t Members);
  bool settleMembers();

  // Objects of classes that are derived from a library's (Extensions.cpp).
  void extend(uint32_t T, uint32_t Why);
  void findExtension(uint32_t Number, const Token &Table);
  void giveAsLibrarys(const Extended &Object, int64_t Part);
  void callFunctionsOf(const Extended &Object, uint32_t Table);
  bool settleExtensions();

  // Calls (Calls.cpp).
  void callFunction(uint32_t Place, uint32_t Function);
  void callOf(uint32_t Place, uint32_t Receiver);
  void callFor(uint32_t Place, uint32_t Receiver, uint32_t Function);
  bool fits(const CallPlace &At, const Function &Code) const;
  void enter(uint32_t Place, uint32_t Callee);
  void callUnlisted(uint32_t Place, const LinkedFunction &F);
  void callMadeUp(uint32_t Place);
  void callUnknown(uint32_t Place, uint32_t Why, std::optional<uint32_t> Receiver = std::nullopt);
  void handOver(const CallPlace &At, const UnknownCallee &Callee, const LinkedFunction *Known = nullptr,
                uint32_t Without = NoNode);
  bool callTrusted(const CallPlace &At, const std::string &Name);
  void invoke(uint32_t Callback, uint32_t Function);

  AnalysisOptions Options;
  std::vector<Difference> Differences;
  std::vector<std::pair<uint32_t, uint32_t>> Locals; ///< objects of variables, and the instances that they are of
  std::deque<std::pair<uint32_t, uint32_t>> Escapes; ///< objects that are to escape, and reasons
  llvm::DenseSet<uint32_t> Escaping;                 ///< objects that were ever among them
  std::vector<const Part *> Parts;                   ///< of records, of which an address is taken: none twice
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t>, int64_t> PartNumbers; ///< into Parts
  std::vector<uint32_t> LoadedAddresses;                                         ///< nodes
  std::vector<uint32_t> CallsWaiting;            ///< into Instances: their constraints are to be added
  std::vector<bool> HasClones;                   ///< by function
  std::vector<bool> IsCloned;                    ///< by function, see findCloned
  std::vector<std::optional<uint32_t>> ObjectOf; ///< by variable
  /// What an object at this address, a token, leads to on this way: nodes. See callOf().
  std::map<std::pair<uint32_t, std::vector<std::pair<int64_t, Access>>>, uint32_t> VirtualFunctions;
  std::vector<std::string> ClassNames; ///< that have tables of virtual functions
  std::map<std::string, uint32_t> ClassNumbers;
  std::vector<MembersOf> Members;
  bool HasUnread = false; ///< code that is not read, but may be the program's: it knows all classes
  std::vector<Extended> Extensions;
  std::map<uint32_t, uint32_t> ExtensionAt;                    ///< by the object's address, a token
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> MembersAt; ///< by the object's address, a token, and class
  llvm::DenseMap<uint32_t, uint32_t> VariableOf;               ///< by object
  /// By what is done, with which nodes, how many bytes are counted each time, and in elements of how many.
  std::map<std::tuple<Rule::Kind, uint32_t, uint32_t, int64_t, int64_t>, Counted> CountedWrites;
  std::vector<std::pair<uint32_t, Rule>> Counts;  ///< rules, and where they wait for a number or datatype
  llvm::DenseMap<uint32_t, Whys> EscapedHandles;  ///< by token
  llvm::DenseMap<uint32_t, Whys> EscapedAgain;    ///< by object, after the first reason
  llvm::DenseMap<uint32_t, uint32_t> LeftHandles; ///< the same of those that left in parts
  bool MakesUpAddresses = false;
  uint32_t WrittenAt = NoNode;                   ///< such a node, if the program writes there
  uint32_t FirstMadeUp = NoNode;                 ///< of the nodes that are addresses made of numbers
  std::optional<uint32_t> CallsBack;             ///< reason, when code out of sight may call what nothing in sight does
  llvm::DenseMap<uint32_t, uint32_t> InObject;   ///< escaped object to the reason of what it holds
  std::map<std::string, uint32_t> HiddenRecords; ///< by their names: their addresses, as far as others know them
  uint32_t StoredOutside = NoNode;               ///< what is stored at addresses that are anything, and any number
  std::map<uint32_t, uint32_t> LeftFunctions;    ///< as LeftObjects
  std::optional<uint32_t> AddressFormats, Strings; ///< objects of all other constant strings, and of all of std::string
  uint32_t Lent = NoNode, StringText = NoNode;
  std::optional<MpiConstant> World, Self, AnySource;
};

} // namespace mpishm::ir

#endif
