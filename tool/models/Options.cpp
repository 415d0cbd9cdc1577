// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library that read what a program was started with: getopt, and argp, which calls the program's
// parsers. Source: getopt.h and argp.h of glibc.

#include "models/LibraryModels.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace mpishm::ir;

namespace {

enum class Argp { None, Parse, Help, HelpOfState, Usage, Error, Failure, Input };

/// Offsets in a struct argp, argp_option, argp_child and argp_state, and the lengths of the latter three.
enum Record : int64_t { OptionsOf = 0, Parser = 8, OwnTexts = 16, Children = 32, Filter = 40 };
enum Option : int64_t { NameOfOption = 0, Key = 8, TextOfOption = 32, EndOfOption = 48 };
enum Child : int64_t { RecordOfChild = 0, Header = 16, EndOfChild = 32 };
enum State : int64_t {
  Root = 0,
  Count = 8,
  Words = 16,
  Numbers = 24,
  InputOfState = 40,
  InputsOfChildren = 48,
  Name = 64,
  Streams = 72,
  Private = 88,
  EndOfState = 96
};

} // namespace

/// The address of the variable that other units and libraries know by \p Name; of nothing where the program has none.
uint32_t LibraryModels::addressOf(llvm::StringRef Name) {
  uint32_t Address = G.newNode();
  if (auto It = P.External.find(Name); It != P.External.end() && !It->second.IsFunction)
    addAddress(Address, It->second, 0);
  return Address;
}

/// What the arguments in the array \p Index are: texts, and places in them.
uint32_t LibraryModels::optionTexts(const CallPlace &At, unsigned Index) {
  uint32_t Texts = G.newNode(), Places = G.newNode();
  contents(argument(At, Index), Texts, Unknown);
  fill(argument(At, Index), Texts, Unknown); // in another order
  G.addDerived(Texts, Places);
  G.addCopy(Texts, Places);
  return Places;
}

/// getopt and its relatives: they put the texts of their arguments into another order, the address of one into optarg,
/// and a number where the record of an option says. False when \p Name is none of them.
bool LibraryModels::callOptions(const CallPlace &At, llvm::StringRef Name) {
  bool IsLong = Name == "getopt_long" || Name == "getopt_long_only";
  if (At.What->Arguments.size() != (IsLong ? 5U : 3U) || (!IsLong && Name != "getopt"))
    return false;
  uint32_t Texts = optionTexts(At, 1);
  for (llvm::StringRef Variable : {"optarg", "optind", "optopt"}) {
    const bool IsText = Variable == "optarg";
    fill(addressOf(Variable), IsText ? Texts : LibraryNumber, IsText ? 8 : 4);
  }
  G.addCopy(LibraryNumber, result(At));
  if (!IsLong)
    return true;
  uint32_t Options = G.newNode(), Values = G.newNode();
  contents(argument(At, 3), Options, Unknown);
  G.addDerived(Options, Values);
  G.addCopy(LibraryNumber, Values);
  fill(Options, Values, 4);
  G.addCopy(Values, result(At));
  fill(argument(At, 4), LibraryNumber, 4);
  return true;
}

static Argp argpOf(llvm::StringRef Name) {
  Name.consume_front("_");
  Name.consume_front("_");
  return llvm::StringSwitch<Argp>(Name)
      .Case("argp_parse", Argp::Parse)
      .Case("argp_help", Argp::Help)
      .Case("argp_state_help", Argp::HelpOfState)
      .Case("argp_usage", Argp::Usage)
      .Case("argp_error", Argp::Error)
      .Case("argp_failure", Argp::Failure)
      .Case("argp_input", Argp::Input)
      .Default(Argp::None);
}

bool LibraryModels::isArgp(llvm::StringRef Name) { return argpOf(Name) != Argp::None; }

/// The struct argp at \p Record, and those of its children, and so on.
uint32_t LibraryModels::optionRecords(uint32_t Record) {
  uint32_t All = G.newNode();
  G.addCopy(Record, All);
  G.addCopy(loadFrom(loadFrom(All, Children), RecordOfChild, EndOfChild), All);
  return All;
}

