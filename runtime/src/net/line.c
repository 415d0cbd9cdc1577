/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whether our definitions of MPI's functions are the ones that all code in this process calls. They are not where
 * another library's stand before them (a profiling library that is preloaded), or where a library calls PMPI_ names
 * instead (the Fortran bindings of Open MPI; those of MPICH for Fortran 2008 where it completes requests). Messages and
 * collectives apart: many a library has PMPI_ collectives at its end, and no messages.
 */
#include "net/net.h"
#include "net/serving.h"
#include "watch/places.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char obstacle_text[NET_PARTS][512];

/* ---- Who goes round it. ---- */

/* Of one loaded library, as the dynamic linker sees it. */
struct symbols {
  const ElfW(Sym) * table;
  const char *names;
  const uint32_t *hash;              /* GNU's, or NULL */
  size_t count;                      /* or 0: as many as that says */
  const ElfW(Rela) * calls, *others; /* what refers to functions that it calls; and to what else, as their addresses */
  size_t calls_bytes, others_bytes;
  bool calls_are_rela;
  ElfW(Addr) base;
};

/* GNU's hash table says only where chains begin: the last symbol is the end of the longest (glibc's elf/dl-addr.c
 * counts the same way). */
static size_t count_gnu(const uint32_t *hash) {
  uint32_t buckets = hash[0], first = hash[1], words = hash[2], last = 0;
  const uint32_t *bucket = hash + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t)), *chain = bucket + buckets;
  for (uint32_t i = 0; i < buckets; i++)
    last = bucket[i] > last ? bucket[i] : last;
  if (last < first)
    return first; /* nothing but what it needs of others */
  while (!(chain[last - first] & 1))
    last++;
  return last + 1;
}

/* The dynamic linker has made addresses of these in most libraries, but not in the kernel's own. */
static const void *address(const struct dl_phdr_info *info, ElfW(Addr) pointer) {
  return (const void *)(pointer < info->dlpi_addr ? pointer + info->dlpi_addr : pointer);
}

static struct symbols symbols_of(const struct dl_phdr_info *info) {
  struct symbols symbols = {.base = info->dlpi_addr};
  const ElfW(Dyn) *entry = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (; entry && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_SYMTAB)
      symbols.table = address(info, entry->d_un.d_ptr);
    else if (entry->d_tag == DT_STRTAB)
      symbols.names = address(info, entry->d_un.d_ptr);
    else if (entry->d_tag == DT_JMPREL)
      symbols.calls = address(info, entry->d_un.d_ptr);
    else if (entry->d_tag == DT_PLTRELSZ)
      symbols.calls_bytes = entry->d_un.d_val;
    else if (entry->d_tag == DT_PLTREL)
      symbols.calls_are_rela = entry->d_un.d_val == DT_RELA;
    else if (entry->d_tag == DT_RELA)
      symbols.others = address(info, entry->d_un.d_ptr);
    else if (entry->d_tag == DT_RELASZ)
      symbols.others_bytes = entry->d_un.d_val;
    else if (entry->d_tag == DT_HASH)
      symbols.count = ((const uint32_t *)address(info, entry->d_un.d_ptr))[1];
    else if (entry->d_tag == DT_GNU_HASH)
      symbols.hash = address(info, entry->d_un.d_ptr);
  }
  return symbols;
}

static bool has_names(const struct symbols *symbols) { return symbols->table && symbols->names; }

