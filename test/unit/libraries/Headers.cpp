// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function that the headers of this machine's libraries declare without a body: what is handed to it escapes, or
// it has a row that fits its declaration.

#include "classes/Classes.h"
#include "extract/Extract.h"
#include "libraries/Declared.h"
#include "libraries/Names.h"
#include "lower/Fixture.h"
#include "models/Analysis.h"

using namespace mpishm;
using namespace mpishm::test;
using Kind = ir::Constraint::Kind;

namespace {

/// What a function is handed, in each parameter that can take it.
enum class Given { Handle, Address, Record };

/// A program in which a handle is in a variable, whose address is in a record, too.
class Program {
public:
  Program() {
    std::optional<LoweredUnit> U = Files.lower("a.c", "#include <mpi.h>\n"
                                                      "struct s { char name[16]; MPI_Request r; MPI_Request *p; };\n"
                                                      "void given(MPI_Request, MPI_Request *, struct s *);\n"
                                                      "int main(void) { MPI_Request r; struct s t;\n"
                                                      "  MPI_Irecv(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);\n"
                                                      "  t.r = r; t.p = &r; given(r, &r, &t); return 0; }\n");
    EXPECT_TRUE(U) << Files.Errors;
    if (U)
      Unit = ir::extract(*U);
  }

  /// Whether the handle escapes when \p F is called.
  bool opens(const DeclaredFunction &F, Given What) const {
    ir::Unit Copy = Unit;
    for (ir::Function &Main : Copy.Functions)
      for (ir::Call &C : Main.Calls)
        if (C.Callee && Copy.Symbols[*C.Callee].Name == "given")
          replace(Copy, Main, C, F, What);
    ir::ValueClasses Classes = ir::findClasses({&Copy}, {});
    EXPECT_EQ(Classes.Classes.size(), 1U);
    return !Classes.Classes.empty() && !Classes.Classes.front().isClosed();
  }

private:
  static void replace(ir::Unit &U, ir::Function &Main, ir::Call &C, const DeclaredFunction &F, Given What) {
    std::vector<ir::Node> Old = C.Arguments;
    U.Symbols[*C.Callee].Name = F.Name;
    auto Fresh = [&](bool Floating, bool Pointer) {
      Main.IsFloating.push_back(Floating);
      Main.IsPointer.push_back(Pointer);
      return Main.Nodes++;
    };
    C.Arguments.clear();
    for (const DeclaredType &P : F.Parameters)
      C.Arguments.push_back(P.Is == DeclaredType::Floating  ? Fresh(true, false)
                            : P.Is == DeclaredType::Pointer ? Old[What == Given::Record ? 2 : 1]
                                                            : Old[0]);
    if (F.Result.Is != DeclaredType::Void)
      C.Result = Fresh(F.Result.Is == DeclaredType::Floating, F.Result.Is == DeclaredType::Pointer);
  }

