// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where values may go in a whole program: from main, and from what runs before it, through every function that is
// reached. Code out of sight may do anything with what reaches it: what it gets has *escaped*.

#ifndef MPISHM_TOOL_SOLVE_ANALYSIS_H
#define MPISHM_TOOL_SOLVE_ANALYSIS_H

#include "graph/Memory.h"
#include "link/Program.h"
#include "mpi/Functions.h"
#include "solve/AnalysisParts.h"
#include "solve/MemoryRelease.h"
#include "llvm/ADT/StringSet.h"
#include <set>

namespace mpishm::ir {

/// Why something escapes, or is anything: what happens, and where. Where another reason led to that, it is pointed to,
/// and put into words at the end: Analysis::describe.
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

/// A call of a function of MPI that the program may reach.
struct MpiCall {
  std::optional<uint32_t> Site; ///< into LinkedProgram::Sites; none: called by its address, or by another name
  const FunctionInfo *Info = nullptr;
  std::string Function;
  uint32_t Comm = NoNode, Tag = NoNode, SecondTag = NoNode; ///< as far as it has them
  uint32_t Source = NoNode;                                 ///< of a receive or probe
  uint32_t Requests = NoNode; ///< of a completion: what the requests that it is given may be
  uint32_t Message = NoNode;  ///< of a matched receive: what the message that it is given may be
  uint32_t Window = NoNode;   ///< of what uses one: what it may be
  uint32_t Number = 0;        ///< of the tokens that it makes: the site, or a number behind all sites
  /// Addresses of what is sent and received, or becomes a window's.
  uint32_t Buffer = NoNode, SecondBuffer = NoNode;
  std::string File;
  unsigned Line = 0;
};

struct AnalysisOptions {
  bool IsWhole = true;                              ///< all callers are known
  std::set<std::string> TrustedCalls, TrustedFully; ///< as in ClassesOptions
  uint64_t MostSteps = 0, MostTokens = 0;           ///< the same
};

struct LibraryRow;

class Analysis : Graph::Client, Memory::Client, AnalysisParts {
public:
  Analysis(const LinkedProgram &Program, const AnalysisOptions &Options);

  /// Follows everything. False when that takes more than it may: then nothing is known.
  bool run();

  const std::vector<MpiCall> &calls() const { return MpiCalls; }
  llvm::ArrayRef<uint32_t> tokensOf(uint32_t Node) const { return G.tokensOf(Node); }
  const Token &token(uint32_t T) const { return G.token(T); }
  /// Why \p T, a handle, is known to code out of sight, or null.
  const Reason *whyEscaped(const Token &T) const;
  /// All of that, as far as it is kept: each as describe() says it, with the place where it begins; those that begin
  /// with the same are one. The first is whyEscaped().
  std::vector<Reason> whysEscaped(const Token &T) const;
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
  /// Whether it is known what the function \p Name of a library does.
  static bool isModelled(llvm::StringRef Name);
  /// The letters of Mpi.def for the function \p Name; nothing where it has none.
  static std::optional<llvm::StringRef> mpiEffects(llvm::StringRef Name);
  /// Whether the function \p Name of a library, or of MPI, makes memory.
  static bool makesMemory(llvm::StringRef Name);
  /// Which calls may give back the memory of which, as far as the program is followed.
  std::vector<AllocatedMemory> releases() const;
  /// A line where the program allocates memory, and the sites whose messages may be in it.
  struct MessageMemory {
    std::string File;
    unsigned Line = 0;
    std::set<uint32_t> Sites; ///< into LinkedProgram::Sites
  };
  /// Of all lines where memory is allocated.
  std::vector<MessageMemory> messageMemory() const;
  /// The sites to which nothing comes that was read, but which other code could call or have called, by names.
  std::set<uint32_t> uncalledSites() const;
  /// What is executed when others call functions of the program: where it ends, on signals and errors, in threads, for
  /// attributes of MPI, and by code out of sight.
  struct Entries {
    std::set<uint32_t> Sites; ///< into LinkedProgram::Sites
    bool MayJump = false;     ///< out of it, into what was called before
  };
  Entries entries() const;
  /// Functions of MPI that the program defines itself.
  bool isDefined(llvm::StringRef Function) const;

