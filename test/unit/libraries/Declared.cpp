// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/Declared.h"
#include "lower/Fixture.h"
#include "sources/Compiler.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mpishm;
using namespace mpishm::test;
using namespace clang;

/// Of C, of POSIX and what Linux has beside, and zlib and libuuid where they are there.
static constexpr llvm::StringLiteral CHeaders[] = {
    "aio.h",          "aliases.h",    "alloca.h",      "argp.h",         "argz.h",        "arpa/inet.h",
    "assert.h",       "byteswap.h",   "complex.h",     "cpio.h",         "ctype.h",       "dirent.h",
    "dlfcn.h",        "endian.h",     "envz.h",        "err.h",          "errno.h",       "error.h",
    "execinfo.h",     "fcntl.h",      "fenv.h",        "float.h",        "fmtmsg.h",      "fnmatch.h",
    "ftw.h",          "getopt.h",     "glob.h",        "grp.h",          "iconv.h",       "ifaddrs.h",
    "inttypes.h",     "iso646.h",     "langinfo.h",    "libgen.h",       "limits.h",      "link.h",
    "locale.h",       "malloc.h",     "math.h",        "mntent.h",       "monetary.h",    "mqueue.h",
    "ndbm.h",         "net/if.h",     "netdb.h",       "netinet/in.h",   "netinet/tcp.h", "nl_types.h",
    "obstack.h",      "poll.h",       "printf.h",      "pthread.h",      "pty.h",         "pwd.h",
    "regex.h",        "sched.h",      "search.h",      "semaphore.h",    "setjmp.h",      "signal.h",
    "spawn.h",        "stdalign.h",   "stdarg.h",      "stdatomic.h",    "stdbool.h",     "stddef.h",
    "stdint.h",       "stdio.h",      "stdlib.h",      "stdnoreturn.h",  "string.h",      "strings.h",
    "stropts.h",      "sys/epoll.h",  "sys/eventfd.h", "sys/file.h",     "sys/inotify.h", "sys/ioctl.h",
    "sys/ipc.h",      "sys/mman.h",   "sys/mount.h",   "sys/msg.h",      "sys/prctl.h",   "sys/random.h",
    "sys/resource.h", "sys/select.h", "sys/sem.h",     "sys/sendfile.h", "sys/shm.h",     "sys/signalfd.h",
    "sys/socket.h",   "sys/stat.h",   "sys/statvfs.h", "sys/syscall.h",  "sys/sysinfo.h", "sys/time.h",
    "sys/timerfd.h",  "sys/times.h",  "sys/types.h",   "sys/uio.h",      "sys/un.h",      "sys/utsname.h",
    "sys/vfs.h",      "sys/wait.h",   "syslog.h",      "tar.h",          "termios.h",     "tgmath.h",
    "threads.h",      "time.h",       "trace.h",       "uchar.h",        "ucontext.h",    "ulimit.h",
    "unistd.h",       "utime.h",      "utmpx.h",       "wchar.h",        "wctype.h",      "wordexp.h",
    "uuid/uuid.h",    "zlib.h"};

/// Of the GNU Scientific Library, where it is there.
static constexpr llvm::StringLiteral GslHeaders[] = {
    "gsl/gsl_deriv.h",           "gsl/gsl_diff.h",     "gsl/gsl_errno.h",       "gsl/gsl_fft_complex.h",
    "gsl/gsl_fft_halfcomplex.h", "gsl/gsl_fft_real.h", "gsl/gsl_integration.h", "gsl/gsl_interp.h",
    "gsl/gsl_interp2d.h",        "gsl/gsl_min.h",      "gsl/gsl_odeiv.h",       "gsl/gsl_odeiv2.h",
    "gsl/gsl_randist.h",         "gsl/gsl_rng.h",      "gsl/gsl_roots.h",       "gsl/gsl_spline.h",
    "gsl/gsl_spline2d.h"};

/// Of HDF5, where that is there.
static constexpr llvm::StringLiteral HdfHeaders[] = {"hdf5/serial/hdf5.h"};