  Sources Files;
  ir::Unit Unit;
};

bool takesAny(const DeclaredFunction &F) {
  return llvm::any_of(F.Parameters, [](const DeclaredType &P) { return P.Is != DeclaredType::Floating; });
}

struct Split {
  unsigned Modelled = 0, Open = 0, Numbers = 0;
};

Split walk(const Declarations &All) {
  Split Count;
  Program P;
  for (const DeclaredFunction &F : All.Functions) {
    if (ir::Analysis::isModelled(F.Name)) {
      ++Count.Modelled;
      continue;
    }
    ++(takesAny(F) ? Count.Open : Count.Numbers);
    if (!takesAny(F))
      continue;
    for (Given What : {Given::Handle, Given::Address, Given::Record})
      EXPECT_TRUE(P.opens(F, What) || (What == Given::Handle && llvm::none_of(F.Parameters,
                                                                              [](const DeclaredType &T) {
                                                                                return T.Is == DeclaredType::Integer ||
                                                                                       T.Is == DeclaredType::Record;
                                                                              })))
          << F.Name;
  }
  return Count;
}

void report(const Declarations &All, const Split &Count) {
  std::string Missing;
  for (const std::string &Header : All.Missing)
    Missing += " " + Header;
  std::cout << All.Functions.size() << " functions: modelled " << Count.Modelled << ", open " << Count.Open
            << ", of floating-point numbers or of nothing " << Count.Numbers
            << "; headers that are not here:" << Missing << "\n";
}

/// Of one language, looked up once.
const Declarations &declared(bool Cxx) {
  static const Declarations OfC = declaredFunctions(false), OfCxx = declaredFunctions(true);
  return Cxx ? OfCxx : OfC;
}

TEST(Headers, EveryFunctionOfCIsModelledOrOpens) {
  const Declarations &All = declared(/*Cxx=*/false);
  EXPECT_GT(All.Functions.size(), 1500U);
  Split Count = walk(All);
  EXPECT_GT(Count.Modelled, 400U);
  EXPECT_GT(Count.Open, 400U);
  report(All, Count);
}

TEST(Headers, EveryFunctionOfCxxIsModelledOrOpens) {
  const Declarations &All = declared(/*Cxx=*/true);
  EXPECT_GT(All.Functions.size(), 1500U);
  Split Count = walk(All);
  EXPECT_GT(Count.Open, 400U);
  report(All, Count);
}

/// What the library's own types are, into which programs do not look.
bool isOpaque(llvm::StringRef Pointee) {
  for (llvm::StringRef Part : {"_IO_FILE", "__dirstream", "pthread_", "sem_t", "std::", "re_pattern_buffer", "mtx_t",
                               "cnd_t", "__jmp_buf_tag", "__once_flag", "gsl_"})
    if (Pointee.contains(Part))
      return true;
  return false;
}

/// What is wrong with the letter \p Effect for a parameter, or nothing.
std::string faultOf(const DeclaredType &P, char Effect) {
  bool Writes = llvm::StringRef("nilqrRvmazyxLIFJBSEc").contains(Effect),
       Reads = llvm::StringRef("twWub").contains(Effect);
  bool Escapes = Effect == 'e' || Effect == 'M';
  if (P.Is != DeclaredType::Pointer)
    return Writes && Effect != 'n' && Effect != 'c' ? "is written, and is no address"
           : Reads                                  ? "is read, and is no address"
                                                    : "";
  if (P.ToFunction)
    return Effect == 'f' || Escapes ? "" : "is a function, and is not called";
  if (Effect == 'f')
    return "is called, and is no function";
  if (Effect == 'd')
    return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"double", "float", "void"},
                        [&](llvm::StringRef Type) { return llvm::StringRef(P.Pointee).contains(Type); })
               ? ""
               : "has no floating-point numbers";
  if (Writes && P.ToConst && !isOpaque(P.Pointee))
    return "is written, and is constant";
  if (P.ToPointer && !P.ToConst && !Escapes && !llvm::StringRef("azxr").contains(Effect))
    return "an address may be written there";
  if (!Writes && !Escapes && Effect != 'o' && Effect != 'u' && !P.ToConst && !isOpaque(P.Pointee))
    return "may be written, and is not";
  int64_t Bytes = Effect == 'c' ? 1 : Effect == 'i' ? 4 : llvm::StringRef("laz").contains(Effect) ? 8 : 16;
  if (llvm::StringRef("cilqaz").contains(Effect) && P.Bytes > Bytes)
    return "is longer than what is written";
  return "";
}