  /// They see all that was found, and add nothing.
  friend class ProgramMemory;
  friend class Packers;
  friend class ScratchFinder;

  struct Size {
    size_t Functions, Nodes, Objects, Edges;
    uint64_t Steps;
  };
  Size size() const { return {Instances.size(), G.nodes(), Heap.size(), G.edges(), G.steps()}; }

private:
  // Rules and memory (Rules.cpp).
  void apply(const Rule &R, uint32_t At, uint32_t T) override;
  void applyToAll(const Rule &R, uint32_t At, llvm::ArrayRef<uint32_t> New) override;
  bool applyToMany(const Rule &R, llvm::ArrayRef<uint32_t> Memory);
  int64_t partNumber(const Part &Of);
  void addImage(const Rule &R, const Token &T, llvm::SmallVectorImpl<Token> &Images) const;
  bool addExactly(const Rule &R, uint32_t Address, llvm::ArrayRef<uint32_t> Numbers, int64_t Sign);
  bool staysAnySource(Operation Op, unsigned Side, llvm::ArrayRef<uint32_t> Operand) const;
  void combine(const Rule &R) override;
  uint32_t reasonIn(uint32_t Object);
  void exposeCell(uint32_t Object, const Cell &C) override;
  void exposeHead(uint32_t Object, uint32_t Head) override;
  void initialise(const Function &Code, const Constraint &C, uint32_t Object, uint32_t From);
  void applyToMemory(const Rule &R, const Token &T);
  void applyToAnything(const Rule &R, uint32_t Why);
  void applyToMadeUp(const Rule &R);
  void bindCount(uint32_t Node, const Rule &R);
  void doCounted(const Rule &R, const Token &Count);
  void exchangeElements(const CallPlace &At, unsigned Address, uint32_t Out, uint32_t In);
  void leaveAsNumber(uint32_t T, uint32_t Why);
  void letBack();
  bool solve();
  bool isPlace(const Region &N) const;
  bool areAddresses(llvm::ArrayRef<uint32_t> Tokens) const;
  void derive(uint32_t To, const Token &T);
  void offset(const Rule &R, uint32_t T, bool IsPointer = true);
  void convert(const Rule &R, uint32_t T);
  void virtualEntry(const Rule &R, const Token &T);
  void addNumber(uint32_t To, const Region &Number);
  void escapeMemory(uint32_t Object, uint32_t Why);
  void lend(const Token &Address, bool Known, uint32_t Why);
  void escapeToken(uint32_t T, uint32_t Why);
  void note(Whys &Known, uint32_t Why) const;

