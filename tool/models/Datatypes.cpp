// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What messages carry, by their datatypes: floating-point numbers are never handles, nor made from them.

#include "models/Analysis.h"

using namespace mpishm;
using namespace mpishm::ir;

/// Notes the constants of mpi.h that are datatypes.
void Analysis::findDatatypes() {
  for (const auto &[Name, Value] : P.Constants) {
    if (!isDatatype(Name))
      continue;
    ElementType Element = elementOf(Name).value_or(ElementType());
    if (Name == "MPI_DATATYPE_NULL") // nothing is sent with it
      Element.Floating = true;
    if (Value.Symbol.empty()) {
      NumberedDatatypes.try_emplace(Value.Number, Element);
      continue;
    }
    DatatypeSymbols.try_emplace(Value.Symbol, Datatypes.size());
    NamedDatatypes.push_back(Element);
    Datatypes.push_back(G.newNode());
    if (!Element.Floating)
      G.addAnyInteger(Datatypes.back());
  }
}

/// The datatype that is written to argument \p Index, and what it consists of.
void Analysis::makeDatatype(const CallPlace &At, llvm::StringRef Name, unsigned Index, llvm::StringRef Effects) {
  uint32_t Others = G.newNode();
  if (std::optional<int64_t> Elements = repetitions(At, Name))
    RepeatedTypes[Datatypes.size()] = {argument(At, Effects.find('p')), *Elements};
  storeHandle(argument(At, Index), {Token::Kind::Datatype, static_cast<uint32_t>(Datatypes.size()), {}});
  Datatypes.push_back(Others);
  keepNumbers(At, Effects);
  size_t Part = Effects.find_first_of("pP");
  if (Part == llvm::StringRef::npos)
    return G.addAnyInteger(Others);
  if (size_t Places = Effects.find('a'); Places != llvm::StringRef::npos)
    keepAddresses(argument(At, Places), Others);
  uint32_t Types = argument(At, Part);
  if (Effects[Part] == 'P') {
    Types = G.newNode();
    G.addRule(argument(At, Part), {Rule::Kind::LoadElement, Types, NoNode, NoNode, HandleWidth});
  }
  G.addRule(Types, {Rule::Kind::HoldsOthers, Others});
}

/// What a datatype is made from beside other datatypes, it tells of (MPI_Type_get_contents).
void Analysis::keepNumbers(const CallPlace &At, llvm::StringRef Effects) {
  for (unsigned I = 0; I < std::min(At.What->Arguments.size(), Effects.size()); ++I) {
    if (!llvm::StringRef(".a").contains(Effects[I]))
      continue;
    if (isPointer(At, I))
      G.addRule(argument(At, I), {Rule::Kind::Contents, InDatatypes, NoNode, NoNode, Unknown});
    else
      G.addCopy(argument(At, I), InDatatypes);
  }
}

/// Of how many elements of another datatype the one consists that \p At makes by the function \p Name, with the room
/// between them, if they begin where it does and all of it is behind. Nothing where that is not known.
std::optional<int64_t> Analysis::repetitions(const CallPlace &At, llvm::StringRef Name) const {
  constexpr int64_t Most = 1 << 30; // so that nothing overflows
  auto Number = [&](unsigned Index) {
    const int64_t N = literal(At, Index).value_or(-1);
    return N <= Most ? N : -1;
  };
  if (Name == "MPI_Type_dup")
    return 1;
  const int64_t Count = Number(0), Block = Number(1), Stride = Number(2);
  if (Name == "MPI_Type_contiguous" && Count >= 0)
    return Count;
  if (Name == "MPI_Type_vector" && Count >= 1 && Block >= 0 && Stride >= Block)
    return (Count - 1) * Stride + Block;
  return std::nullopt;
}

/// What addresses in a datatype lead to may be sent, and received into, by whoever is given that: those that are in
/// the array at \p Places. Something comes to \p Others when that may be other than floating-point numbers.
void Analysis::keepAddresses(uint32_t Places, uint32_t Others) {
  uint32_t Address = G.newNode();
  G.addRule(Places, {Rule::Kind::Contents, Address, NoNode, NoNode, Unknown});
  fill(Address, AnyNumber, Unknown);
  carryWith(Others, {Address, SentAnyhow, ReceivedAnyhow});
}

/// What the datatype \p T consists of when mpi.h has it: perhaps an element of unknown size, 0. A number that is known
/// is none that MPI makes up while the program runs.
std::optional<ElementType> Analysis::namedDatatype(const Token &T) const {
  if (T.Is == Token::Kind::Datatype && !T.isPartial() && T.Id < NamedDatatypes.size())
    return NamedDatatypes[T.Id];
  if (T.Is != Token::Kind::Integer || T.Id || !T.Where.isExact())
    return std::nullopt;
  auto It = NumberedDatatypes.find(T.Where.Offset);
  return It == NumberedDatatypes.end() ? ElementType() : It->second;
}

