/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Names for addresses. libdw reads debug information in this process: no other program is started, since a fork can
 * break an MPI library whose network card knows this process's memory, and compute nodes have no addr2line. It is
 * loaded only when there is something to name, so that a program runs without it too.
 */
#include "watch/places.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<elfutils/libdwfl.h>)
#include <elfutils/libdwfl.h>
#define HAVE_LIBDWFL 1
#endif
#endif

/* ---- Addresses. ---- */

struct search {
  uintptr_t address;
  const char *name;
  uint64_t offset;
  bool found;
};

bool module_has(const struct dl_phdr_info *info, uintptr_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_LOAD && address - (info->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
      return true;
  }
  return false;
}

static int look_in_module(struct dl_phdr_info *info, size_t bytes, void *state) {
  struct search *search = state;
  (void)bytes;
  if (!module_has(info, search->address))
    return 0;
  search->name = info->dlpi_name;
  search->offset = search->address - info->dlpi_addr;
  search->found = true;
  return 1;
}

/* The program itself has no name in the list of modules. */
static const char *program_path(void) {
  static char path[4096];
  if (!path[0]) {
    ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 1);
    snprintf(path + (bytes > 0 ? bytes : 0), bytes > 0 ? 1 : sizeof path, "%s", bytes > 0 ? "" : "?");
  }
  return path;
}

struct module_offset module_offset_of(const void *site) {
  struct search search = {.address = (uintptr_t)site - 1};
  dl_iterate_phdr(look_in_module, &search);
  if (!search.found)
    return (struct module_offset){"?", search.address};
  bool program = !search.name || !search.name[0];
  return (struct module_offset){program ? program_path() : search.name, search.offset};
}

/* ---- Debug information. ---- */

#ifdef HAVE_LIBDWFL

/* The functions of libdw that are used. */
#define LIBDW_FUNCTIONS(X)                                                                                             \
  X(dwfl_begin)                                                                                                        \
  X(dwfl_end)                                                                                                          \
  X(dwfl_report_elf)                                                                                                   \
  X(dwfl_report_end)                                                                                                   \
  X(dwfl_standard_find_debuginfo)                                                                                      \
  X(dwfl_module_nextcu)                                                                                                \
  X(dwarf_haspc)                                                                                                       \
  X(dwarf_getsrc_die)                                                                                                  \
  X(dwarf_linesrc)                                                                                                     \
  X(dwarf_lineno)                                                                                                      \
  X(dwfl_module_getsrc)                                                                                                \
  X(dwfl_module_addrinfo)                                                                                              \
  X(dwfl_lineinfo)

static struct {
#define LIBDW_MEMBER(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses): a declaration */
  LIBDW_FUNCTIONS(LIBDW_MEMBER)
#undef LIBDW_MEMBER
} dw;

static bool libdw_load(void) {
  static bool tried, loaded;
  if (tried)
    return loaded;
  tried = true;
  void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return false;
#define LIBDW_LOOK_UP(function)                                                                                        \
  *(void **)&dw.function = dlsym(library, #function);                                                                  \
  if (!dw.function)                                                                                                    \
    return false;
  LIBDW_FUNCTIONS(LIBDW_LOOK_UP)
#undef LIBDW_LOOK_UP
  return loaded = true;
}

/* Debug information in a file of its own is found too, but nothing is fetched over the network. */
static int find_debuginfo(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
                          const char *file_name, const char *debuglink, GElf_Word crc, char **debuginfo) {
  const char *servers = getenv("DEBUGINFOD_URLS");
  if (servers && *servers)
    return -1;
  return dw.dwfl_standard_find_debuginfo(module, user_data, name, base, file_name, debuglink, crc, debuginfo);
}

/* One module is kept open: places come sorted by module. */
static struct {
  char *path;
  Dwfl *dwfl;
  Dwfl_Module *module;
} open_module;

static Dwfl_Module *module_open(const char *path) {
  static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_debuginfo};
  if (open_module.path && strcmp(open_module.path, path) == 0)
    return open_module.module;
  places_close();
  open_module.path = strdup(path);
  open_module.dwfl = dw.dwfl_begin(&callbacks);
  if (!open_module.dwfl)
    return NULL;
  open_module.module = dw.dwfl_report_elf(open_module.dwfl, path, path, -1, 0, true);
  dw.dwfl_report_end(open_module.dwfl, NULL, NULL);
  return open_module.module;
}

void places_close(void) {
  free(open_module.path);
  if (open_module.dwfl)
    dw.dwfl_end(open_module.dwfl);
  memset(&open_module, 0, sizeof open_module);
}

bool places_readable(void) { return libdw_load(); }

/* The file and line of an address. libdw's own search needs an index that Clang does not write (.debug_aranges): then
 * all compilation units are asked. */
static const char *find_line(Dwfl_Module *in, uint64_t offset, int *number) {
  Dwfl_Line *line = dw.dwfl_module_getsrc(in, offset);
  if (line)
    return dw.dwfl_lineinfo(line, NULL, number, NULL, NULL, NULL);
  Dwarf_Addr bias = 0;
  for (Dwarf_Die *unit = NULL; (unit = dw.dwfl_module_nextcu(in, unit, &bias)) != NULL;) {
    Dwarf_Line *of_unit = dw.dwarf_haspc(unit, offset - bias) == 1 ? dw.dwarf_getsrc_die(unit, offset - bias) : NULL;
    if (of_unit && dw.dwarf_lineno(of_unit, number) == 0)
      return dw.dwarf_linesrc(of_unit, NULL, NULL);
  }
  return NULL;
}

struct place place_find(const char *module, uint64_t offset) {
  struct place place = {.file = NULL};
  Dwfl_Module *in = libdw_load() ? module_open(module) : NULL;
  if (!in)
    return place;
  GElf_Sym symbol;
  const char *function = dw.dwfl_module_addrinfo(in, offset, &place.function_offset, &symbol, NULL, NULL, NULL);
  const char *file = find_line(in, offset, &place.line);
  place.function = function ? strdup(function) : NULL;
  place.file = file && place.line > 0 ? strdup(file) : NULL;
  return place;
}

#else

struct place place_find(const char *module, uint64_t offset) {
  (void)module, (void)offset;
  return (struct place){.file = NULL};
}

bool places_readable(void) { return false; }

void places_close(void) {}

#endif

void place_clear(struct place *place) {
  free(place->file);
  free(place->function);
  *place = (struct place){.file = NULL};
}

void place_text(const struct place *place, const char *module, uint64_t offset, char *text, size_t bytes) {
  char folder[4096];
  if (place->file) {
    const char *file = place->file;
    size_t n = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    if (n > 1 && strncmp(file, folder, n) == 0 && file[n] == '/')
      file += n + 1;
    snprintf(text, bytes, "%s:%d", file, place->line);
  } else if (place->function) {
    snprintf(text, bytes, "%s+0x%llx", place->function, (unsigned long long)place->function_offset);
  } else {
    const char *slash = strrchr(module, '/');
    snprintf(text, bytes, "%s+0x%llx", slash ? slash + 1 : module, (unsigned long long)offset);
  }
}