  // Code (Analysis.cpp).
  void begin();
  uint32_t instantiate(const Body &B);
  bool settleDifferences();
  bool settleAddresses();
  bool settleCounts();
  bool exposeUncalled();
  void addConstraints(uint32_t Index);
  void addConstraint(uint32_t Index, const Constraint &C);
  void addAddress(uint32_t To, const Linked &L, int64_t Offset);
  uint32_t variable(uint32_t Index);
  void addEnvironment(uint32_t Object);
  const std::vector<uint32_t> &reach(uint32_t Function);
  std::vector<uint32_t> reachFrom(const CallPlace &At, uint32_t Function);
  void exposeFunction(uint32_t Function, uint32_t Why);
  std::optional<uint32_t> hiddenRecords(const Function &Code, uint32_t Index);
  uint32_t reason(const CallPlace &At, std::string Text);
  uint32_t reason(const CallPlace &At, llvm::StringRef Text, const UnknownCallee &Callee);
  uint32_t reason(std::string Text, const Unit *U = nullptr, uint32_t Line = 0);
  const Reason *next(const Reason &R) const;
  void addStep(WayOut &Way, const Reason &R) const;
  std::string textOf(const Reason &R) const;
  std::vector<bool> enteredByOthers() const; // Entries.cpp, by instance
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
  static bool isHarmless(llvm::StringRef Name);
  uint32_t argument(const CallPlace &At, unsigned Index);
  uint32_t result(const CallPlace &At);
  std::optional<int64_t> literal(const CallPlace &At, unsigned Index) const;
  const Symbol *symbolOf(const CallPlace &At, unsigned Index) const;
  bool isPointer(const CallPlace &At, unsigned Index) const;
  bool isFloating(const CallPlace &At, unsigned Index) const;
  void escape(uint32_t Node, uint32_t Why);
  uint32_t newHeap(const CallPlace &At, std::string_view What, int64_t Size);
  MemoryPlace memoryAt(const CallPlace &At, uint32_t ObjectOrNode) const;
  /// What is allocated, by object, and what of that is known to code out of sight, or as bits of a number.
  struct Allocated {
    std::map<uint32_t, const MemoryPlace *> MadeAt;
    std::set<uint32_t> Known;
  };
  Allocated allocated() const;
  std::set<uint32_t> pointedTo(const Allocated &All, uint32_t Node) const;
  std::vector<Place> madeFor(const MemoryPlace &Made) const;
  void noteRelease(const CallPlace &At, llvm::StringRef Name);
  bool isOfNew(const CallPlace &At);
  void copyMemory(uint32_t To, uint32_t From, int64_t Length);
  void copyCounted(const CallPlace &At, unsigned To, unsigned From, unsigned Count);
  void fillCounted(uint32_t Address, uint32_t From, uint32_t Count) {
    bindCount(Count, {Rule::Kind::FillCounted, Address, From, NoNode, 1});
  }
  void fill(uint32_t Address, uint32_t From, int64_t Length, int64_t Element = 0) {
    G.addRule(Address, {Rule::Kind::Fill, NoNode, From, NoNode, Length, 0, Element});
  }
  void contents(uint32_t Address, uint32_t To, int64_t Length, int64_t Element = 0) {
    G.addRule(Address, {Rule::Kind::Contents, To, NoNode, NoNode, Length, 0, Element});
  }
  void callBack(uint32_t Function, std::vector<uint32_t> Arguments, uint32_t Result, uint32_t Why,
                bool IsTrusted = false);

  // Tables of libraries (LibraryTables.cpp).
  static const LibraryRow *tableOf(const LinkedVariable &V);
  bool addTable(uint32_t Object, const LibraryRow *Row);
  bool addNumbers(uint32_t Object, const LinkedVariable &V);
  void loadFromTable(const Rule &R, const Token &T);
  void callTable(const CallPlace &At, uint32_t Index);
  uint32_t objectOf(llvm::StringRef Type);
  void writeException(uint32_t Address);
  void libraryException();
  static std::optional<llvm::StringRef> facetOf(llvm::StringRef Name);
  bool callFacet(const CallPlace &At, llvm::StringRef Name);
  bool isOfTable(uint32_t Function) const { return Function >= P.Functions.size(); }

  // Streams of the libraries of C and C++ (LibraryStreams.cpp).
  static constexpr int64_t BufferOfStream = 232; ///< in a std::ios, the address of its std::streambuf
  uint32_t streamText();
  uint32_t libraryFiles();
  bool addFile(uint32_t Object, const LinkedVariable &V);
  void setText(uint32_t Address, uint32_t Text);
  void useStream(uint32_t Address, uint32_t Why);
  uint32_t locales();
  void useLocale(uint32_t Address);
  void makeStream(uint32_t Address, uint32_t Buffer);
  void makeFileBuffer(uint32_t Address);
  void copyFormat(uint32_t To, uint32_t From);
  bool addStream(uint32_t Object, const LinkedVariable &V);

  // Options of programs (Options.cpp).
  uint32_t addressOf(llvm::StringRef Name);
  bool callOptions(const CallPlace &At, llvm::StringRef Name);
  static bool isArgp(llvm::StringRef Name);
  bool callArgp(const CallPlace &At, llvm::StringRef Name);
  void parseOptions(const CallPlace &At, uint32_t Why);
  uint32_t stateOfOptions(const CallPlace &At, uint32_t Texts, uint32_t Input);
  uint32_t optionRecords(uint32_t Record);
  void helpWithOptions(uint32_t Record, uint32_t Input, uint32_t Why);
  uint32_t optionTexts(const CallPlace &At, unsigned Index);

