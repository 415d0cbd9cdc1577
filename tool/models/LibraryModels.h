// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions and variables of libraries do, which have no bodies here: by the tables of libraries/, and where these
// do not suffice by code.

#ifndef MPISHM_TOOL_MODELS_LIBRARYMODELS_H
#define MPISHM_TOOL_MODELS_LIBRARYMODELS_H

#include "models/MemoryRelease.h"
#include "solve/Solver.h"
#include <map>
#include <string>
#include <tuple>

namespace mpishm::ir {

struct LibraryRow;

/// Everything but MPI.
class LibraryModels : public Solver {
public:
  /// Whether it is known what the function \p Name of a library does.
  static bool isModelled(llvm::StringRef Name);
  /// Whether the function \p Name of a library, or of MPI, makes memory.
  static bool makesMemory(llvm::StringRef Name);
  /// Which calls may give back the memory of which, as far as the program is followed.
  std::vector<AllocatedMemory> releases() const;
  /// What is executed when others call functions of the program: where it ends, on signals and errors, in threads, for
  /// attributes of MPI, and by code out of sight.
  struct Entries {
    std::set<uint32_t> Sites; ///< into LinkedProgram::Sites
    bool MayJump = false;     ///< out of it, into what was called before
  };
  Entries entries() const;

protected:
  LibraryModels(const LinkedProgram &Program, const AnalysisOptions &Options);

  bool callLibrary(const CallPlace &At, llvm::StringRef Name) final;
  void callTable(const CallPlace &At, uint32_t Index) final;
  void meetUnknown(const CallPlace &At, const UnknownCallee &Callee) final;
  bool keepsNothing(const Callback &Of, const LinkedFunction &F) const override;
  std::optional<uint32_t> sharedObject(const LinkedVariable &V) const final;
  bool addContents(uint32_t Object, const LinkedVariable &V) final;
  bool usesAddresses(llvm::StringRef Text) const final;
  void addLibraryException() final;
  void loadFromTable(const Rule &R, const Token &T) final;
  void applyModel(const Rule &R, const Token &T) override;

  /// Does what the letter \p Effect says of the argument \p Index, see libraries/Library.def.
  void applyEffect(const CallPlace &At, unsigned Index, char Effect, uint32_t Why);

  /// What is allocated, by object, and what of that is known to code out of sight, or as bits of a number.
  struct Allocated {
    std::map<uint32_t, const MemoryPlace *> MadeAt;
    std::set<uint32_t> Known;
  };
  Allocated allocated() const;
  std::vector<uint32_t> pointedTo(const Allocated &All, uint32_t Node) const;
  /// Where memory may be given back, by file, line, column and how it gets out of sight.
  using ReleasesInOrder = std::map<std::tuple<std::string, uint32_t, uint32_t, std::string>, MemoryRelease>;
  using ReleasePlaces = std::vector<const MemoryRelease *>;
  std::map<uint32_t, ReleasePlaces> releasesOf(const Allocated &All, ReleasesInOrder &Places) const;

private:
  std::vector<bool> enteredByOthers() const; // Entries.cpp, by instance

  // Memory that is given back (Releases.cpp).
  std::vector<Place> madeFor(const MemoryPlace &Made) const;
  void noteRelease(const CallPlace &At, llvm::StringRef Name);
  bool isOfNew(const CallPlace &At);

  // Tables of libraries (LibraryTables.cpp).
  static const LibraryRow *tableOf(const LinkedVariable &V);
  bool addTable(uint32_t Object, const LibraryRow *Row);
  bool addNumbers(uint32_t Object, const LinkedVariable &V);
  uint32_t objectOf(llvm::StringRef Type);
  void writeException(uint32_t Address);
  static std::optional<llvm::StringRef> facetOf(llvm::StringRef Name);
  bool callFacet(const CallPlace &At, llvm::StringRef Name);

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

  // Functions (LibraryCalls.cpp, Effects.cpp, Printing.cpp, OpenMp.cpp).
  static bool isHarmless(llvm::StringRef Name);
  void addEnvironment(uint32_t Object);
  bool isStartOfOwnVariable(llvm::StringRef Name) const;
  bool definesLinear();
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
  void callRecord(uint32_t Record, bool IsSystem, uint32_t Why);
  uint32_t arrayOf(uint32_t Record);
  void writeView(uint32_t View, uint32_t Array);
  uint32_t librarysOwn(char Letter);
  void writeString(uint32_t Address);
  std::optional<llvm::StringRef> formatOf(const CallPlace &At, unsigned Index) const;
  static bool hasFormat(llvm::StringRef Name);
  void useAnyFormat(const Rule &R);
  uint32_t contentsOfList(uint32_t List);
  void printList(const CallPlace &At, unsigned Format, uint32_t Bytes, uint32_t Why);
  void putOut(uint32_t From, uint32_t Bytes, uint32_t Why);
  bool callFormatted(const CallPlace &At, llvm::StringRef Name);
  bool printsByFunctions() const;
  void print(const CallPlace &At, unsigned Format, bool IsList, uint32_t Bytes);
  void scan(const CallPlace &At, llvm::StringRef Name, unsigned Format, bool IsList);
  uint32_t storeMade(uint32_t Address, std::string Name);
  bool callNodes(const CallPlace &At, llvm::StringRef Name);
  bool callKernel(const CallPlace &At, llvm::StringRef Name);

  std::vector<const LibraryRow *> Tables; ///< whose functions have numbers behind those of the program
  std::vector<MemoryPlace> Releases;      ///< by node
  std::map<const Function *, std::set<std::pair<Node, uint32_t>>> NewArrays; ///< see isOfNew
  std::set<std::pair<uint32_t, int64_t>> AnyFormats;                         ///< see useAnyFormat
  std::optional<bool> DefinesLinear;                                         ///< see definesLinear()
  std::optional<uint32_t> OptionText;             ///< optarg, which only such functions set, and getopt
  std::optional<uint32_t> Environment;            ///< environ, which only such functions set, and putenv and relatives
  std::map<std::string, uint32_t> LibraryObjects; ///< by their classes: their addresses
  std::optional<uint32_t> LibraryMemory;          ///< an object of a library's own
  uint32_t LibraryText = NoNode, LibraryRecords = NoNode, LibraryFiles = NoNode, Vectors = NoNode, StreamText = NoNode,
           Locales = NoNode, LibraryException = NoNode, TypedAddresses = NoNode, Split = NoNode, KeptByThreads = NoNode;
  uint32_t InEnvironment = NoNode; ///< addresses of texts that putenv has put there
  uint32_t LibraryNumber = NoNode; ///< any that a library has of its own, read from nowhere: no handle
};

} // namespace mpishm::ir

#endif