static size_t symbol_of(const ElfW(Rela) * reference) {
  return reference->r_info >> (sizeof(ElfW(Addr)) == 8 ? 32 : 8);
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static size_t count_referred(const ElfW(Rela) * references, size_t bytes) {
  size_t count = 0;
  for (size_t i = 0; references && i < bytes / sizeof *references; i++)
    count = larger(count, symbol_of(&references[i]) + 1);
  return count;
}

/* Where nothing is defined for others, GNU's linker writes a hash table that begins behind symbol 0, whatever there is:
 * then what is referred to tells. */
static bool tells_count(const uint32_t *hash) { return hash && hash[1] > 1; }

static size_t count_symbols(const struct symbols *symbols) {
  if (!has_names(symbols))
    return 0;
  if (symbols->count)
    return symbols->count;
  if (tells_count(symbols->hash))
    return count_gnu(symbols->hash);
  size_t count = symbols->hash ? count_gnu(symbols->hash) : 0;
  count = larger(count, count_referred(symbols->others, symbols->others_bytes));
  return symbols->calls_are_rela ? larger(count, count_referred(symbols->calls, symbols->calls_bytes)) : count;
}

/* Among the first so many are all that it needs of others: they come before those of GNU's hash table. But where a
 * program lies at a fixed address, that table also has functions of others whose addresses it takes. */
static size_t count_needed(const struct dl_phdr_info *info, const struct symbols *symbols) {
  bool is_program = !*info->dlpi_name;
  return is_program || !tells_count(symbols->hash) || !has_names(symbols) ? count_symbols(symbols) : symbols->hash[1];
}

static bool is_undefined(const struct symbols *symbols, size_t i) { return symbols->table[i].st_shndx == SHN_UNDEF; }
static const char *symbol_name(const struct symbols *symbols, size_t i) {
  return symbols->names + symbols->table[i].st_name;
}

static bool is_listed(const char *name, const char *const names[], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (name[0] == names[i][0] && strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool is_listed_after(const char *prefix, const char *name, const char *const names[], size_t count) {
  size_t length = strlen(prefix);
  return strncmp(name, prefix, length) == 0 && is_listed(name + length, names, count);
}

/* Whether it sends or receives, by a PMPI_ name. */
static bool is_pmpi_message(const char *name) {
  static const char *const names[] = {"PMPI_Send", "PMPI_Isend", "PMPI_Recv", "PMPI_Irecv"};
  return is_listed(name, names, sizeof names / sizeof *names);
}

#define NAME(function) #function,
#define LARGE_NAME(function) #function "_c",
/* Whether we define a function of MPI by this name, after `prefix`, that takes messages or requests. */
static bool is_served(const char *name, const char *prefix) {
  static const char *const names[] = {MPISHM_COUNTED(NAME) MPISHM_LARGE(LARGE_NAME) MPISHM_PROBES(NAME)
                                          MPISHM_COMPLETIONS(NAME)};
  return is_listed_after(prefix, name, names, sizeof names / sizeof *names);
}
/* The same for a collective. */
static bool is_collective(const char *name, const char *prefix) {
  static const char *const names[] = {MPISHM_COLLECTIVES(NAME) MPISHM_LARGE_COLLECTIVES(LARGE_NAME)};
  return is_listed_after(prefix, name, names, sizeof names / sizeof *names);
}
#undef NAME
#undef LARGE_NAME

/* MPICH's bindings for Fortran 2008 (mpi_wait_f08_, mpi_isend_f08ts_) start messages by MPI_ names and complete them by
 * PMPI_ ones. They are in one library with all others, which do not. */
static bool is_of_fortran_2008(const char *name) {
  return strncmp(name, "mpi_", strlen("mpi_")) == 0 && strstr(name, "_f08");
}

static bool fortran_2008_is_used;

static int look_for_fortran_2008(struct dl_phdr_info *info, size_t bytes, void *state) {
  struct symbols symbols = symbols_of(info);
  (void)bytes, (void)state;
  size_t count = count_needed(info, &symbols);
  for (size_t i = 0; i < count && !fortran_2008_is_used; i++)
    fortran_2008_is_used = is_undefined(&symbols, i) && is_of_fortran_2008(symbol_name(&symbols, i));
  return fortran_2008_is_used;
}

/* Whether it stands in the line of such functions itself, as profiling libraries do, and MPI. */
static bool stands_in_line(const struct symbols *symbols) {
  size_t count = count_symbols(symbols);
  for (size_t i = 0; i < count; i++)
    if (!is_undefined(symbols, i) &&
        (is_served(symbol_name(symbols, i), "MPI_") || is_collective(symbol_name(symbols, i), "MPI_")))
      return true;
  return false;
}

static bool is_for_fortran_2008(const struct symbols *symbols) {
  size_t count = count_symbols(symbols);
  for (size_t i = 0; i < count; i++)
    if (!is_undefined(symbols, i) && is_of_fortran_2008(symbol_name(symbols, i)))
      return true;
  return false;
}

static bool defines(const struct symbols *symbols, const char *name) {
  size_t count = count_symbols(symbols);
  for (size_t i = 0; i < count; i++)
    if (!is_undefined(symbols, i) && strcmp(symbol_name(symbols, i), name) == 0)
      return true;
  return false;
}

/* Whether a library that stands in line calls PMPI_Wait, say, and has no MPI_Wait that it would stand in line with: it
 * may be given our requests. */
static bool has_calls_out_of_line(const struct symbols *symbols, size_t up_to) {
  for (size_t i = 0; i < up_to; i++) {
    const char *name = symbol_name(symbols, i);
    if (is_undefined(symbols, i) && is_served(name, "PMPI_") && !defines(symbols, name + strlen("P")))
      return true;
  }
  return false;
}

/* Whether a library calls PMPI_Send, PMPI_Wait or a relative, or PMPI_Bcast or one, and does not stand in line. Nearly
 * all call none: what they define, some thousand names, is looked at only in the others. */
static bool library_goes_round(const struct symbols *symbols, size_t up_to, enum net_part part) {
  bool has_messages = false, has_others = false;
  for (size_t i = 0; i < up_to; i++) {
    const char *name = symbol_name(symbols, i);
    if (!is_undefined(symbols, i) || name[0] != 'P')
      continue;
    has_messages = has_messages || (part == NET_MESSAGES && is_pmpi_message(name));
    has_others = has_others || (part == NET_MESSAGES ? is_served(name, "PMPI_") : is_collective(name, "PMPI_"));
  }
  return (has_messages || has_others) &&
         (!stands_in_line(symbols) || (part == NET_MESSAGES && has_calls_out_of_line(symbols, up_to))) &&
         (has_messages || !is_for_fortran_2008(symbols) || fortran_2008_is_used);
}

/* Whether it is in one of our tables of functions. */
static bool is_in_table(uintptr_t place) {
  const struct mpi_functions *const tables[] = {&mpi_own, &mpi_next, &mpi_first};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (place - (uintptr_t)tables[i] < sizeof *tables[i])
      return true;
  return false;
}

static bool any_goes_round(const struct symbols *symbols, const ElfW(Rela) * references, size_t bytes,
                           enum net_part part) {
  size_t count = references && has_names(symbols) ? bytes / sizeof *references : 0;
  for (size_t i = 0; i < count; i++) {
    const char *name = symbol_name(symbols, symbol_of(&references[i]));
    if (name[0] == 'P' && !is_in_table(symbols->base + references[i].r_offset) &&
        (part == NET_MESSAGES ? is_pmpi_message(name) : is_collective(name, "PMPI_")))
      return true;
  }
  return false;
}

/* The same of what libmpishm is linked into, which has its references: but its own sends, receives and collectives go
 * by tables of functions (next/next.h). All others are the program's, by a call or by an address that it takes. */
static bool host_goes_round(const struct symbols *symbols, enum net_part part) {
  return (symbols->calls_are_rela && any_goes_round(symbols, symbols->calls, symbols->calls_bytes, part)) ||
         any_goes_round(symbols, symbols->others, symbols->others_bytes, part);
}

/* Whether a library gives the program memory of a device, whose messages only MPI can carry. */
static bool is_of_device(const char *path) {
  static const char *const names[] = {"libcuda.so", "libamdhip64.so", "libze_loader.so"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static int look_for_obstacle(struct dl_phdr_info *info, size_t bytes, void *state) {
  enum net_part part = *(const enum net_part *)state;
  struct symbols symbols = symbols_of(info);
  bool is_host = module_has(info, (uintptr_t)obstacle_text);
  bool goes_round =
      is_host ? host_goes_round(&symbols, part) : library_goes_round(&symbols, count_needed(info, &symbols), part);
  const char *what = goes_round                      ? "calls PMPI_ functions"
                     : is_of_device(info->dlpi_name) ? "has memory that only MPI can send"
                                                     : NULL;
  (void)bytes;
  if (what)
    snprintf(obstacle_text[part], sizeof obstacle_text[part], "%s %s",
             *info->dlpi_name ? info->dlpi_name : "the program", what);
  return what != NULL;
}

/* ---- Who stands in line. ---- */

#define OWN_IS_ELSEWHERE(name) extern __typeof__(MPI_##name) own_##name __attribute__((visibility("hidden")));
#define LARGE_IS_ELSEWHERE(name) OWN_IS_ELSEWHERE(name##_c)
MPISHM_COUNTED(OWN_IS_ELSEWHERE)
MPISHM_LARGE(LARGE_IS_ELSEWHERE)
MPISHM_PROBES(OWN_IS_ELSEWHERE)
MPISHM_COMPLETIONS(OWN_IS_ELSEWHERE)
MPISHM_MAKERS(OWN_IS_ELSEWHERE)
MPISHM_COLLECTIVES(OWN_IS_ELSEWHERE)
MPISHM_LARGE_COLLECTIVES(LARGE_IS_ELSEWHERE)
MPISHM_COUNTED_ONESIDED(OWN_IS_ELSEWHERE)
MPISHM_LARGE_ONESIDED(LARGE_IS_ELSEWHERE)
MPISHM_ONESIDED(OWN_IS_ELSEWHERE)

/* ISO C has no conversion from an object's address to a function's; POSIX has dlsym. In a program that is linked
 * statically it finds nothing. */
static void find_next(const char *name, void *function) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found)
    memcpy(function, &found, sizeof found);
}

__attribute__((constructor)) static void find_functions(void) {
#define FIND(name)                                                                                                     \
  find_next("MPI_" #name, &mpi_next.name);                                                                             \
  mpi_first.name = MPI_##name != own_##name ? MPI_##name : mpi_next.name;
#define FIND_LARGE(name) FIND(name##_c)
#define FIND_UNSERVED(name)                                                                                            \
  find_next("MPI_" #name, &mpi_next.name);                                                                             \
  mpi_first.name = MPI_##name;
#define FIND_LARGE_UNSERVED(name) FIND_UNSERVED(name##_c)
  MPISHM_COUNTED(FIND)
  MPISHM_LARGE(FIND_LARGE)
  MPISHM_PROBES(FIND)
  MPISHM_COMPLETIONS(FIND)
  MPISHM_MAKERS(FIND)
  MPISHM_COLLECTIVES(FIND)
  MPISHM_LARGE_COLLECTIVES(FIND_LARGE)
  MPISHM_COUNTED_ONESIDED(FIND)
  MPISHM_LARGE_ONESIDED(FIND_LARGE)
  MPISHM_ONESIDED(FIND)
  MPISHM_WINDOW_MAKERS(FIND_UNSERVED)
  MPISHM_LARGE_WINDOW_MAKERS(FIND_LARGE_UNSERVED)
}

/* The first of our definitions that another one stands before. */
static const void *find_other(enum net_part part, const char **name) {
#define OTHER(function)                                                                                                \
  if (MPI_##function != own_##function) {                                                                              \
    __typeof__(MPI_##function) *first = MPI_##function;                                                                \
    *name = "MPI_" #function;                                                                                          \
    memcpy(&other, &first, sizeof other);                                                                              \
    return other;                                                                                                      \
  }
#define OTHER_LARGE(function) OTHER(function##_c)
  const void *other = NULL;
  if (part == NET_COLLECTIVES) {
    MPISHM_COLLECTIVES(OTHER)
    MPISHM_LARGE_COLLECTIVES(OTHER_LARGE)
    return NULL;
  }
  MPISHM_COUNTED(OTHER)
  MPISHM_LARGE(OTHER_LARGE)
  MPISHM_PROBES(OTHER)
  MPISHM_COMPLETIONS(OTHER)
  MPISHM_MAKERS(OTHER)
  return other;
}

bool net_is_first(void) {
  const char *name = NULL;
  return !find_other(NET_MESSAGES, &name) && !find_other(NET_COLLECTIVES, &name);
}

static const char *find_obstacle(enum net_part part) {
  const char *name = NULL;
  Dl_info info = {0};
  const void *other = find_other(part, &name);
  if (part == NET_MESSAGES && net.early)
    return "there were messages before MPISHM_Attach";
  if (other) {
    snprintf(obstacle_text[part], sizeof obstacle_text[part], "%s is that of %s", name,
             dladdr(other, &info) && info.dli_fname ? info.dli_fname : "the program");
    return obstacle_text[part];
  }
  return dl_iterate_phdr(look_for_obstacle, &part) ? obstacle_text[part] : NULL;
}

/* We cancel no send, which MPI permits, but for a synchronous one: the wait for it may then have to be local. Code that
 * was not proved to leave those alone gets what it gets of its library, if that is known to cancel none either. */
static bool library_may_cancel_sends(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length;
  PMPI_Get_library_version(version, &length);
  bool is_mpich = strncmp(version, "MPICH Version:", 14) == 0 && strstr(version, "ch4:");
  return !is_mpich && !strstr(version, "Open MPI v5.") && !strstr(version, "Intel(R) MPI Library 2021.");
}

void net_obstacles(const char *obstacles[NET_PARTS]) {
  dl_iterate_phdr(look_for_fortran_2008, NULL);
  obstacles[NET_MESSAGES] = find_obstacle(NET_MESSAGES);
  if (!obstacles[NET_MESSAGES] && net_is_needed() && library_may_cancel_sends())
    obstacles[NET_MESSAGES] = "the MPI library may cancel synchronous sends";
  obstacles[NET_COLLECTIVES] = obstacles[NET_MESSAGES] ? obstacles[NET_MESSAGES] : find_obstacle(NET_COLLECTIVES);
}