  // Functions without bodies (LibraryCalls.cpp, Effects.cpp, Printing.cpp, OpenMp.cpp) and those of MPI (MpiCalls.cpp).
  bool isStartOfOwnVariable(llvm::StringRef Name) const;
  bool definesLinear();
  bool callLibrary(const CallPlace &At, llvm::StringRef Name);
  bool callSpecial(const CallPlace &At, llvm::StringRef Name);
  void allocate(const CallPlace &At, llvm::StringRef Name, std::optional<unsigned> SizeFrom, bool Through = false);
  void callLater(const CallPlace &At, llvm::StringRef Name);
  void startThread(const CallPlace &At);
  bool addOnce(uint32_t Object, const LinkedVariable &V);
  static bool isOpenMp(llvm::StringRef Name);
  bool callOpenMp(const CallPlace &At, llvm::StringRef Name);
  void fork(const CallPlace &At, uint32_t Why);
  void makeTask(const CallPlace &At, uint32_t Why);
  void sort(const CallPlace &At, bool With);
  void search(const CallPlace &At);
  void split(const CallPlace &At, unsigned Kept);
  void findByName(const CallPlace &At);
  bool callFloating(const CallPlace &At);
  bool applyEffects(const CallPlace &At, llvm::StringRef Name, llvm::StringRef Effects);
  uint32_t libraryMemory();
  uint32_t typedAddresses();
  uint32_t libraryText();
  uint32_t libraryRecords();
  uint32_t placeAt(uint32_t Address, int64_t Offset, int64_t Each = 0);
  void storeAt(uint32_t Address, int64_t Offset, uint32_t What);
  uint32_t loadFrom(uint32_t Address, int64_t Offset, int64_t Each = 0, int64_t Bytes = 8);
  void callRecord(uint32_t Record, bool IsSystem, uint32_t Why);
  uint32_t arrayOf(uint32_t Record);
  void writeView(uint32_t View, uint32_t Array);
  uint32_t librarysOwn(char Letter);
  uint32_t newMemory(std::string Name, uint32_t Contents);
  uint32_t newPlainMemory(std::string Name, uint32_t Addresses = NoNode);
  void showNumber(uint32_t Number, uint32_t Why, Leaves Counts = Leaves::All);
  void goOut(uint32_t Bytes, uint32_t Why);
  void applyEffect(const CallPlace &At, unsigned Index, char Effect, uint32_t Why);
  uint32_t stringText();
  void writeString(uint32_t Address);
  std::optional<llvm::StringRef> formatOf(const CallPlace &At, unsigned Index) const;
  static bool hasFormat(llvm::StringRef Name);
  static bool usesAddresses(llvm::StringRef Format);
  void useAnyFormat(const Rule &R);
  uint32_t contentsOfList(uint32_t List);
  void printList(const CallPlace &At, unsigned Format, uint32_t Bytes, uint32_t Why);
  void putOut(uint32_t From, uint32_t Bytes, uint32_t Why);
  bool callFormatted(const CallPlace &At, llvm::StringRef Name);
  void print(const CallPlace &At, unsigned Format, bool IsList, uint32_t Bytes);
  void scan(const CallPlace &At, llvm::StringRef Name, unsigned Format, bool IsList);
  uint32_t storeMade(uint32_t Address, std::string Name);
  bool callNodes(const CallPlace &At, llvm::StringRef Name);
  bool callKernel(const CallPlace &At, llvm::StringRef Name);
  void initialize(const CallPlace &At, llvm::StringRef Name);
  void callMpi(const CallPlace &At, llvm::StringRef Name, bool IsSeen);
  bool callAttributes(const CallPlace &At, llvm::StringRef Name);
  void createKey(const CallPlace &At, bool OfWindows);
  uint32_t handleCalledFor(const CallPlace &At, bool OfWindows, llvm::StringRef Whom);
  bool callErrorHandlers(const CallPlace &At, bool OfWindows, llvm::StringRef What);
  void noteCalledFor(const CallPlace &At, bool OfWindows, llvm::StringRef What);
  void createOperation(const CallPlace &At, unsigned Index, uint32_t Why);
  bool callOtherMpi(const CallPlace &At, llvm::StringRef Name, uint32_t Carried);
  void addMpiCall(const CallPlace &At, llvm::StringRef Name, const FunctionInfo &Info);
  void addOutputs(const CallPlace &At, llvm::StringRef Name, const FunctionInfo &Info);
  void addHandles(const CallPlace &At, const FunctionInfo &Info, MpiCall &Made);
  void shareMemory(const CallPlace &At, llvm::StringRef Name, unsigned Index, char Effect);
  void exchangeAll(const CallPlace &At, llvm::StringRef Name, const FunctionInfo &Info);
  void storeHandle(uint32_t Address, const Token &T);

