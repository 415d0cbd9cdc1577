// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of communicators, datatypes and windows: MPI keeps what a program attaches, and gives it back to the
// program and its callbacks. Error handlers are callbacks, too.

#include "models/Analysis.h"

using namespace mpishm;
using namespace mpishm::ir;

/// A window, or a communicator, that MPI hands to \p Whom, a function of the program.
uint32_t Analysis::handleCalledFor(const CallPlace &At, bool OfWindows, llvm::StringRef Whom) {
  uint32_t Handle = G.newNode();
  G.addAnything(
      Handle,
      reason(At, (OfWindows ? "is a window that MPI hands to " : "is a communicator that MPI hands to ") + Whom.str()));
  G.addCopy(OfWindows ? WindowsCalledFor : CommunicatorsCalledFor, Handle);
  return Handle;
}

/// The callbacks of MPI_Comm_create_keyval and the like: one copies an attribute, the other deletes it.
void Analysis::createKey(const CallPlace &At, bool OfWindows) {
  uint32_t Why = reason(At, "is handed to a callback for attributes that is not known");
  uint32_t Of = handleCalledFor(At, OfWindows, "a callback"), Copy = G.newNode(), Flag = G.newNode();
  Token Place{Token::Kind::Memory, Heap.newObject("the copy of an attribute", 8, 0), {}};
  G.add(Copy, Place);
  G.addCopy(Heap.loaded(Place, 8), Attributes);
  G.add(Flag, {Token::Kind::Memory, Heap.newObject("a flag of MPI's", 4, 0), {}});
  callBack(argument(At, 0), {Of, AnyNumber, argument(At, 3), Attributes, Copy, Flag}, NoNode, Why);
  callBack(argument(At, 1), {Of, AnyNumber, Attributes, argument(At, 3)}, NoNode, Why);
  fill(argument(At, 2), AnyNumber, 4);
}

/// Error handlers, which MPI hands what they are for, by its address, and the code of the error; \p What is a
/// function's name without MPI_Comm_ and the like.
bool Analysis::callErrorHandlers(const CallPlace &At, bool OfWindows, llvm::StringRef What) {
  if (What == "call_errhandler")
    showNumber(argument(At, 1), reason(At, "is an error code, which handlers get"));
  if (What != "create_errhandler" && What != "MPI_Errhandler_create")
    return false;
  uint32_t Handle = handleCalledFor(At, OfWindows, "an error handler");
  callBack(argument(At, 0), {newPlainMemory("a handle with an error", Handle), newPlainMemory("an error code")}, NoNode,
           reason(At, "is handed to an error handler that is not known"));
  return true;
}

/// What MPI may hand to functions of the program: that on which attributes or error handlers are set. (What is made of
/// a communicator has its own from the beginning, see addHandles.)
void Analysis::noteCalledFor(const CallPlace &At, bool OfWindows, llvm::StringRef What) {
  if (What == "set_attr" || What == "set_errhandler" || What == "call_errhandler" || What == "MPI_Attr_put" ||
      What == "MPI_Errhandler_set")
    G.addCopy(argument(At, 0), OfWindows ? WindowsCalledFor : CommunicatorsCalledFor);
}

/// False when \p Name has nothing to do with attributes.
bool Analysis::callAttributes(const CallPlace &At, llvm::StringRef Name) {
  llvm::StringRef What = Name;
  bool IsWindow = What.consume_front("MPI_Win_"), IsOther = false;
  if (!IsWindow && !What.consume_front("MPI_Comm_"))
    IsOther = What.consume_front("MPI_Type_") || What.consume_front("MPI_File_") || What.consume_front("MPI_Session_");
  if (!IsOther)
    noteCalledFor(At, IsWindow, What);
  if (callErrorHandlers(At, IsWindow, What))
    return true;
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

/// MPI's own functions that copy attributes, or delete none, by the names that its libraries give them.
static bool isForAttributes(llvm::StringRef Name) {
  bool OfMpi = Name.starts_with("MPI") || Name.starts_with("PMPI") || Name.starts_with("OMPI_C_MPI_");
  return OfMpi && (Name.ends_with_insensitive("_DUP_FN") || Name.ends_with("_NULL_COPY_FN") ||
                   Name.ends_with("_NULL_DELETE_FN"));
}

bool Analysis::keepsNothing(const Callback &Of, const LinkedFunction &F) const {
  return LibraryModels::keepsNothing(Of, F) || isForAttributes(F.Name);
}