/// Help is printed, of all \p Records: filters of the program get its texts, and \p Input; what they return is printed,
/// and given back if it is another text.
void LibraryModels::helpWithOptions(uint32_t Records, uint32_t Input, uint32_t Why) {
  uint32_t Options = loadFrom(Records, OptionsOf), Texts = G.newNode(), Given = G.newNode(), Shown = G.newNode();
  G.addCopy(libraryText(), Texts);
  for (int64_t Own : {int64_t(OwnTexts), OwnTexts + 8})
    G.addCopy(loadFrom(Records, Own), Texts);
  G.addCopy(loadFrom(Options, NameOfOption, EndOfOption), Texts);
  G.addCopy(loadFrom(Options, TextOfOption, EndOfOption), Texts);
  G.addCopy(loadFrom(loadFrom(Records, Children), Header, EndOfChild), Texts);
  G.addDerived(Texts, Given);
  G.addCopy(Texts, Given);
  G.addInteger(Given, 0);
  escape(Shown, Why);
  callBack(loadFrom(Records, Filter), {AnyNumber, Given, Input}, Shown, Why);
}

/// The struct argp_state that parsers get, in which \p Input is, and what one parser leaves for another.
uint32_t LibraryModels::stateOfOptions(const CallPlace &At, uint32_t Texts, uint32_t Input) {
  auto Object = [&](std::string What, int64_t Size) {
    uint32_t Address = G.newNode();
    G.add(Address, {Token::Kind::Memory, Heap.newObject(std::move(What), Size, 0), {0, 0}});
    fill(Address, Zero, Size);
    return Address;
  };
  uint32_t Given = Object("what parsers of options get", EndOfState),
           Inputs = Object("what their children get", Unknown);
  // The library has a struct argp of its own that has the program's for a child.
  uint32_t Own = Object("a record of options", Filter + 16), Kept = Object("the children of a record", Unknown);
  storeAt(Kept, 0, argument(At, 0));
  storeAt(Own, Children, Kept);
  storeAt(Given, Root, argument(At, 0));
  storeAt(Given, Root, Own);
  fill(placeAt(Given, Count), LibraryNumber, 4);
  storeAt(Given, Words, argument(At, 2));
  fill(placeAt(Given, Numbers), LibraryNumber, InputOfState - Numbers);
  storeAt(Given, InputOfState, Input);
  storeAt(Given, InputOfState, loadFrom(Inputs, 0, 8));
  storeAt(Given, InputsOfChildren, Inputs);
  storeAt(Given, Name, Texts);
  for (int64_t Each : {int64_t(Streams), Streams + 8, int64_t(Private)})
    storeAt(Given, Each, libraryFiles());
  return Given;
}

/// argp_parse calls all parsers with a key, an argument, and its state, in which the input is.
void LibraryModels::parseOptions(const CallPlace &At, uint32_t Why) {
  uint32_t Texts = optionTexts(At, 2), Records = optionRecords(argument(At, 0)), Keys = G.newNode();
  uint32_t State = stateOfOptions(At, Texts, argument(At, 5));
  G.addInteger(Texts, 0); // where there is none
  G.addCopy(LibraryNumber, Keys);
  G.addCopy(loadFrom(loadFrom(Records, OptionsOf), Key, EndOfOption, 4), Keys);
  callBack(loadFrom(Records, Parser), {Keys, Texts, State}, result(At), Why);
  helpWithOptions(Records, loadFrom(State, InputOfState), Why);
  fill(argument(At, 4), LibraryNumber, 4);
  G.addCopy(LibraryNumber, result(At));
  callBack(loadFrom(addressOf("argp_program_version_hook"), 0), {loadFrom(State, Streams), State}, NoNode, Why);
}

/// False when \p Name is none of argp's functions.
bool LibraryModels::callArgp(const CallPlace &At, llvm::StringRef Name) {
  const Argp Is = argpOf(Name);
  if (Is == Argp::None || At.What->Arguments.size() < (Is == Argp::Parse ? 6U : Is == Argp::Usage ? 1U : 2U))
    return false;
  uint32_t Why = reason(At, "is given to '" + Name.str() + "'");
  switch (Is) {
  case Argp::None:
    return false;
  case Argp::Parse:
    parseOptions(At, Why);
    return true;
  case Argp::Help:
    helpWithOptions(optionRecords(argument(At, 0)), Zero, Why);
    return true;
  case Argp::Input:
    G.addCopy(loadFrom(argument(At, 1), InputOfState), result(At));
    return true;
  case Argp::Error:
  case Argp::Failure:
    if (At.What->Arguments.size() > (Is == Argp::Error ? 1U : 3U))
      print(At, Is == Argp::Error ? 1 : 3, /*IsList=*/false, NoNode);
    [[fallthrough]];
  case Argp::HelpOfState:
  case Argp::Usage:
    helpWithOptions(optionRecords(loadFrom(argument(At, 0), Root)), loadFrom(argument(At, 0), InputOfState), Why);
    return true;
  }
  return false;
}