  // Datatypes, and what messages carry (Datatypes.cpp).
  void findDatatypes();
  void makeDatatype(const CallPlace &At, llvm::StringRef Name, unsigned Index, llvm::StringRef Effects);
  std::optional<int64_t> repetitions(const CallPlace &At, llvm::StringRef Name) const;
  bool addRepeated(int64_t E, const Token &T);
  void sendInPlace(const Rule &R, const Token &T);
  void addElements(const CallPlace &At, llvm::StringRef Effects, MessageBuffer &B);
  std::optional<ElementType> namedDatatype(const Token &T) const;
  bool isNoDatatype(const Token &T) const;
  void holdsOthers(const Token &T, uint32_t To);
  void addDatatype(const Rule &R, const Token &T);
  void addCount(const Rule &R, const std::optional<Token> &T);
  void carryNumbers(const Exchange &E);
  void exchange(const CallPlace &At, const MessageBuffer &B, uint32_t Out, uint32_t In);
  void exchangeBuffer(const CallPlace &At, unsigned Index, llvm::StringRef Effects, uint32_t Carried, uint32_t Why);
  void addMessages(uint32_t Carried);
  uint32_t messagesOf(llvm::StringRef Collective, bool Reduces);
  void keepNumbers(const CallPlace &At, llvm::StringRef Effects);
  void keepAddresses(uint32_t Places, uint32_t Others);
  void carryWith(uint32_t Others, const Exchange &E);
  void carryOnce(Exchange &E);
  void carry(const Exchange &E);

