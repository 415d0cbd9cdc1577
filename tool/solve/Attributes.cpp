// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of communicators, datatypes and windows: MPI keeps what a program attaches, and gives it back to the
// program and its callbacks.

#include "solve/Analysis.h"

using namespace mpishm;
using namespace mpishm::ir;

/// The callbacks of MPI_Comm_create_keyval and the like: one copies an attribute, the other deletes it.
void Analysis::createKey(const CallPlace &At, bool OfWindows) {
  uint32_t Why = reason(At, "is handed to a callback for attributes that is not known");
  uint32_t Of = G.newNode(), Copy = G.newNode(), Flag = G.newNode();
  G.addAnything(Of, reason(At, OfWindows ? "is a window that MPI hands to a callback"
                                         : "is a communicator that MPI hands to a callback"));
  if (OfWindows)
    G.addCopy(WindowsCalledFor, Of);
  Token Place{Token::Kind::Memory, Heap.newObject("the copy of an attribute", 8, 0), {}};
  G.add(Copy, Place);
  G.addCopy(Heap.loaded(Place, 8), Attributes);
  G.add(Flag, {Token::Kind::Memory, Heap.newObject("a flag of MPI's", 4, 0), {}});
  callBack(argument(At, 0), {Of, AnyNumber, argument(At, 3), Attributes, Copy, Flag}, NoNode, Why);
  callBack(argument(At, 1), {Of, AnyNumber, Attributes, argument(At, 3)}, NoNode, Why);
  fill(argument(At, 2), AnyNumber, 4);
}

/// MPI hands windows on which attributes or error handlers are set to functions of the program, the latter by their
/// addresses; \p What is a function's name without MPI_Win_.
void Analysis::noteWindowCallback(const CallPlace &At, llvm::StringRef What) {
  if (What == "set_attr" || What == "set_errhandler" || What == "call_errhandler")
    return G.addCopy(argument(At, 0), WindowsCalledFor);
  if (What != "create_errhandler")
    return;
  uint32_t Window = G.newNode();
  G.addAnything(Window, reason(At, "is a window that MPI hands to an error handler"));
  G.addCopy(WindowsCalledFor, Window);
  callBack(argument(At, 0), {newPlainMemory("a window with an error", Window), newPlainMemory("an error code")}, NoNode,
           reason(At, "is handed to an error handler that is not known"));
}

/// False when \p Name has nothing to do with attributes.
bool Analysis::callAttributes(const CallPlace &At, llvm::StringRef Name) {
  llvm::StringRef What = Name;
  bool IsWindow = What.consume_front("MPI_Win_");
  if (!IsWindow && !What.consume_front("MPI_Comm_"))
    What.consume_front("MPI_Type_");
  if (IsWindow)
    noteWindowCallback(At, What);
  if (What == "create_keyval" || What == "MPI_Keyval_create") {
    createKey(At, IsWindow);
    return true;
  }
  if (What == "set_attr" || What == "MPI_Attr_put") {
    G.addCopy(argument(At, 2), Attributes);
    return true;
  }
  if (What != "get_attr" && What != "MPI_Attr_get")
    return false;
  G.addRule(argument(At, 2), {Rule::Kind::Store, NoNode, Attributes, NoNode, 8});
  fill(argument(At, 3), AnyNumber, 4);
  if (IsWindow) // MPI_WIN_BASE
    G.addRule(argument(At, 2), {Rule::Kind::Store, NoNode, Windows, NoNode, 8});
  if (literal(At, 1)) { // one of MPI's own, which are integers (MPI-4.1, 9.1.2), those of windows an MPI_Aint or an int
    Token Place{Token::Kind::Memory, Heap.newObject("an attribute of MPI's", 8, 0), {}};
    uint32_t Address = G.newNode();
    G.add(Address, Place);
    fill(Address, AnyNumber, 8);
    G.addRule(argument(At, 2), {Rule::Kind::Store, NoNode, Address, NoNode, 8});
  }
  return true;
}
