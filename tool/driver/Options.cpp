// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Options.h"
#include "explain/Reports.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
namespace cl = llvm::cl;

static constexpr const char Overview[] =
    "mpishm-rewrite: let the neighbour exchanges of an MPI program go through shared memory\n"
    "\n"
    "Reads the translation units of a program from its compilation database (compile_commands.json), finds the\n"
    "messages of which every possible send and receive can be rewritten, and renames those calls: MPI_Isend becomes\n"
    "MPISHM_Isend, with the same arguments. Everything else is left as it is and named, with the reason.\n"
    "By default nothing is written: the changes are shown as a diff, which `patch -p1` and `git apply` accept.\n";

static constexpr const char MoreHelp[] =
    "\nEXAMPLES:\n"
    "  mpishm-rewrite                     show what would be changed in the program of ./compile_commands.json\n"
    "  mpishm-rewrite -p build -i         do it, with the database in build/\n"
    "  mpishm-rewrite -o out              leave the program as it is and make a rewritten copy in out/\n"
    "  mpishm-rewrite ring.c -- -O2       a program of one source, without a database\n"
    "  mpishm-rewrite --undo -i           take the edits out again, in all sources below the current folder\n"
    "  mpishm-rewrite --report r.html     a page with each site, its decision and its reason\n"
    "  mpishm-rewrite --explain mpishm-probe\n"
    "                                     what a message means, and what to do about it\n"
    "  mpishm-rewrite --explain halo.c:31 what becomes of the MPI calls of that line, with all reasons\n"
    "\nWithout sources, the whole database is one program. Sources that are named are a part of it, unless\n"
    "--whole-program says that they are a program by themselves.\n"
    "To make a database: `bear -- make`, or CMake with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON.\n"
    "\nEXIT STATUS:\n"
    "  0  done, also when calls were left alone\n"
    "  1  --check found something to change\n"
    "  2  the input or the command line is unusable; nothing was written\n";

static cl::OptionCategory Category("Options");
static cl::list<std::string> Sources(cl::Positional, cl::desc("[source...] [-- compiler flags]"), cl::cat(Category));
static cl::opt<std::string> Database("p",
                                     cl::desc("Folder of compile_commands.json, or the file itself; else it is "
                                              "searched upwards from the first source"),
                                     cl::value_desc("DIR"), cl::cat(Category));
static cl::opt<bool> WholeProgram("whole-program",
                                  cl::desc("The named sources are a whole program: the database's other sources are no "
                                           "part of it"),
                                  cl::cat(Category));
static cl::list<std::string> TrustedCalls("trust-call",
                                          cl::desc("The function NAME, which is not in the database, neither uses nor "
                                                   "keeps the communicators, requests and messages that it is given"),
                                          cl::value_desc("NAME"), cl::CommaSeparated, cl::cat(Category));
static cl::opt<bool> OneJob("one-job",
                            cl::desc("The database's programs run together in one MPI job and exchange messages"),
                            cl::cat(Category));
static cl::opt<bool> AllowChangedText("allow-changed-text",
                                      cl::desc("Rewrite also calls of which a macro makes a string (to print it when "
                                               "they fail): the string changes with them"),
                                      cl::cat(Category));
static cl::opt<bool> ExchangesOnly("exchanges-only",
                                   cl::desc("Leave sends and receives alone that match nothing but blocking ones, "
                                            "collectives, and windows"),
                                   cl::cat(Category));
static cl::opt<Collectives> WhichCollectives(
    "collectives", cl::desc("Which collectives are rewritten, where that is proved to be safe:"),
    cl::values(clEnumValN(Collectives::All, "all", "all that the runtime has (default)"),
               clEnumValN(Collectives::Data, "data", "no reductions"), clEnumValN(Collectives::None, "none", "none")),
    cl::init(Collectives::All), cl::cat(Category));
static cl::opt<OneSided>
    Windows("onesided", cl::desc("Which one-sided communication is rewritten, where that is proved to be safe:"),
            cl::values(clEnumValN(OneSided::All, "all", "that on all windows that the runtime has (default)"),
                       clEnumValN(OneSided::None, "none", "none")),
            cl::init(OneSided::All), cl::cat(Category));
static cl::opt<bool>
    Guarded("guarded",
            cl::desc("Rewrite also messages that are not proved to meet only rewritten ones, where the "
                     "net of the runtime can guard them"),
            cl::cat(Category));
static cl::opt<bool> EditOriginals("edit-originals",
                                   cl::desc("Edit also those files of the program's folder which are not compiled "
                                            "themselves, but from which the build has made copies that are"),
                                   cl::cat(Category));