static constexpr llvm::StringLiteral CxxHeaders[] = {"algorithm",
                                                     "any",
                                                     "array",
                                                     "atomic",
                                                     "barrier",
                                                     "bit",
                                                     "bitset",
                                                     "cassert",
                                                     "ccomplex",
                                                     "cctype",
                                                     "cerrno",
                                                     "cfenv",
                                                     "cfloat",
                                                     "charconv",
                                                     "chrono",
                                                     "cinttypes",
                                                     "climits",
                                                     "clocale",
                                                     "cmath",
                                                     "codecvt",
                                                     "compare",
                                                     "complex",
                                                     "concepts",
                                                     "condition_variable",
                                                     "coroutine",
                                                     "csetjmp",
                                                     "csignal",
                                                     "cstdarg",
                                                     "cstddef",
                                                     "cstdint",
                                                     "cstdio",
                                                     "cstdlib",
                                                     "cstring",
                                                     "ctime",
                                                     "cuchar",
                                                     "cwchar",
                                                     "cwctype",
                                                     "cxxabi.h",
                                                     "deque",
                                                     "exception",
                                                     "execution",
                                                     "expected",
                                                     "filesystem",
                                                     "format",
                                                     "forward_list",
                                                     "fstream",
                                                     "functional",
                                                     "future",
                                                     "generator",
                                                     "initializer_list",
                                                     "iomanip",
                                                     "ios",
                                                     "iosfwd",
                                                     "iostream",
                                                     "istream",
                                                     "iterator",
                                                     "latch",
                                                     "limits",
                                                     "list",
                                                     "locale",
                                                     "map",
                                                     "mdspan",
                                                     "memory",
                                                     "memory_resource",
                                                     "mutex",
                                                     "new",
                                                     "numbers",
                                                     "numeric",
                                                     "optional",
                                                     "ostream",
                                                     "print",
                                                     "queue",
                                                     "random",
                                                     "ranges",
                                                     "ratio",
                                                     "regex",
                                                     "scoped_allocator",
                                                     "semaphore",
                                                     "set",
                                                     "shared_mutex",
                                                     "source_location",
                                                     "span",
                                                     "spanstream",
                                                     "sstream",
                                                     "stack",
                                                     "stacktrace",
                                                     "stdexcept",
                                                     "stdfloat",
                                                     "stop_token",
                                                     "streambuf",
                                                     "string",
                                                     "string_view",
                                                     "strstream",
                                                     "syncstream",
                                                     "system_error",
                                                     "thread",
                                                     "tuple",
                                                     "type_traits",
                                                     "typeindex",
                                                     "typeinfo",
                                                     "unordered_map",
                                                     "unordered_set",
                                                     "utility",
                                                     "valarray",
                                                     "variant",
                                                     "vector",
                                                     "version"};

static std::vector<llvm::StringRef> headers(bool Cxx) {
  if (Cxx)
    return {std::begin(CxxHeaders), std::end(CxxHeaders)};
  std::vector<llvm::StringRef> Result(std::begin(CHeaders), std::end(CHeaders));
  llvm::append_range(Result, GslHeaders);
  llvm::append_range(Result, HdfHeaders);
  return Result;
}

static constexpr llvm::StringLiteral MissingPrefix = "mpishm_missing_";

static std::string sourceOf(bool Cxx) {
  std::string Text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE 1\n#endif\n";
  for (const auto &[Index, Header] : llvm::enumerate(headers(Cxx)))
    Text += ("#if __has_include(<" + Header + ">)\n#include <" + Header + ">\n#else\nextern int " + MissingPrefix +
             llvm::Twine(Index) + ";\n#endif\n")
                .str();
  return Text;
}

static DeclaredType typeOf(const ASTContext &Context, QualType T) {
  DeclaredType Result;
  using D = DeclaredType;
  if (T->isAnyPointerType() || T->isReferenceType()) {
    QualType To = T->getPointeeType();
    Result.Is = D::Pointer;
    Result.ToConst = To.isConstQualified();
    Result.ToFunction = To->isFunctionType();
    Result.ToPointer = To->isAnyPointerType();
    Result.ToVoid = To->isVoidType();
    if (!To->isIncompleteType() && !To->isFunctionType())
      Result.Bytes = Context.getTypeSizeInChars(To).getQuantity();
    Result.Pointee = To.getCanonicalType().getUnqualifiedType().getAsString(Context.getPrintingPolicy());
    return Result;
  }
  Result.Is = T->isVoidType()                    ? D::Void
              : T->isIntegralOrEnumerationType() ? D::Integer
              : T->isRealFloatingType()          ? D::Floating
                                                 : D::Record;
  return Result;
}

