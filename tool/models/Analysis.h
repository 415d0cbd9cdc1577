// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that is known of a program: what goes where, what functions without bodies make of that, and the calls of MPI.

#ifndef MPISHM_TOOL_MODELS_ANALYSIS_H
#define MPISHM_TOOL_MODELS_ANALYSIS_H

#include "models/LibraryModels.h"
#include "llvm/ADT/StringMap.h"

namespace mpishm::ir {

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

class Analysis final : public LibraryModels {
public:
  Analysis(const LinkedProgram &Program, const AnalysisOptions &Options);

  const std::vector<MpiCall> &calls() const { return MpiCalls; }
  /// The letters of Mpi.def for the function \p Name; nothing where it has none.
  static std::optional<llvm::StringRef> mpiEffects(llvm::StringRef Name);
  /// A line where the program allocates memory, and the sites whose messages may be in it.
  struct MessageMemory {
    std::string File;
    unsigned Line = 0;
    std::set<uint32_t> Sites; ///< into LinkedProgram::Sites
  };
  /// Of all lines where memory is allocated.
  std::vector<MessageMemory> messageMemory() const;

  friend class ProgramMemory;
  friend class Packers;

private:
  /// Which arguments are a buffer, its count, and its datatype, as far as a call has them.
  struct MessageBuffer {
    static constexpr unsigned None = ~0U;
    unsigned Address, Count = None, Type = None;
    uint32_t Elements = NoNode; ///< how many, where no argument is that
  };

  /// A message whose buffer is at the node Address: what is in it goes to Out and comes from In, if not NoNode.
  struct Exchange {
    uint32_t Address = NoNode, Out = NoNode, In = NoNode;
    int64_t Length = Unknown; ///< in bytes
    uint32_t Count = NoNode;  ///< of elements
    size_t First = 0;         ///< the one of this call, into Exchanges
    int64_t Each = 1;         ///< elements of another datatype that one of them consists of, side by side
    int64_t Element = 0;      ///< how many bytes each of these has, if they are numbers of more than one
    /// Something comes there when it may be of a datatype that the program made, and when that holds other things than
    /// floating-point numbers.
    uint32_t AnyMade = NoNode, Made = NoNode;
    /// That have been seen, whether of floating-point numbers only, and Element.
    std::set<std::tuple<int64_t, bool, int64_t>> Lengths = {};
  };

  /// A datatype that the program made of so many elements of another, with or without room between them.
  struct Repeated {
    uint32_t Of = NoNode;
    int64_t Elements = 1;
  };

  /// A buffer that a call sends as well if another of its arguments may be MPI_IN_PLACE.
  struct InPlace {
    CallPlace At;
    MessageBuffer Buffer;
    uint32_t Carried = NoNode; ///< what messages of the call's kind carry
    bool IsSent = false;
  };

  void callMpi(const CallPlace &At, llvm::StringRef Name, bool IsSeen) override;
  bool keepsNothing(const Callback &Of, const LinkedFunction &F) const override;
  std::optional<Token> constantOfMpi(llvm::StringRef Name) const override;
  void applyModel(const Rule &R, const Token &T) override;

  // Calls (MpiCalls.cpp), and attributes (Attributes.cpp).
  void initialize(const CallPlace &At, llvm::StringRef Name);
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

  std::vector<uint32_t> Datatypes;         ///< nodes where something comes if they hold not only floating-point numbers
  std::vector<ElementType> NamedDatatypes; ///< the first of Datatypes, which mpi.h has as addresses
  llvm::StringMap<uint32_t> DatatypeSymbols;        ///< the same
  std::map<int64_t, ElementType> NumberedDatatypes; ///< those that mpi.h has as numbers
  std::deque<Exchange> Exchanges;
  llvm::DenseMap<uint32_t, Repeated> RepeatedTypes;                  ///< by datatype
  std::set<std::tuple<size_t, uint32_t, int64_t>> RepeatedExchanges; ///< First, datatype, and Each of those made
  std::deque<InPlace> InPlaces;
  std::vector<MpiCall> MpiCalls;
  /// What messages between two ranks and windows carry; what each kind of collective does, by its function.
  uint32_t Messages = NoNode;
  std::map<std::string, uint32_t, std::less<>> CollectiveMessages;
  /// What may be sent in any of these, and what all of them carry: for who does not say which it is. What operations of
  /// the program's may make of what is reduced, and what they are given.
  uint32_t SentAnyhow = NoNode, ReceivedAnyhow = NoNode, Reduced = NoNode, ToReduce = NoNode;
  uint32_t InDatatypes = NoNode; ///< numbers and addresses that datatypes were made from, and tell of
  uint32_t Addresses = NoNode;   ///< in datatypes: what they lead to may be sent, and received into
  uint32_t Attributes = NoNode;
  uint32_t Windows = NoNode; ///< addresses of memory that is a window's
  /// What MPI may hand to functions of the program: to those for attributes, and to error handlers.
  uint32_t WindowsCalledFor = NoNode, CommunicatorsCalledFor = NoNode;
  int64_t HandleWidth = 4;
  std::optional<MpiConstant> NullComm, NullWindow;
};

} // namespace mpishm::ir

#endif
