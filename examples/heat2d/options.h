/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef OPTIONS_H
#define OPTIONS_H

typedef struct {
  int nx, ny;   /* points of the whole plate, without its border */
  int steps;    /* time steps */
  int report;   /* print the residual every so many steps */
  int periodic; /* join left and right border */
} options;

/* Reads -nx N -ny N -steps N -report N -periodic; returns 0, or -1 when something is not understood. */
int options_read(options *o, int argc, char **argv);

#endif