std::string faultOf(const DeclaredFunction &F, llvm::StringRef Effects) {
  size_t Given = Effects.size() - 1;
  if (Given > F.Parameters.size() && !F.IsVariadic)
    return "the row has more arguments than the function";
  bool IsPointer = F.Result.Is == DeclaredType::Pointer;
  if (IsPointer && Effects.front() == 'n')
    return "the result is an address";
  if (F.Result.Is != DeclaredType::Void && llvm::StringRef("v0").contains(Effects.front()))
    return "there is a result";
  unsigned Source = llvm::StringRef("123").find(Effects.front());
  if (Source < 3 && (Source >= F.Parameters.size() || F.Parameters[Source].Is != F.Result.Is ||
                     F.Parameters[Source].Pointee != F.Result.Pointee))
    return "the result is not that argument";
  bool Searches = Effects.front() == 'i'; // it only finds a place, of whatever type it is in C++
  for (size_t I = Searches; Given && I < F.Parameters.size(); ++I)
    if (std::string Fault = faultOf(F.Parameters[I], Effects[std::min(I, Given - 1) + 1]); !Fault.empty())
      return "argument " + std::to_string(I + 1) + " " + Fault;
  if (!Given && llvm::any_of(F.Parameters, [](const DeclaredType &P) { return P.Is == DeclaredType::Pointer; }))
    return "the row has no arguments";
  return "";
}

TEST(Headers, RowsFitWhatIsDeclared) {
  std::set<std::string> Seen;
  for (bool Cxx : {false, true})
    for (const DeclaredFunction &F : declared(Cxx).Functions) {
      const ir::LibraryRow *R = ir::findLibraryRow(ir::canonicalName(F.Name));
      if (!R || !F.IsPlain)
        continue;
      Seen.insert(R->Name.str());
      EXPECT_EQ(faultOf(F, R->Effects), "") << F.Name << " " << R->Effects.str();
    }
  EXPECT_GT(Seen.size(), 450U); // the others are of OpenMP, and what headers put in the place of something
}

TEST(Headers, RowsThatDoNotFitAreSeen) {
  std::map<std::string, DeclaredFunction> All;
  for (bool Cxx : {false, true})
    for (const DeclaredFunction &F : declared(Cxx).Functions)
      All.emplace(F.Name, F);
  struct {
    const char *Name, *Wrong;
  } static constexpr Rows[] = {{"time", "n."},         {"time", "ni"},           {"strlen", "nn"},
                               {"fopen", "ntt"},       {"frexp", "n.."},         {"signal", "x.."},
                               {"setvbuf", "n.t.."},   {"free", "v."},           {"atoi", "n"},
                               {"localtime_r", "1.n"}, {"getaddrinfo", "nttb."}, {"strcmp", "n..."},
                               {"getenv", "n."},       {"getpid", "v"},          {"_ZSt13set_terminatePFvvE", "x."},
                               {"isalpha", "nt"}};
  for (auto [Name, Wrong] : Rows) {
    ASSERT_TRUE(All.count(Name)) << Name;
    EXPECT_NE(faultOf(All[Name], Wrong), "") << Name << " " << Wrong;
    EXPECT_EQ(faultOf(All[Name], ir::findLibraryRow(Name)->Effects), "") << Name;
  }
}

TEST(Headers, NamesInTheirPlace) {
  for (auto [Name, Plain] : std::map<llvm::StringRef, llvm::StringRef>{{"__isoc99_sscanf", "sscanf"},
                                                                       {"__isoc23_strtol", "strtol"},
                                                                       {"__memcpy_chk", "memcpy"},
                                                                       {"__strlcpy_chk", "strlcpy"},
                                                                       {"fopen64", "fopen"},
                                                                       {"__libc_malloc", "malloc"},
                                                                       {"getc_unlocked", "getc"},
                                                                       {"__pread64_chk", "pread"},
                                                                       {"__printf_chk", "__printf_chk"},
                                                                       {"my64", "my64"},
                                                                       {"__my_chk", "__my_chk"},
                                                                       {"__libc_mine", "__libc_mine"},
                                                                       {"mine_unlocked", "mine_unlocked"}})
    EXPECT_EQ(ir::canonicalName(Name), Plain);
}

} // namespace
