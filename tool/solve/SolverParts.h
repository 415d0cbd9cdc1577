// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a Solver keeps of a program, item by item.

#ifndef MPISHM_TOOL_SOLVE_SOLVERPARTS_H
#define MPISHM_TOOL_SOLVE_SOLVERPARTS_H

#include "graph/Memory.h"
#include "link/Program.h"
#include "llvm/ADT/DenseSet.h"

namespace mpishm::ir {

/// The types of a Solver's members, for itself and those that see all that it found.
class SolverParts {
protected:
  /// A body whose constraints are in the graph.
  struct Instance {
    Body Of;
    uint32_t Base = 0;                ///< the node of its node 0
    std::optional<uint32_t> Variadic; ///< object of the variadic arguments
    /// The call that it is a clone for: in which instance, and which. Without one all calls share it.
    uint32_t ForIn = 0;
    const Call *For = nullptr;
  };
  /// A call in an instance.
  struct CallPlace {
    uint32_t In = 0; ///< into Instances
    const Call *What = nullptr;
  };
  /// The difference of two addresses.
  struct Difference {
    uint32_t To = NoNode, First = NoNode, Second = NoNode;
  };
  /// A function that a library calls back with these values.
  struct Callback {
    std::vector<uint32_t> Arguments;
    uint32_t Result = NoNode;
    uint32_t Why = 0;       ///< for the arguments, where the function is out of sight
    bool IsTrusted = false; ///< who calls may call functions of its own, too, which are as trusted
    bool OfStream = false;  ///< a stream calls, and the function may be of the library
    bool OfObject = false;  ///< the first argument is an object that the library may have, see extend()
  };

  /// Those members of a class that are accessed of what is at one address, which may be no object of that class.
  struct MembersOf {
    uint32_t Class = 0;      ///< into ClassNames
    uint32_t Table = NoNode; ///< what may be where an object of the class has the address of its table
    bool IsAllowed = false;
    std::vector<std::pair<uint32_t, uint32_t>> Waiting; ///< nodes, and the addresses that come to them if it is
  };

  /// An object, at an address, that a library has as one of a class of its own.
  struct Extended {
    Token Address;
    uint32_t Table = NoNode; ///< what may be where it has the address of its table of virtual functions
    uint32_t Why = 0;
    bool IsWhole = false;                 ///< one of these tells that the class is that of all that is there
    llvm::DenseSet<uint32_t> Tables = {}; ///< those that were found, variables
  };

  using Whys = llvm::SmallVector<uint32_t, 1>; ///< into Reasons

  /// What is called, as a reason tells it: its name, or that it is a function, which is anything because of Why.
  struct UnknownCallee {
    std::string Name;
    std::optional<uint32_t> Why; ///< into Reasons
  };

  /// The way out of sight of something that escapes, in words.
  struct WayOut {
    std::vector<std::string> Steps; ///< "is in 'x'"
    bool WasExposed = false;        ///< the last of all that were added is a function that is exposed
  };

  /// Where the memory of an object is made, or what a node points to is given back.
  struct MemoryPlace {
    uint32_t ObjectOrNode = 0;
    uint32_t In = 0; ///< into Instances
    Place Where;
    const Call *By = nullptr; ///< the call
  };

  /// What copies, fills and readings whose count the program computes have done: how many bytes, or Unknown, and after
  /// how many counts.
  struct Counted {
    int64_t Length = 0;
    unsigned Times = 0;
  };
};

} // namespace mpishm::ir

#endif