namespace {

class Visitor : public SyntaxVisitor {
public:
  Visitor(ASTContext &C, Declarations &To) : Context(C), Names(C), Result(To) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitVarDecl(VarDecl *D) override {
    llvm::StringRef Name = D->getIdentifier() ? D->getName() : "";
    unsigned Index = 0;
    if (Name.consume_front(MissingPrefix) && !Name.getAsInteger(10, Index))
      Result.Missing.push_back(headers(Context.getLangOpts().CPlusPlus)[Index].str());
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *D) override {
    if (isOutOfSight(*D)) {
      for (const std::string &Name : namesOf(*D))
        if (Known.insert(Name).second)
          Result.Functions.push_back(describe(*D, Name));
    }
    return true;
  }

private:
  /// Whether \p D is a function that can be called, whose body is in a library.
  static bool isOutOfSight(const FunctionDecl &D) {
    if (D.isDependentContext() || D.getDescribedFunctionTemplate() || D.isDeleted() || D.isDefaulted() ||
        D.isDefined() || !D.isExternallyVisible() || isa<CXXDeductionGuideDecl>(D) || D.isConsteval())
      return false;
    if (const FunctionDecl *Pattern = D.getTemplateInstantiationPattern())
      if (Pattern->isDefined())
        return D.getTemplateSpecializationKind() == TSK_ExplicitInstantiationDeclaration && !Pattern->isInlined();
    if (const auto *Method = dyn_cast<CXXMethodDecl>(&D); Method && Method->isPureVirtual())
      return false;
    llvm::StringRef Name = D.getIdentifier() ? D.getName() : "";
    return !Name.starts_with("__builtin_") && !Name.starts_with("__sync_") && !Name.starts_with("__atomic_");
  }

  std::vector<std::string> namesOf(const FunctionDecl &D) {
    if (isa<CXXConstructorDecl>(D) || isa<CXXDestructorDecl>(D))
      return Names.getAllManglings(&D);
    return {Names.getName(&D)};
  }

  DeclaredFunction describe(const FunctionDecl &D, std::string Name) const {
    DeclaredFunction F;
    F.Name = llvm::StringRef(Name).ltrim('\01').str();
    F.IsVariadic = D.isVariadic();
    const auto *Method = dyn_cast<CXXMethodDecl>(&D);
    bool IsStructor = isa<CXXConstructorDecl>(D) || isa<CXXDestructorDecl>(D);
    F.Result = IsStructor ? DeclaredType() : typeOf(Context, D.getReturnType());
    F.IsPlain = F.Result.Is != DeclaredType::Record;
    if (Method && Method->isInstance())
      F.Parameters.push_back(typeOf(Context, Method->getThisType()));
    for (const ParmVarDecl *P : D.parameters()) {
      F.Parameters.push_back(typeOf(Context, P->getType()));
      F.IsPlain &= F.Parameters.back().Is != DeclaredType::Record;
    }
    return F;
  }

  ASTContext &Context;
  ASTNameGenerator Names;
  Declarations &Result;
  std::set<std::string> Known;
};

class Consumer : public ASTConsumer {
public:
  explicit Consumer(Declarations &To) : Result(To) {}
  void HandleTranslationUnit(ASTContext &Context) override {
    if (!Context.getDiagnostics().hasErrorOccurred())
      Visitor(Context, Result).TraverseDecl(Context.getTranslationUnitDecl());
  }

private:
  Declarations &Result;
};

class Action : public ASTFrontendAction {
public:
  explicit Action(Declarations &To) : Result(To) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    return std::make_unique<Consumer>(Result);
  }

private:
  Declarations &Result;
};

} // namespace

static Declarations declaredIn(llvm::StringRef Name, llvm::StringRef Text, std::vector<std::string> Flags) {
  Declarations Result;
  Sources Files;
  std::optional<std::vector<std::string>> Arguments = Files.command(Name, Text, std::move(Flags));
  if (!Arguments)
    return Result;
  std::string Errors;
  llvm::raw_string_ostream Out(Errors);
  EXPECT_TRUE(runOnUnit(*Arguments, Files.folder(), std::make_unique<Action>(Result), Out)) << Errors;
  return Result;
}

Declarations mpishm::test::declaredFunctions(bool Cxx) {
  return Cxx ? declaredIn("a.cpp", sourceOf(true), {"-std=c++20"}) : declaredIn("a.c", sourceOf(false), {});
}

Declarations mpishm::test::declaredByMpi() { return declaredIn("a.c", "#include <mpi.h>\n", {}); }
