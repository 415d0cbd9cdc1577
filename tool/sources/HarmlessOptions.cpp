// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sources/HarmlessOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

/// Each list has the beginnings of names that go on after its letter.
static bool beginsAsOneOf(llvm::StringRef Name, llvm::ArrayRef<llvm::StringLiteral> Beginnings) {
  return llvm::any_of(Beginnings, [&](llvm::StringRef B) { return Name.starts_with(B); });
}

/// -f
static constexpr llvm::StringLiteral ForCode[] = {
    // Intel's and PGI's.
    "alias", "argument-", "ast", "fnalias", "imf-", "ma", "p-", "pe", "tz",
    // GCC's.
    "allow-store-data", "declone-", "default-inline", "directives-only", "dwarf2", "extern-tls", "fold-simple",
    "instrument-functions", "pch-", "preprocessed", "track-macro", "version-loops", "working-directory",
    "extended-identifiers", "force-addr", "function-attribute", "implement-inlines", "implicit-templates", "inline",
    "objc-", "permissive", "printf", "random-seed", "regs-graph", "ripa", "see", "spec-constr", "strength-reduce",
    "tls-model", "aggressive-", "align-", "analyzer", "associative-", "auto-", "bit-tests", "branch-", "caller-saves",
    "callgraph-", "canon-", "checking", "code-hoisting", "concepts", "coroutines", "combine-", "compare-", "conserve-",
    "crossjumping", "cse-", "cx-", "cprop-", "data-sections", "dce", "debug-", "defer-pop", "delayed-branch", "delete-",
    "devirtualize", "diagnostics-", "dse", "dump-", "early-inlining", "excess-precision", "expensive-", "fat-lto",
    "finite-", "float-store", "forward-propagate", "function-cse", "gcse", "gnu", "graphite", "guess-", "hardened",
    "hoist-", "if-conversion", "indirect-inlining", "inline-", "ip", "ipa-", "ira-", "isolate-", "ivopts", "jump-",
    "keep-", "limit-function", "lifetime-dse", "live-", "loop-", "lra-", "lto", "max-", "mem-report", "merge-",
    "modulo-", "move-loop", "mudflap", "offload", "openacc", "opt-info", "optimize-", "partial-inlining", "peel-",
    "peephole", "plt", "post-ipa", "pre-ipa", "predictive-", "prefetch-", "printf-return", "profile", "ranger",
    "reciprocal-", "ree", "rename-", "reorder-", "report", "reschedule-", "rounding-math", "rtl-", "save-", "sanitize",
    "sched", "section-", "sel-sched", "selective-", "semantic-interposition", "shrink-wrap", "signaling-nans", "simd-",
    "split-", "ssa-", "stack-", "stats", "stdarg-opt", "store-merging", "strict-", "thread-jumps", "time-report",
    "toplevel-reorder", "tracer", "trampolines", "tree-", "trivial-auto", "unconstrained-", "unit-at", "unreachable-",
    "unroll-", "unsafe-", "unswitch-", "unwind-", "use-linker-plugin", "var-tracking", "variable-", "vect-",
    "verbose-asm", "vpt", "web", "whole-program", "zero-"};

/// -m: which instructions there are, and which of them are taken. Not how large or aligned a type is.
static constexpr llvm::StringLiteral ForProcessors[] = {
    // GCC's.
    "3dnow", "8bit-idiv", "abm", "accumulate-", "adx", "aes", "align-branch", "align-data", "align-functions",
    "align-jumps", "align-loops", "align-stringops", "amx", "apx", "avx", "bmi", "branch-", "call-ms2sysv", "cet",
    "cld", "cldemote", "clflush", "clwb", "clzero", "cmpccxadd", "constant-cfstrings", "crc32", "cx16", "direct-extern",
    "dispatch-", "dump-tune", "enqcmd", "evex", "f16c", "fancy-math", "fence-as", "fentry", "fix-and-continue", "fma",
    "force-", "fp-ret-in", "fsgsbase", "function-return", "fused-madd", "fxsr", "general-regs", "gfni", "harden-",
    "hle", "hreset", "ieee-fp", "incoming-stack", "indirect-branch", "inline-", "instrument-return", "invpcid", "kl",
    "lfence", "lwp", "lzcnt", "manual-endbr", "memcpy-strategy", "memset-strategy", "mitigate-rop", "mmx", "move-max",
    "movbe", "movdir", "mwait", "needed", "nop-mcount", "omit-leaf", "partial-vector", "pc32", "pc64", "pc80", "pclmul",
    "pcommit", "pconfig", "pku", "popcnt", "prefer-", "preferred-stack", "prefetch", "prfchw", "ptwrite", "push-args",
    "raoint", "rdpid", "rdrnd", "rdseed", "recip", "record-", "red-zone", "relax-", "rtm", "sahf", "serialize", "sgx",
    "sha", "skip-rax", "sm3", "sm4", "sse2avx", "sse3", "sse4", "sse5", "ssse3", "stack-", "store-max", "stringop-",
    "stv", "tbm", "tls-", "tsxldtrk", "tune", "uintr", "unroll-", "use-unaligned", "usermsr", "vaes", "vec", "vect8",
    "vpclmul", "vzeroupper", "waitpkg", "wbnoinvd", "widekl", "x86-used", "xop", "xsave",
    // Intel's and PGI's.
    "cpu=", "ia32", "p1", "t_mpi"};

