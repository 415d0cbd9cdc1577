// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sources/TemporaryFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <csignal>
#include <unistd.h>

using namespace mpishm;

/// What the handler below removes, or null. Written by owners, with release; read by the handler, with acquire, which
/// may run on another thread.
static std::atomic<const char *> Removed;

/// LLVM removes the files that it has been told of on a signal, but no folder.
static void removeOnSignal(int Signal) {
  llvm::sys::RunInterruptHandlers();
  if (const char *Path = Removed.load(std::memory_order_acquire))
    rmdir(Path);
  std::signal(Signal, SIG_DFL);
  std::raise(Signal);
}

/// Where nobody has asked for the signal to be ignored, as nohup does.
static void watchSignals() {
  for (int Signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    struct sigaction Action = {};
    if (sigaction(Signal, nullptr, &Action) != 0 || Action.sa_handler == SIG_IGN)
      continue;
    Action = {};
    Action.sa_handler = removeOnSignal;
    sigaction(Signal, &Action, nullptr);
  }
}

void TemporaryFolder::remove() {
  if (Path.empty())
    return;
  (void)llvm::sys::fs::remove_directories(Path);
  Removed.store(nullptr, std::memory_order_release); // not before, for a signal meanwhile
  Path.clear();
}

std::error_code TemporaryFolder::make() {
  llvm::SmallString<128> Made;
  if (!Path.empty())
    return {};
  if (std::error_code Error = llvm::sys::fs::createUniqueDirectory("mpishm", Made))
    return Error;
  Path = Made.str().str();
  Removed.store(Path.c_str(), std::memory_order_release);
  watchSignals();
  return {};
}

std::error_code TemporaryFolder::add(llvm::StringRef Name, llvm::StringRef Text) {
  llvm::SmallString<128> File(Path);
  llvm::sys::path::append(File, Name);
  llvm::sys::RemoveFileOnSignal(File);
  std::error_code Error;
  llvm::raw_fd_ostream Out(File, Error);
  if (Error)
    return Error;
  Out << Text;
  Out.close();
  Error = Out.error();
  Out.clear_error();
  return Error;
}