/// Whether \p T is what memory holds before a datatype is put there: zero, which mpi.h gives to none. No message is of
/// it.
bool Analysis::isNoDatatype(const Token &T) const {
  return T == Token{Token::Kind::Integer, 0, {0, 0}} && !NumberedDatatypes.count(0);
}

/// Something comes to \p To when the datatype \p T may hold other things than floating-point numbers.
void Analysis::holdsOthers(const Token &T, uint32_t To) {
  if (T.Is == Token::Kind::Datatype && !T.isPartial())
    return G.addCopy(Datatypes[T.Id], To);
  if (isNoDatatype(T))
    return;
  std::optional<ElementType> Element = namedDatatype(T);
  if (!Element || !Element->Floating)
    G.addAnyInteger(To);
}

/// What \p At sends goes to \p Out, and what it receives comes from \p In, if not NoNode.
void Analysis::exchange(const CallPlace &At, const MessageBuffer &B, uint32_t Out, uint32_t In) {
  Exchange E{argument(At, B.Address), Out, In};
  Exchange Anywhere = E; // a datatype that the program made may reach back
  Anywhere.Address = G.newNode();
  G.addDerived(E.Address, Anywhere.Address);
  auto IsGiven = [&](unsigned Argument) { return Argument < At.What->Arguments.size(); };
  if (!IsGiven(B.Type)) {
    carryNumbers(Anywhere);
    return carry(Anywhere);
  }
  E.Count = IsGiven(B.Count) ? argument(At, B.Count) : B.Elements;
  E.Made = G.newNode();
  E.AnyMade = G.newNode();
  carryWith(E.Made, Anywhere);
  Exchange Numbers = Anywhere;
  Numbers.Out = NoNode;
  Numbers.In = In == NoNode ? NoNode : AnyNumber;
  carryWith(E.AnyMade, Numbers);
  E.First = Exchanges.size();
  Exchanges.push_back(E);
  bindCount(argument(At, B.Type),
            {Rule::Kind::Datatype, NoNode, NoNode, NoNode, static_cast<int64_t>(Exchanges.size() - 1)});
}

/// The same as \p E with the datatype \p T is one with more elements of the datatype that T was made of. False when it
/// is not known how many.
bool Analysis::addRepeated(int64_t E, const Token &T) {
  constexpr int64_t Most = 1 << 30; // so that a type which is made of itself, in a loop, comes to an end
  const auto It = T.Is == Token::Kind::Datatype && !T.isPartial() ? RepeatedTypes.find(T.Id) : RepeatedTypes.end();
  int64_t Each = 0;
  if (It == RepeatedTypes.end() || __builtin_mul_overflow(Exchanges[E].Each, It->second.Elements, &Each) || Each > Most)
    return false;
  Exchange Further = Exchanges[E];
  Further.Each = Each;
  if (!RepeatedExchanges.insert({Further.First, T.Id, Each}).second)
    return true;
  Further.Lengths.clear();
  Exchanges.push_back(Further);
  bindCount(It->second.Of, {Rule::Kind::Datatype, NoNode, NoNode, NoNode, static_cast<int64_t>(Exchanges.size() - 1)});
  return true;
}

/// The message of the exchange that \p R names may be of the datatype \p T.
void Analysis::addDatatype(const Rule &R, const Token &T) {
  if (isNoDatatype(T) || addRepeated(R.A, T))
    return;
  const Exchange &E = Exchanges[R.A];
  std::optional<ElementType> Element = namedDatatype(T);
  if (!Element) {
    G.addAnyInteger(E.AnyMade);
    return holdsOthers(T, E.Made);
  }
  int64_t Size = 0;
  if (__builtin_mul_overflow(E.Each, Element->Size, &Size))
    Size = 0;
  Rule OfCount{Rule::Kind::Count, NoNode, NoNode, NoNode, R.A, Size, Element->Floating};
  if (E.Count == NoNode)
    return addCount(OfCount, {});
  bindCount(E.Count, OfCount);
}

/// The message of the exchange \p R.A may have \p T elements of \p R.B bytes, floating-point numbers if \p R.C.
void Analysis::addCount(const Rule &R, const std::optional<Token> &T) {
  Exchange &Of = Exchanges[R.A];
  Exchange E{Of.Address, Of.Out, Of.In};
  E.Element = Of.Each == 1 && R.B > 1 ? R.B : 0;
  bool IsKnown = T && R.B && T->Is == Token::Kind::Integer && !T->Id && T->Where.isExact() && T->Where.Offset >= 0;
  int64_t Length = 0;
  if (IsKnown && !__builtin_mul_overflow(T->Where.Offset, R.B, &Length))
    E.Length = Length;
  if (!Of.Lengths.insert({E.Length, R.C, E.Element}).second)
    return;
  carryNumbers(E);
  if (!R.C)
    carry(E);
}

