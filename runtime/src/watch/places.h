/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a return address is called: file and line, where the program has debug information and libdw (elfutils) is
 * installed; function and offset with libdw alone; else module and offset, which addr2line takes.
 *
 * Thread safety: one thread at a time (the runtime's mutex).
 */
#ifndef MPISHM_PLACES_H
#define MPISHM_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An address in a way that means the same in every process that runs the same program. */
struct module_offset {
  const char *module; /* path of the program or shared library; lives as long as the process */
  uint64_t offset;    /* of the call, as in the file's own addresses */
};
/* `site` is a return address: the call is what stands before it. */
struct module_offset module_offset_of(const void *site);
/* Whether an address lies in a module, as dl_iterate_phdr shows it. */
struct dl_phdr_info;
bool module_has(const struct dl_phdr_info *info, uintptr_t address);

/* All strings belong to the place. */
struct place {
  char *file; /* NULL: not known */
  int line;
  char *function; /* as the linker knows it; NULL: not known */
  uint64_t function_offset;
};
/* Never fails: what is not found stays NULL. Opens files; takes milliseconds and more. */
struct place place_find(const char *module, uint64_t offset);
void place_clear(struct place *place);
/* For people: "dir/file.c:12", "function+0x1a" or "program+0x11d4". A file below the current folder is named from
 * there. */
void place_text(const struct place *place, const char *module, uint64_t offset, char *text, size_t bytes);
/* Whether there is a libdw: else nothing is ever found. */
bool places_readable(void);
/* Gives back what is kept for the next place_find. */
void places_close(void);

#endif