/// -q
static constexpr llvm::StringLiteral ForIntelOrIbm[] = {
    "opt-",          "mkl",    "no-opt",   "openmp-simd", "override-limits",
    "tbb",           "ipp",    "daal",     "next",        "simd",
    "arch=",         "tune=",  "hot",      "inline",      "ipa",
    "openmp-report", "maxmem", "suppress", "flag",        "list",
    "source",        "report", "strict",   "unroll",      "prefetch",
    "cache",         "pic",    "thread",   "compact",     "debug",
    "check",         "info",   "warn",     "halt",        "dump"};

/// -M
static constexpr llvm::StringLiteral ForPgi[] = {
    "accel",   "bounds",   "cache_align", "concur",  "cray",       "depchk",   "fprelaxed", "frame", "free",
    "fixed",   "info",     "inline",      "ipa",     "lfs",        "list",     "loop32",    "lre",   "mpi",
    "movnt",   "nobounds", "nodepchk",    "noframe", "noinfo",     "noinline", "noipa",     "nolre", "noprefetch",
    "nosmart", "nosse",    "nounroll",    "novect",  "nozerotrip", "pfi",      "pfo",       "pre",   "prefetch",
    "prof",    "safeptr",  "scalarsse",   "smart",   "sse",        "target",   "unroll",    "vect",  "zerotrip"};

/// All other words that are not taken for an option's value.
static constexpr llvm::StringLiteral Others[] = {
    // Wrappers'.
    "cc=", "cxx=", "echo", "show", "compile_info", "link_info", "config=", "profile=", "nativelinking", "mpilog",
    "check_mpi", "trace", "ilp64", "link_mpi", "static_mpi", "fast",
    // Warnings and what is said.
    "Wlarger-than", "cpp-precomp", "no-cpp-precomp", "diag-", "vec", "par-", "guide", "opt-", "sox", "watch", "no-diag",
    "no-vec", "no-opt", "notraceback", "traceback", "debug",
    // Intel's for optimising.
    "ax", "arch", "tp", "unroll", "ansi-alias", "no-ansi-alias", "alias-const", "no-alias", "restrict", "no-restrict",
    "prec-", "no-prec-", "pc32", "pc64", "pc80", "ip", "no-ip", "prof-", "parallel", "openmp-report", "heap-",
    "no-heap-", "inline-", "no-inline", "ftz", "no-ftz", "fma", "no-fma", "simd", "no-simd", "mkl", "tbb", "multiple-",

    // Where code goes.
    "KPIC", "Kpic", "shared", "static", "i-static", "i-dynamic", "no-intel-", "rpath", "export-dynamic", "pthreads",
    "Bstatic", "Bdynamic"};

bool mpishm::isHarmlessOption(llvm::StringRef Option) {
  if (!Option.consume_front("-"))
    return true; // no option
  auto IsOf = [&](llvm::StringRef Letter, llvm::ArrayRef<llvm::StringLiteral> Known) {
    llvm::StringRef Name = Option.drop_front(Letter.size());
    Name.consume_front("no-");
    return beginsAsOneOf(Name, Known);
  };
  if (Option.starts_with("f"))
    return IsOf("f", ForCode);
  if (Option.starts_with("m"))
    return IsOf("m", ForProcessors);
  if (Option.starts_with("q"))
    return IsOf("q", ForIntelOrIbm);
  if (Option.starts_with("M"))
    return IsOf("M", ForPgi);
  return beginsAsOneOf(Option, Others);
}
