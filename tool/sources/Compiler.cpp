// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sources/Compiler.h"
#include "sources/HarmlessOptions.h"
#include "sources/Programs.h"
#include "clang/Driver/Options.h"
#include "clang/Driver/Types.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include <cstdlib>

using namespace mpishm;
using namespace clang;
using Arguments = std::vector<std::string>;

static llvm::StringRef baseName(llvm::StringRef Path) {
  llvm::StringRef Name = llvm::sys::path::filename(Path);
  Name.consume_back(".exe");
  return Name;
}

/// Programs that stand before the compiler.
static bool isLauncher(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("ccache", "distcc", "sccache", "icecc", "time", "nice", "env", "scorep", true)
      .Cases("libtool", "glibtool", "compiler_check", "taskset", true)
      .Default(false);
}

/// Cray's compilers find MPI by themselves.
static bool isCrayWrapper(llvm::StringRef Name) {
  return (Name == "cc" || Name == "CC") && std::getenv("CRAYPE_VERSION");
}

static bool isMpiWrapper(llvm::StringRef Name) {
  if (isCrayWrapper(Name))
    return true;
  Name.consume_front("scorep-");
  if (Name.starts_with("mpi"))
    Name = Name.take_until([](char C) { return C == '.' || C == '-' || C == '_'; }); // mpicc.mpich, mpicc-openmpi-gcc12
  return llvm::StringSwitch<bool>(Name)
      .Cases("mpicc", "mpicxx", "mpic++", "mpiCC", "mpigcc", "mpigxx", "mpiclang", "mpiclang++", true)
      .Cases("mpiicc", "mpiicpc", "mpiicx", "mpiicpx", "mpixlc", "mpixlC", "mpishmcc", "mpishmcxx", true)
      .Cases("mpifcc", "mpiFCC", "mpincc", "mpinc++", true) // Fujitsu, NEC
      .Cases("h5pcc", "h5pc++", true)
      .Default(false);
}

static bool compilesCxx(llvm::StringRef Path) {
  llvm::StringRef Name = baseName(Path);
  return Name.contains("++") || Name.contains("xx") || Name.contains("CC") || Name.contains("icpc") ||
         Name.contains("icpx") || Name.contains("xlC");
}

Arguments mpishm::dropLaunchers(Arguments Command) {
  // A number is the value of one: nice -n 5.
  auto IsOption = [](llvm::StringRef A) {
    return A.starts_with("-") || A.contains('=') || A.find_first_not_of("0123456789,-") == llvm::StringRef::npos;
  };
  while (Command.size() > 1) {
    llvm::StringRef Name = baseName(Command.front());
    bool Shell = Name == "sh" || Name == "bash";
    if (!isLauncher(Name) && !Shell)
      return Command;
    Command.erase(Command.begin());
    while (Command.size() > 1 && IsOption(Command.front()))
      Command.erase(Command.begin());
  }
  return Command;
}

static void translate(Arguments &Command);