/// What is received may be any numbers.
void Analysis::carryNumbers(const Exchange &E) {
  if (E.In != NoNode)
    fill(E.Address, AnyNumber, E.Length, E.Element);
}

/// \p E may carry whatever is in memory when something comes to \p Others.
void Analysis::carryWith(uint32_t Others, const Exchange &E) {
  Exchanges.push_back(E);
  G.addRule(Others, {Rule::Kind::Carry, NoNode, NoNode, NoNode, static_cast<int64_t>(Exchanges.size() - 1)});
}

/// Something has come: more of it would do the same again.
void Analysis::carryOnce(Exchange &E) {
  if (E.Lengths.insert({E.Length, false, E.Element}).second)
    carry(E);
}

/// The message may hold whatever is in memory.
void Analysis::carry(const Exchange &E) {
  if (E.Out != NoNode)
    contents(E.Address, E.Out, E.Length, E.Element);
  if (E.In != NoNode)
    fill(E.Address, E.In, E.Length, E.Element);
}

/// The buffer \p B is sent as well when the argument that is sent otherwise, which may be \p T, may be MPI_IN_PLACE:
/// that is no address of memory, nor computed from one, and not null.
void Analysis::sendInPlace(const Rule &R, const Token &T) {
  InPlace &In = InPlaces[R.A];
  bool IsAddress = T.Is == Token::Kind::Memory ||
                   (T.Is == Token::Kind::Integer && (T.Id == OfAddress || (!T.Id && T.Where == Region())));
  if (In.IsSent || IsAddress)
    return;
  In.IsSent = true;
  exchange(In.At, In.Buffer, In.Carried, NoNode);
}

/// How many elements \p B gets where an argument says for each rank how many that gets.
void Analysis::addElements(const CallPlace &At, llvm::StringRef Effects, MessageBuffer &B) {
  const size_t Index = Effects.find_first_of("kK");
  if (Index >= At.What->Arguments.size())
    return;
  B.Elements = argument(At, Index);
  if (Effects[Index] == 'k')
    return;
  B.Elements = G.newNode();
  G.addRule(argument(At, Index), {Rule::Kind::LoadElement, B.Elements, NoNode, NoNode, 4});
}

/// \p Carried is what messages of one kind carry.
void Analysis::addMessages(uint32_t Carried) {
  G.addCopy(SentAnyhow, Carried);
  G.addCopy(Carried, ReceivedAnyhow);
}

/// What messages of \p Collective carry: what one collective sends no other one receives, nor does who receives a
/// message of one rank. Where it \p Reduces, operations of the program's may compute it.
uint32_t Analysis::messagesOf(llvm::StringRef Collective, bool Reduces) {
  auto [It, New] = CollectiveMessages.try_emplace(Collective.str(), NoNode);
  if (!New)
    return It->second;
  It->second = G.newNode();
  addMessages(It->second);
  if (Reduces) {
    G.addCopy(It->second, ToReduce);
    G.addCopy(Reduced, It->second);
  }
  return It->second;
}

/// A buffer whose letter is \p Effects[Index], and whose datatype is the next that the letters name. \p Carried is what
/// messages of the call's kind carry.
void Analysis::exchangeBuffer(const CallPlace &At, unsigned Index, llvm::StringRef Effects, uint32_t Carried,
                              uint32_t Why) {
  MessageBuffer B{Index};
  if (size_t Type = Effects.find_first_of("tT", Index + 1); Type != llvm::StringRef::npos) {
    B.Type = Type;
    B.Count = Effects[Type] == 'T' ? B.Type - 1 : MessageBuffer::None;
  }
  char Effect = Effects[Index];
  if (Effect == 'g')
    return exchange(At, B, NoNode, Written);
  const size_t Sent = Effects.find('s');
  if (Effect == 'b' && Sent < Index) {
    InPlaces.push_back({At, B, Carried, false});
    bindCount(argument(At, Sent),
              {Rule::Kind::InPlace, NoNode, NoNode, NoNode, static_cast<int64_t>(InPlaces.size() - 1)});
    addElements(At, Effects, B);
    return exchange(At, B, NoNode, Carried);
  }
  if (Effect != 'f')
    return exchange(At, B, Effect == 'r' ? NoNode : Carried, Effect == 's' ? NoNode : Carried);
  uint32_t Contents = G.newNode();
  goOut(Contents, Why);
  exchange(At, B, Contents, NoNode);
}

void Analysis::applyModel(const Rule &R, const Token &T) {
  switch (R.Is) {
  case Rule::Kind::InPlace:
    return sendInPlace(R, T);
  case Rule::Kind::HoldsOthers:
    return holdsOthers(T, R.To);
  case Rule::Kind::Datatype:
    return addDatatype(R, T);
  case Rule::Kind::Count:
    return addCount(R, T);
  case Rule::Kind::Carry:
    return carryOnce(Exchanges[R.A]);
  default:
    return LibraryModels::applyModel(R, T);
  }
}