static cl::opt<MoveBuffers>
    Move("move-buffers",
         cl::desc("Which message buffers are allocated in the node's shared memory, where that is proved to be safe:"),
         cl::values(clEnumValN(MoveBuffers::None, "none", "none"),
                    clEnumValN(MoveBuffers::Messages, "messages", "those that are only filled and emptied (default)"),
                    clEnumValN(MoveBuffers::All, "all", "also arrays that the program computes on")),
         cl::init(MoveBuffers::Messages), cl::cat(Category));
static cl::opt<ZeroCopy>
    Zero("zero-copy", cl::desc("Whether messages are packed where they are received, where that is proved to be safe:"),
         cl::values(clEnumValN(ZeroCopy::Off, "off", "no (default)"), clEnumValN(ZeroCopy::On, "on", "yes"),
                    clEnumValN(ZeroCopy::Why, "why", "yes, and say of others that are packed directly before why not")),
         cl::init(ZeroCopy::Off), cl::cat(Category));
static cl::opt<bool> TrustCounts("trust-counts",
                                 cl::desc("With --zero-copy: loops that pack messages never count to negative numbers"),
                                 cl::cat(Category));
static cl::opt<bool> InPlace("i", cl::desc("Edit the files in place, all of them or none"), cl::cat(Category));
static cl::opt<std::string>
    Folder("o", cl::desc("Make DIR a copy of the program's folder with the edits done, ready to be built"),
           cl::value_desc("DIR"), cl::cat(Category));
static cl::opt<std::string> Root("root",
                                 cl::desc("What -o copies (default: the deepest folder that holds the sources); say it "
                                          "when the build reaches beyond, as for ../bin"),
                                 cl::value_desc("FOLDER"), cl::cat(Category));
static cl::opt<std::string>
    Mirror("mirror",
           cl::desc("For build systems: bring DIR up to date, in which each file that the units read stands "
                    "under its absolute path, edited or as a link"),
           cl::value_desc("DIR"), cl::cat(Category));
static cl::opt<std::string> Objects("objects",
                                    cl::desc("For build systems: take only those units of the database whose object "
                                             "file is named in FILE, one on a line"),
                                    cl::value_desc("FILE"), cl::cat(Category));
static cl::opt<std::string> DependencyFile("depfile",
                                           cl::desc("For build systems: write, as a rule of make, which files the "
                                                    "first report depends on"),
                                           cl::value_desc("FILE"), cl::cat(Category));
static cl::opt<bool> Undo("undo",
                          cl::desc("Take the edits out again, of the named files and of all sources below the named "
                                   "folders (default: the current one); without -i show the diff"),
                          cl::cat(Category));
static cl::opt<bool> Check("check", cl::desc("Change and show nothing; exit with 1 if something would change"),
                           cl::cat(Category));
static cl::list<std::string> Reports("report",
                                     cl::desc("Write a report: FILE ends in .html, .json or .sarif. May be repeated"),
                                     cl::value_desc("FILE"), cl::cat(Category));
static cl::opt<std::string>
    Statistics("run",
               cl::desc("Put what a run of the rewritten program moved, and how long it waited, on the .html report: "
                        "FILE was written with MPISHM_STATS=FILE.json"),
               cl::value_desc("FILE"), cl::cat(Category));
static cl::opt<std::string> Fixes("export-fixes",
                                  cl::desc("Write the edits as YAML that clang-apply-replacements takes"),
                                  cl::value_desc("FILE"), cl::cat(Category));
static cl::opt<std::string>
    Explain("explain",
            cl::desc("Print what the diagnostic ID means and what to do about it; or, where it is FILE:LINE, what "
                     "becomes of the MPI calls of that line, with all reasons and the way of handles to them"),
            cl::value_desc("ID"), cl::cat(Category));
static cl::opt<unsigned> Jobs("j", cl::Prefix,
                              cl::desc("Read N translation units at a time (default: one for each core)"),
                              cl::value_desc("N"), cl::init(0), cl::cat(Category));
static cl::opt<std::string> Cache("cache",
                                  cl::desc("Keep in DIR what was found in each translation unit, and next time parse "
                                           "only those that have changed"),
                                  cl::value_desc("DIR"), cl::cat(Category));
static cl::opt<bool> AllRemarks("all-remarks",
                                cl::desc("Print all remarks with all sites, not the first three of each reason"),
                                cl::cat(Category));
static cl::opt<bool> Quiet("quiet", cl::desc("Print errors only"), cl::cat(Category));
static cl::opt<bool> DumpFacts("dump-facts", cl::desc("Print what was found in the sources, before any decision"),
                               cl::Hidden, cl::cat(Category));