/// The words of \p Command, from the second on, as Clang's driver takes them.
static llvm::opt::InputArgList parse(const Arguments &Command) {
  llvm::SmallVector<const char *, 64> Raw;
  for (size_t I = 1; I < Command.size(); ++I)
    Raw.push_back(Command[I].c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  return driver::getDriverOptTable().ParseArgs(Raw, MissingIndex, MissingCount,
                                               llvm::opt::Visibility(driver::options::ClangOption));
}

/// The words from \p First on as the driver takes them: `-Wp,-DA,-MD,a.d` and `-Xpreprocessor -DA` hand words to GCC's
/// preprocessor, to which -MD, unlike the driver's, names a file.
static Arguments withoutDetours(const Arguments &Command, size_t First) {
  Arguments Result(Command.begin(), Command.begin() + First), Handed;
  auto TakeHanded = [&] {
    for (size_t I = 0; I < Handed.size(); ++I)
      if (Handed[I] == "-MD" || Handed[I] == "-MMD")
        ++I;
      else
        Result.push_back(Handed[I]);
    Handed.clear();
  };
  for (size_t I = First; I < Command.size(); ++I) {
    llvm::StringRef Word = Command[I];
    if (Word == "-Xpreprocessor" && I + 1 < Command.size()) {
      Handed.push_back(Command[++I]);
    } else if (Word.consume_front("-Wp,")) {
      for (llvm::StringRef Each : llvm::split(Word, ','))
        Handed.push_back(Each.str());
    } else {
      TakeHanded();
      Result.push_back(Word.str());
    }
  }
  TakeHanded();
  return Result;
}

void mpishm::dropWritten(tooling::CompileCommand &Command) {
  Arguments &Words = Command.CommandLine;
  const size_t First = Words.size() - dropLaunchers(Words).size();
  Words = withoutDetours(Words, std::min(First + 1, Words.size()));
  for (size_t I = First + 1; I < Words.size();) {
    llvm::StringRef Word = Words[I];
    const bool TakesNext = llvm::StringSwitch<bool>(Word)
                               .Cases("-aux-info", "-dumpdir", "-dumpbase", "-dumpbase-ext", "-MF", "-MT", "-MQ", true)
                               .Default(false);
    if (Word == "--")
      return;
    if (!TakesNext && !Word.starts_with("-save-temps")) {
      ++I;
      continue;
    }
    auto At = Words.begin() + I;
    Words.erase(At, At + (TakesNext && I + 1 < Words.size() ? 2 : 1));
  }
}

static bool isSource(llvm::StringRef File) {
  const llvm::StringRef Extension = llvm::sys::path::extension(File);
  const driver::types::ID Type = driver::types::lookupTypeForExtension(Extension.drop_front(!Extension.empty()));
  return Type != driver::types::TY_INVALID && driver::types::isAcceptedByClang(Type) &&
         !driver::types::onlyPrecompileType(Type);
}

std::string mpishm::fileOf(const tooling::CompileCommand &Command, llvm::StringRef Name) {
  llvm::SmallString<256> Path(Name);
  llvm::sys::fs::make_absolute(Command.Directory, Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

void mpishm::dropOtherSources(tooling::CompileCommand &Command) {
  const std::string Own = fileOf(Command, Command.Filename);
  std::vector<unsigned> Others;
  bool HasOwn = false;
  const Arguments Words = dropLaunchers(Command.CommandLine);
  const unsigned First = Command.CommandLine.size() - Words.size() + 1;
  for (const llvm::opt::Arg *A : parse(Words)) {
    if (!A->getOption().matches(driver::options::OPT_INPUT) || !isSource(A->getValue()))
      continue;
    const std::string File = fileOf(Command, A->getValue());
    const bool IsOwn = File == Own || llvm::sys::fs::equivalent(File, Own);
    if (IsOwn && !HasOwn)
      HasOwn = true;
    else
      Others.push_back(First + A->getIndex());
  }
  for (unsigned Index : llvm::reverse(Others))
    if (HasOwn)
      Command.CommandLine.erase(Command.CommandLine.begin() + Index);
}

static bool isUnknown(const llvm::opt::Arg &A) { return A.getOption().getKind() == llvm::opt::Option::UnknownClass; }

/// True for options of whose values Clang may know less than others do, and which say nothing of what it reads.
static bool isAboutOthersWork(llvm::StringRef Option) {
  static constexpr llvm::StringLiteral Beginnings[] = {"-mtune=",        "-mfpmath=",  "-flto",        "-falign-",
                                                       "-fdiagnostics-", "-fopt-info", "-ftime-report"};
  return llvm::any_of(Beginnings, [&](llvm::StringRef B) { return Option.starts_with(B); }) ||
         llvm::is_contained({"-p", "-pg", "-v", "-###", "-pass-exit-codes"}, Option);
}

/// True for an encoding of the program's texts that Clang cannot do.
static bool isOtherEncoding(llvm::StringRef Option) {
  return (Option.consume_front("-finput-charset=") || Option.consume_front("-fexec-charset=")) &&
         !Option.equals_insensitive("utf-8");
}

/// Drops what Clang's driver does not know, or what would stop it: GCC's own optimisations, link-time plugins.
static void dropUnknown(Arguments &Command) {
  llvm::SmallVector<unsigned, 8> Dropped;
  for (const llvm::opt::Arg *A : parse(Command))
    if (llvm::StringRef Option = Command[A->getIndex() + 1];
        isUnknown(*A) || isAboutOthersWork(Option) || isOtherEncoding(Option))
      Dropped.push_back(A->getIndex());
  for (unsigned Index : llvm::reverse(Dropped))
    Command.erase(Command.begin() + Index + 1);
}

std::string mpishm::findOptionPassedOver(const tooling::CompileCommand &Command) {
  using namespace driver::options;
  Arguments Words = dropLaunchers(Command.CommandLine);
  translate(Words);
  llvm::opt::InputArgList Parsed = parse(Words);
  if (const llvm::opt::Arg *A = Parsed.getLastArg(OPT_fsigned_bitfields, OPT_funsigned_bitfields);
      A && A->getOption().matches(OPT_funsigned_bitfields))
    return A->getSpelling().str();
  for (const llvm::opt::Arg *A : Parsed) {
    llvm::StringRef Option = Words[A->getIndex() + 1];
    const llvm::opt::Option &Kind = A->getOption();
    bool IsIgnored = Kind.matches(OPT_clang_ignored_f_Group) || Kind.matches(OPT_clang_ignored_m_Group) ||
                     Kind.matches(OPT_clang_ignored_gcc_optimization_f_Group);
    if (isOtherEncoding(Option) || ((isUnknown(*A) || IsIgnored) && !isHarmlessOption(Option)))
      return Option.str();
  }
  return "";
}

/// The options that make other compilers read `#pragma omp`, and define _OPENMP.
static bool meansOpenMp(llvm::StringRef Option) {
  return llvm::StringSwitch<bool>(Option)
      .Cases("-qopenmp", "-openmp", "-fiopenmp", true)                // Intel
      .Cases("-mp", "-mp=multicore", true)                            // NVIDIA and PGI
      .Cases("-homp", "-Kopenmp", "-qsmp=omp", true)                  // Cray, Fujitsu, IBM
      .Cases("-xopenmp", "-xopenmp=parallel", "-xopenmp=noopt", true) // Oracle
      .Default(false);
}

/// Puts what other compilers' options mean, or nothing, in place of those that Clang takes for something else.
static void translate(Arguments &Command) {
  for (size_t I = 1; I < Command.size(); ++I) {
    llvm::StringRef A = Command[I];
    if (A == "--")
      return;
    if (meansOpenMp(A)) {
      Command[I] = "-fopenmp";
      continue;
    }
    bool TakesNext = A == "-fp-model" || A == "-fp-speculation"; // Intel; else the word would be a source
    llvm::StringRef Value = A;
    // Intel's -xHost is no language.
    bool OtherX = Value.consume_front("-x") && !Value.empty() && Value != "none" &&
                  driver::types::lookupTypeForTypeSpecifier(Value.str().c_str()) == driver::types::TY_INVALID;
    // A profile has nothing to do with parsing, but must exist and be Clang's.
    bool Profile = A.starts_with("-fprofile-") || A.starts_with("-fauto-profile") || A == "-fbranch-probabilities";
    // CMake's list of the modules that a unit imports, which is made when the unit is compiled.
    bool Modules = A.starts_with("@") && A.ends_with(".modmap");
    if (!TakesNext && !OtherX && !Profile && !Modules)
      continue;
    auto First = Command.begin() + I;
    Command.erase(First, First + (TakesNext && I + 1 < Command.size() ? 2 : 1));
    --I;
  }
}

Arguments mpishm::withoutPrecompiled(const Arguments &Command) {
  Arguments Result;
  for (size_t I = 0; I < Command.size(); ++I) {
    auto Next = [&](size_t N) { return I + N < Command.size() ? llvm::StringRef(Command[I + N]) : ""; };
    llvm::StringRef Word = Command[I];
    if (Word == "--") {
      Result.insert(Result.end(), Command.begin() + I, Command.end());
      break;
    }
    if (Word == "-include-pch" || (Word == "-Xclang" && Next(1) == "-emit-pch")) {
      ++I;
    } else if (Word == "-Xclang" && Next(1) == "-include-pch") {
      I += 3; // another -Xclang, and the file
    } else if (Word == "-Xclang") {
      Result.insert(Result.end(), {Word.str(), Next(1).str()});
      ++I;
    } else if (Word.consume_front("-include")) {
      Result.insert(Result.end(), {"-Xclang", "-include", "-Xclang", (Word.empty() ? Next(1) : Word).str()});
      I += Word.empty();
    } else {
      Result.push_back(Word.str());
    }
  }
  return Result;
}

static Arguments stripOutputs(Arguments Command, llvm::StringRef File) {
  for (const tooling::ArgumentsAdjuster &Adjuster :
       {tooling::getClangStripOutputAdjuster(), tooling::getClangStripDependencyFileAdjuster(),
        tooling::getClangSyntaxOnlyAdjuster()})
    Command = Adjuster(Command, File);
  llvm::erase_if(Command, [](llvm::StringRef A) {
    return A.starts_with("-Werror") || A.starts_with("-save-temps") || A == "-pipe" || A == "-c" || A == "-E" ||
           A == "-S" || A.starts_with("-fplugin=") || A.starts_with("-pedantic-errors");
  });
  return Command;
}

llvm::Expected<Arguments> Compilers::adjust(const tooling::CompileCommand &Command) {
  Arguments Result = Command.CommandLine;
  if (Result.empty())
    return llvm::createStringError("empty command for '%s'", Command.Filename.c_str());
  Result = dropLaunchers(std::move(Result));
  Arguments Added;
  if (isMpiWrapper(baseName(Result.front()))) {
    const Answer &Asked = ask(Result.front(), Command.Directory);
    if (!Asked.Error.empty())
      return llvm::createStringError("%s", Asked.Error.c_str());
    Added = Asked.Flags;
  }
  // Only its name tells how it treats a .c file; what it says of headers is asked for by other means.
  bool Cxx = compilesCxx(Result.front());
  // The folder, in which there need not be one, is where Clang looks for GCC from: the headers of C++ get paths that
  // are right also when `..` is taken out of them without regard for links (/lib is one), as the scanner does.
  Result.front() = Cxx ? "/usr/bin/clang++" : "/usr/bin/clang";
  translate(Result); // first: -openmp is no output
  Result = withoutPrecompiled(stripOutputs(std::move(Result), Command.Filename));
  dropUnknown(Result);
  Arguments Front = {Cxx ? "--driver-mode=g++" : "--driver-mode=gcc", "-I" + getVirtualIncludeDirectory().str(),
                     "-resource-dir=" + ResourceDirectory, "-Qunused-arguments", "-w", "-Wno-error",
                     // GCC up to 13 takes these for warnings.
                     "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
                     "-Wno-error=incompatible-function-pointer-types", "-Wno-error=c++11-narrowing",
                     "-Wno-error=return-type", "-Wno-error=return-mismatch", "-Wno-error=register",
                     "-Wno-error=reserved-user-defined-literal", "-Wno-error=enum-constexpr-conversion",
                     "-Wno-error=missing-template-arg-list-after-template-kw", "-Wno-error=invalid-constexpr",
                     "-fno-color-diagnostics",
                     // Else Clang counts its errors on our error stream.
                     "-fno-caret-diagnostics"};
  Result.insert(Result.begin() + 1, Front.begin(), Front.end());
  // As a wrapper does: its own folders come after the user's.
  auto End = llvm::find(Result, "--");
  End = Result.insert(End, Added.begin(), Added.end()) + Added.size();
  Result.insert(End, {"-idirafter", getGccIncludeDirectory().str()});
  return Result;
}

/// The flags in a wrapper's answer that matter for parsing.
static Arguments keepParsingFlags(llvm::StringRef Line) {
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *, 32> Words;
  llvm::cl::TokenizeGNUCommandLine(Line, Saver, Words);
  Arguments Flags;
  for (size_t I = 0; I < Words.size(); ++I) {
    llvm::StringRef Word = Words[I];
    bool TakesNext = llvm::is_contained({"-I", "-isystem", "-D", "-U", "-include", "-idirafter", "-iquote"}, Word);
    if (TakesNext && I + 1 < Words.size()) {
      Flags.push_back(Word.str());
      Flags.push_back(Words[++I]);
    } else if (Word.starts_with("-I") || Word.starts_with("-isystem") || Word.starts_with("-D") ||
               Word.starts_with("-U") || Word.starts_with("-std=") || Word == "-pthread" || Word == "-fopenmp") {
      Flags.push_back(Word.str());
    }
  }
  return Flags;
}

/// Why no header can be found with \p Flags: no folder that they name is there, of the first one. Else empty.
static std::string whyNoFolder(const Arguments &Flags) {
  llvm::StringRef Missing;
  for (llvm::StringRef Flag : Flags)
    if (Flag.consume_front("-I") && !Flag.empty()) {
      if (llvm::sys::fs::is_directory(Flag))
        return "";
      if (Missing.empty())
        Missing = Flag;
    }
  if (Missing.empty())
    return "";
  return "the folder '" + Missing.str() + "' in its answer does not exist" +
         (Missing.contains("I_MPI_") ? "; set I_MPI_ROOT, as Intel MPI's vars.sh does" : "");
}

const Compilers::Answer &Compilers::ask(llvm::StringRef Wrapper, llvm::StringRef Directory) {
  std::lock_guard<std::mutex> Lock(Mutex);
  // A relative path is one from the command's folder.
  llvm::SmallString<256> Program(Wrapper);
  if (Wrapper.contains('/'))
    llvm::sys::fs::make_absolute(Directory, Program);
  auto [It, New] = Answers.try_emplace(Program);
  if (!New)
    return It->second;
  std::string Why;
  // MPICH and Intel MPI know the first, Open MPI the first two.
  llvm::SmallVector<llvm::StringRef, 2> Questions = {"-show", "--showme:compile"};
  if (isCrayWrapper(baseName(Wrapper)))
    Questions = {"--cray-print-opts=cflags"};
  for (llvm::StringRef Question : Questions) {
    llvm::Expected<std::string> Output = runProgram(Program, {Question});
    if (!Output) {
      Why = llvm::toString(Output.takeError());
      continue;
    }
    llvm::StringRef Line = llvm::StringRef(*Output).trim();
    if (Line.contains(" -") || Line.starts_with("-")) {
      It->second.Flags = keepParsingFlags(Line);
      Why = whyNoFolder(It->second.Flags);
      if (Why.empty())
        return It->second;
      break;
    }
    Why = "its answer to " + Question.str() + " has no flags";
  }
  It->second.Error = "cannot ask the MPI compiler '" + Wrapper.str() + "' for its flags: " + Why;
  return It->second;
}

bool mpishm::runOnUnit(const std::vector<std::string> &Arguments, const std::string &Directory,
                       std::unique_ptr<FrontendAction> Action, llvm::raw_ostream &Errors,
                       std::optional<llvm::MemoryBufferRef> Instead) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = makeFileSystem(Arguments);
  if (std::error_code Error = Files->setCurrentWorkingDirectory(Directory)) {
    Errors << "error: cannot use the folder '" << Directory << "': " << Error.message() << "\n";
    return false;
  }
  if (Instead) {
    auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(Files);
    auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    Memory->addFile(Instead->getBufferIdentifier(), 0, llvm::MemoryBuffer::getMemBufferCopy(Instead->getBuffer()));
    Overlay->pushOverlay(Memory);
    Files = Overlay;
  }
  FileSystemOptions Options;
  Options.WorkingDir = Directory;
  auto Manager = llvm::makeIntrusiveRefCnt<FileManager>(Options, Files);
  auto DiagOptions = llvm::makeIntrusiveRefCnt<DiagnosticOptions>();
  DiagOptions->IgnoreWarnings = true; // the program's own compiler has given them
  TextDiagnosticPrinter Printer(Errors, DiagOptions.get());
  tooling::ToolInvocation Invocation(Arguments, std::move(Action), Manager.get());
  Invocation.setDiagnosticConsumer(&Printer);
  Invocation.setDiagnosticOptions(DiagOptions.get());
  return Invocation.run();
}