  const LinkedProgram &P;
  AnalysisOptions Options;
  Graph G{*this};
  Memory Heap{G, *this};
  std::vector<Reason> Reasons{1};
  std::vector<Instance> Instances;
  std::deque<CallPlace> Places;
  std::vector<Callback> Callbacks;
  std::vector<Difference> Differences;
  std::vector<const LibraryRow *> Tables;  ///< whose functions have numbers behind those of the program
  std::vector<uint32_t> Datatypes;         ///< nodes where something comes if they hold not only floating-point numbers
  std::vector<ElementType> NamedDatatypes; ///< the first of Datatypes, which mpi.h has as addresses
  llvm::StringMap<uint32_t> DatatypeSymbols;        ///< the same
  std::map<int64_t, ElementType> NumberedDatatypes; ///< those that mpi.h has as numbers
  std::deque<Exchange> Exchanges;
  llvm::DenseMap<uint32_t, Repeated> RepeatedTypes;                  ///< by datatype
  std::set<std::tuple<size_t, uint32_t, int64_t>> RepeatedExchanges; ///< First, datatype, and Each of those made
  std::deque<InPlace> InPlaces;
  std::vector<MemoryPlace> Allocations;                                      ///< by object
  std::vector<MemoryPlace> Releases;                                         ///< by node
  std::map<const Function *, std::set<std::pair<Node, uint32_t>>> NewArrays; ///< see isOfNew
  std::vector<std::pair<uint32_t, uint32_t>> Locals; ///< objects of variables, and the instances that they are of
  std::deque<std::pair<uint32_t, uint32_t>> Escapes; ///< objects that are to escape, and reasons
  llvm::DenseSet<uint32_t> Escaping;                 ///< objects that were ever among them
  std::vector<const Part *> Parts;                   ///< of records, of which an address is taken: none twice
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t>, int64_t> PartNumbers; ///< into Parts
  std::vector<uint32_t> LoadedAddresses;                                         ///< nodes
  std::vector<uint32_t> CallsWaiting;                    ///< into Instances: their constraints are to be added
  std::vector<std::vector<uint32_t>> InstancesOf;        ///< by function: those that are no clones
  std::vector<bool> HasClones;                           ///< by function
  std::vector<bool> IsCloned;                            ///< by function, see findCloned
  std::vector<std::optional<uint32_t>> ObjectOf;         ///< by variable
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> Entered; ///< place and instance
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> Called;  ///< place and function
  std::map<uint32_t, uint32_t> CalledUnknown; ///< places, and why what goes to a function that may be any escapes
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> Invoked; ///< callback and function
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
  /// By what is done, with which nodes, and how many bytes are counted each time.
  std::map<std::tuple<Rule::Kind, uint32_t, uint32_t, int64_t>, Counted> CountedWrites;
  std::vector<std::pair<uint32_t, Rule>> Counts;           ///< rules, and where they wait for a number or datatype
  llvm::DenseMap<uint32_t, Whys> EscapedHandles;           ///< by token
  llvm::DenseMap<uint32_t, Whys> EscapedAgain;             ///< by object, after the first reason
  llvm::DenseMap<uint32_t, uint32_t> LeftHandles;          ///< the same of those that left in parts
  std::map<uint32_t, uint32_t> LeftObjects, LeftFunctions; ///< whose addresses left as numbers, to reason
  std::set<std::pair<uint32_t, int64_t>> AnyFormats;       ///< see useAnyFormat
  llvm::DenseSet<uint32_t> LentObjects;                    ///< of which code out of sight has addresses, see lend()
  bool MakesUpAddresses = false, WritesAnywhere = false;
  uint32_t FirstMadeUp = NoNode;               ///< of the nodes that are addresses made of numbers
  std::optional<uint32_t> CallsBack;           ///< reason, when code out of sight may call what nothing in sight does
  bool CallsUnknown = false;                   ///< functions are called that nothing is known of
  std::optional<bool> DefinesLinear;           ///< see definesLinear()
  std::optional<uint32_t> OptionText;          ///< optarg, which only such functions set, and getopt
  std::optional<uint32_t> Environment;         ///< environ, which only such functions set, and putenv and relatives
  llvm::DenseMap<uint32_t, uint32_t> InObject; ///< escaped object to the reason of what it holds
  llvm::DenseSet<uint32_t> ExposedFunctions;
  std::map<std::string, uint32_t> LibraryObjects; ///< by their classes: their addresses
  std::map<std::string, uint32_t> HiddenRecords;  ///< by their names: their addresses, as far as others know them
  std::vector<MpiCall> MpiCalls;
  /// The objects of all constant strings that as formats use no addresses but those of text, and of the others; and of
  /// all of std::string.
  std::optional<uint32_t> Texts, AddressFormats, Strings;
  std::optional<uint32_t> LibraryMemory; ///< an object of a library's own
  /// What messages between two ranks and windows carry; what each kind of collective does, by its function.
  uint32_t Messages = NoNode;
  std::map<std::string, uint32_t, std::less<>> CollectiveMessages;
  /// What may be sent in any of these, and what all of them carry: for who does not say which it is. What operations of
  /// the program's may make of what is reduced, and what they are given.
  uint32_t SentAnyhow = NoNode, ReceivedAnyhow = NoNode, Reduced = NoNode, ToReduce = NoNode;
  uint32_t InDatatypes = NoNode; ///< numbers and addresses that datatypes were made from, and tell of
  uint32_t Zero = NoNode, AnyNumber = NoNode, Exceptions = NoNode, Addresses = NoNode;
  uint32_t Attributes = NoNode, Lent = NoNode, LibraryText = NoNode, LibraryRecords = NoNode, LibraryFiles = NoNode,
           Vectors = NoNode, StreamText = NoNode, StringText = NoNode, Locales = NoNode, LibraryException = NoNode,
           TypedAddresses = NoNode, Split = NoNode, KeptByThreads = NoNode, Arguments = NoNode;
  uint32_t Windows = NoNode; ///< addresses of memory that is a window's
  /// What MPI may hand to functions of the program: to those for attributes, and to error handlers.
  uint32_t WindowsCalledFor = NoNode, CommunicatorsCalledFor = NoNode;
  uint32_t StoredOutside = NoNode; ///< what is stored at addresses that are anything, and any number
  uint32_t InEnvironment = NoNode; ///< addresses of texts that putenv has put there
  uint32_t Written = NoNode;       ///< bytes that went out, to files and other processes
  uint32_t LibraryNumber = NoNode; ///< any that a library has of its own, read from nowhere: no handle
  int64_t HandleWidth = 4;
  std::optional<MpiConstant> World, Self, NullComm, NullWindow, AnySource;
};

} // namespace mpishm::ir

#endif