static cl::opt<bool> DumpClasses("dump-classes",
                                 cl::desc("Print the message classes that the analysis of LLVM IR finds"), cl::Hidden,
                                 cl::cat(Category));
static cl::extrahelp Extra(MoreHelp);

static void printVersion(llvm::raw_ostream &Out) {
  Out << "mpishm-rewrite " MPISHM_VERSION " (" << clang::getClangFullVersion() << ")\n";
}

/// What is wrong with the options together; empty when nothing is.
static std::string conflict() {
  if (InPlace + !Folder.empty() + !Mirror.empty() + Check + DumpFacts + DumpClasses > 1)
    return "-i, -o, --mirror and --check exclude one another";
  if (!DependencyFile.empty() && Reports.empty())
    return "--depfile says what a report depends on; there is no --report";
  if (InPlace && Fixes.getNumOccurrences())
    return "-i and --export-fixes exclude one another: the fixes are for the files as they are";
  if (Undo && (!Folder.empty() || !Mirror.empty() || !Database.empty() || !Cache.empty() || Fixes.getNumOccurrences() ||
               Reports.getNumOccurrences()))
    return "--undo needs only the names of files or folders; with it go -i, --check and --quiet";
  if (Folder.getNumOccurrences() && Folder.empty())
    return "-o needs the name of a folder";
  if (Root.getNumOccurrences() && Folder.empty())
    return "--root says what -o copies; there is no -o";
  if (Statistics.getNumOccurrences() &&
      llvm::none_of(Reports, [](llvm::StringRef Name) { return Name.ends_with(".html"); }))
    return "--run is for the page that --report FILE.html writes";
  if (Fixes.getNumOccurrences() && Fixes.empty())
    return "--export-fixes needs the name of a file";
  if (Cache.getNumOccurrences() && Cache.empty())
    return "--cache needs the name of a folder";
  if (Explain.getNumOccurrences() && Explain.empty())
    return "--explain needs the id of a diagnostic, as messages show it in brackets, or FILE:LINE";
  if (!Explain.empty() && (InPlace || Undo || !Folder.empty() || !Mirror.empty() || !Reports.empty() || !Fixes.empty()))
    return "--explain only prints: no option that writes goes with it";
  for (const std::string &Report : Reports)
    if (!writerFor(Report))
      return "--report '" + Report + "': the name must end in .html, .json or .sarif";
  return "";
}

std::optional<Options> mpishm::parseOptions(int Argc, const char **Argv) {
  Options Result;
  // What follows `--` is the compiler's; LLVM would take it for sources.
  const char **End = Argv + Argc;
  const char **Dashes = std::find(Argv, End, llvm::StringRef("--"));
  if (Dashes != End)
    Result.Flags.emplace(Dashes + 1, End);

  cl::HideUnrelatedOptions(Category);
  cl::SetVersionPrinter(printVersion);
  if (!cl::ParseCommandLineOptions(Dashes - Argv, Argv, Overview, &llvm::errs()))
    return std::nullopt;

  if (std::string Wrong = conflict(); !Wrong.empty()) {
    llvm::WithColor::error(llvm::errs(), "mpishm-rewrite") << Wrong << '\n';
    return std::nullopt;
  }
  Result.What = InPlace           ? Options::Output::InPlace
                : !Folder.empty() ? Options::Output::Folder
                : !Mirror.empty() ? Options::Output::Mirror
                : Check           ? Options::Output::Check
                : DumpFacts       ? Options::Output::Facts
                : DumpClasses     ? Options::Output::Classes
                                  : Options::Output::Diff;
  Result.Folder = Folder.empty() ? Mirror : Folder;
  Result.Objects = Objects;
  Result.DependencyFile = DependencyFile;
  Result.Root = Root;
  Result.Database = Database;
  Result.Sources.assign(Sources.begin(), Sources.end());
  Result.WholeProgram = WholeProgram;
  Result.Reports.assign(Reports.begin(), Reports.end());
  Result.Statistics = Statistics;
  Result.Fixes = Fixes;
  Result.Explain = Explain;
  Result.TrustedCalls.assign(TrustedCalls.begin(), TrustedCalls.end());
  Result.OneJob = OneJob;
  Result.AllowChangedText = AllowChangedText;
  Result.ExchangesOnly = ExchangesOnly;
  Result.Which = WhichCollectives;
  Result.Windows = Windows;
  Result.Zero = Zero;
  Result.TrustCounts = TrustCounts;
  Result.Guarded = Guarded;
  Result.EditOriginals = EditOriginals;
  Result.Undo = Undo;
  Result.Move = Move;
  Result.Jobs = Jobs;
  Result.Cache = Cache;
  Result.Quiet = Quiet;
  Result.AllRemarks = AllRemarks;
  return Result;
}
