// What `covey demo` makes a map of: the sample of earthquakes in tilesets/, which lies there once for
// readers and for this. In C, as a compiler of C takes files as they are.
#pragma once
#include <stddef.h>

enum demo_data_file { DEMO_DATA_RECIPE, DEMO_DATA_POINTS };

/// The bytes of a file; they last as long as the program.
const unsigned char *demo_data_bytes(enum demo_data_file file, size_t *count);
