// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fixture.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
using namespace mpishm::test;

/// An mpi.h whose handles are pointers to records and whose constants are addresses.
static constexpr const char *PointerHeader = R"c(
#ifndef MPI_H
#define MPI_H
#ifdef __cplusplus
extern "C" {
#endif
#define MPI_VERSION 3
typedef struct lib_comm_t *MPI_Comm;
typedef struct lib_request_t *MPI_Request;
typedef struct lib_message_t *MPI_Message;
typedef struct lib_type_t *MPI_Datatype;
typedef struct lib_info_t *MPI_Info;
typedef struct lib_group_t *MPI_Group;
typedef struct lib_op_t *MPI_Op;
typedef struct lib_win_t *MPI_Win;
typedef long MPI_Aint;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
extern struct lib_comm_object { int x; } lib_world, lib_self, lib_null, lib_request_null, lib_no_message, lib_int;
#define LIB_OBJECT(type, name) ((type)((void *)&(name)))
#define MPI_COMM_WORLD LIB_OBJECT(MPI_Comm, lib_world)
#define MPI_COMM_SELF LIB_OBJECT(MPI_Comm, lib_self)
#define MPI_COMM_NULL LIB_OBJECT(MPI_Comm, lib_null)
#define MPI_REQUEST_NULL LIB_OBJECT(MPI_Request, lib_request_null)
#define MPI_MESSAGE_NULL ((MPI_Message)0)
#define MPI_MESSAGE_NO_PROC LIB_OBJECT(MPI_Message, lib_no_message)
#define MPI_INT LIB_OBJECT(MPI_Datatype, lib_int)
#define MPI_INFO_NULL ((MPI_Info)0)
#define MPI_ANY_SOURCE -1
#define MPI_ANY_TAG -1
#define MPI_PROC_NULL -2
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
int MPI_Init(int *argc, char ***argv);
int MPI_Send(const void *b, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c);
int MPI_Isend(const void *b, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c, MPI_Request *r);
int MPI_Recv(void *b, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Status *s);
int MPI_Irecv(void *b, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Request *r);
int MPI_Mprobe(int source, int tag, MPI_Comm c, MPI_Message *m, MPI_Status *s);
int MPI_Imrecv(void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Request *r);
int MPI_Wait(MPI_Request *r, MPI_Status *s);
int MPI_Waitall(int n, MPI_Request r[], MPI_Status s[]);
int MPI_Comm_dup(MPI_Comm c, MPI_Comm *n);
int MPI_Comm_free(MPI_Comm *c);
int MPI_Comm_rank(MPI_Comm c, int *rank);
int MPI_Comm_c2f(MPI_Comm c);
MPI_Comm MPI_Comm_f2c(int c);
int MPI_Message_c2f(MPI_Message m);
MPI_Message MPI_Message_f2c(int m);
#ifdef __cplusplus
}
#endif
#endif
)c";

Folder::Folder() {
  if (std::error_code Error = llvm::sys::fs::createUniqueDirectory("mpishm-collect", Path))
    ADD_FAILURE() << "no temporary folder: " << Error.message();
}

Folder::~Folder() { llvm::sys::fs::remove_directories(Path); }

std::string Folder::write(llvm::StringRef Name, llvm::StringRef Text) const {
  llvm::SmallString<128> File(Path);
  llvm::sys::path::append(File, Name);
  llvm::sys::fs::create_directories(llvm::sys::path::parent_path(File));
  std::error_code Error;
  llvm::raw_fd_ostream(File, Error) << Text;
  EXPECT_FALSE(Error) << Error.message();
  return std::string(File);
}

std::vector<clang::tooling::CompileCommand> Commands::getCompileCommands(llvm::StringRef File) const {
  std::vector<clang::tooling::CompileCommand> Found;
  for (const clang::tooling::CompileCommand &Command : All)
    if (Command.Filename == File)
      Found.push_back(Command);
  return Found;
}

std::string Facts::dump() const {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  dumpFacts(Unit, Out);
  return Text;
}

bool Facts::has(llvm::StringRef Start) const {
  std::string Text = dump();
  llvm::StringRef Rest = Text;
  while (!Rest.empty()) {
    auto [Line, Next] = Rest.split('\n');
    if (Line.starts_with(Start))
      return true;
    Rest = Next;
  }
  return false;
}

static Facts parse(Language L, llvm::StringRef Code, const std::string &CCompiler, const std::string &CxxCompiler,
                   const std::vector<std::string> &Flags, const Folder &Place) {
  std::string File = Place.write(L == Language::C ? "unit.c" : "unit.cpp", "#include <mpi.h>\n" + Code.str());
  std::vector<std::string> Line = {L == Language::C ? CCompiler : CxxCompiler};
  if (L == Language::Cxx)
    Line.push_back("-std=c++20");
  Line.insert(Line.end(), Flags.begin(), Flags.end());
  Line.insert(Line.end(), {"-c", File, "-o", "unit.o"});
  Commands Database;
  Database.add(Place.path(), File, std::move(Line));
  Facts Result;
  llvm::raw_string_ostream Errors(Result.Errors);
  llvm::Expected<std::vector<UnitFacts>> Units = collectFacts(Database, {File}, CollectOptions(), Errors);
  if (!Units)
    Errors << llvm::toString(Units.takeError());
  else
    Result.Unit = std::move(Units->front());
  return Result;
}

Facts mpishm::test::collect(Language L, llvm::StringRef Code, std::vector<std::string> Flags) {
  Folder Place;
  return parse(L, Code, "mpicc", "mpicxx", Flags, Place);
}

Facts AnyLibrary::collect(Language L, llvm::StringRef Code, const std::vector<std::string> &Flags) {
  Folder Place;
  Facts Result;
  if (GetParam() == Library::Installed) {
    Result = parse(L, Code, "mpicc", "mpicxx", Flags, Place);
  } else {
    Place.write("include/mpi.h", PointerHeader);
    std::vector<std::string> All = {"-isystem", Place.path() + "/include"};
    All.insert(All.end(), Flags.begin(), Flags.end());
    Result = parse(L, Code, "cc", "c++", All, Place);
  }
  EXPECT_EQ(Result.Errors, "");
  return Result;
}
