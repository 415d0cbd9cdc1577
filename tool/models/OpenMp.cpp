// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the OpenMP run-time library that Clang's code calls, and that call the program's functions back or
// make memory; the others are in LibraryThreads.def. Source: Clang's OpenMP code generation, LLVM 19.

#include "models/LibraryModels.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace mpishm::ir;

namespace {
enum class OpenMp { None, Fork, MakeTask, LoopOfTasks, Reduce, CopyPrivate, ThreadPrivate };
}

static OpenMp openMpOf(llvm::StringRef Name) {
  return llvm::StringSwitch<OpenMp>(Name)
      .Cases("__kmpc_fork_call", "__kmpc_fork_teams", OpenMp::Fork)
      .Case("__kmpc_omp_task_alloc", OpenMp::MakeTask)
      .Case("__kmpc_taskloop", OpenMp::LoopOfTasks)
      .Cases("__kmpc_reduce", "__kmpc_reduce_nowait", OpenMp::Reduce)
      .Case("__kmpc_copyprivate", OpenMp::CopyPrivate)
      .Case("__kmpc_threadprivate_cached", OpenMp::ThreadPrivate)
      .Default(OpenMp::None);
}

bool LibraryModels::isOpenMp(llvm::StringRef Name) { return openMpOf(Name) != OpenMp::None; }

/// A parallel region's code is called with the addresses of its thread's numbers, and what it shares.
void LibraryModels::fork(const CallPlace &At, uint32_t Why) {
  uint32_t Thread = G.newNode();
  G.add(Thread, {Token::Kind::Memory, Heap.newObject("a thread's number", 4, 0), {0, 0}});
  fill(Thread, AnyNumber, 4);
  std::vector<uint32_t> Arguments{Thread, Thread};
  for (unsigned I = 3; I < At.What->Arguments.size(); ++I)
    Arguments.push_back(argument(At, I));
  callBack(argument(At, 2), std::move(Arguments), NoNode, Why);
}

/// A task: a record whose first member leads to what the task shares, which is made with it. Who runs the task calls
/// its code, and the code for its destructors that the program may put into the fourth member.
void LibraryModels::makeTask(const CallPlace &At, uint32_t Why) {
  uint32_t Task = G.newNode(), Shared = G.newNode();
  G.add(Task, {Token::Kind::Memory, newHeap(At, "a task", Unknown), {0, 0}});
  G.add(Shared, {Token::Kind::Memory, newHeap(At, "what a task shares", Unknown), {0, 0}});
  G.addRule(Task, {Rule::Kind::Store, NoNode, Shared, NoNode, 8});
  callBack(argument(At, 5), {AnyNumber, Task}, NoNode, Why);
  callBack(loadFrom(Task, 24), {AnyNumber, Task}, NoNode, Why);
  G.addCopy(Task, result(At));
}

/// False when \p Name is none of these functions.
bool LibraryModels::callOpenMp(const CallPlace &At, llvm::StringRef Name) {
  uint32_t Why = reason(At, "is handed to '" + Name.str() + "'");
  switch (openMpOf(Name)) {
  case OpenMp::None:
    return false;
  case OpenMp::Fork:
    fork(At, Why);
    return true;
  case OpenMp::MakeTask:
    makeTask(At, Why);
    return true;
  case OpenMp::LoopOfTasks: // copies the task, and sets the bounds in each copy
    for (unsigned Bound : {4, 5})
      fill(argument(At, Bound), AnyNumber, 8);
    callBack(argument(At, 10), {argument(At, 2), argument(At, 2), AnyNumber}, NoNode, Why);
    return true;
  case OpenMp::Reduce: // each thread's list of variables with that of another
    callBack(argument(At, 5), {argument(At, 4), argument(At, 4)}, NoNode, Why);
    G.addCopy(AnyNumber, result(At));
    return true;
  case OpenMp::CopyPrivate:
    callBack(argument(At, 4), {argument(At, 3), argument(At, 3)}, NoNode, Why);
    return true;
  case OpenMp::ThreadPrivate: // the copies of all threads are one
    G.addCopy(argument(At, 2), result(At));
    return true;
  }
  return false;
}
