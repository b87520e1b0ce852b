// What the page is made of: its scripts and styles; and what it draws with, as gzip: the world's land, borders and
// names of countries (Natural Earth, public domain, simplified) as GeoJSON, glyphs of Open Sans Semibold (Apache
// License 2.0) as signed distance fields, made by scripts/make-glyphs, and MapLibre GL JS (BSD license) as
// scripts/setup fetches it, where it had been fetched when this was compiled.
//
// In C, because a compiler of C takes a file as it is; as an array literal of Swift 100 kB cost seven
// seconds of every build.
#pragma once
#include <stddef.h>

enum page_data_file {
    PAGE_DATA_LAND,
    PAGE_DATA_BORDERS,
    PAGE_DATA_NAMES,
    PAGE_DATA_GLYPHS_0,
    PAGE_DATA_GLYPHS_256,
    PAGE_DATA_MAPLIBRE_SCRIPT,
    PAGE_DATA_MAPLIBRE_STYLE,
    PAGE_DATA_MAPLIBRE_LICENSE,
};

/// The bytes of a file; they last as long as the program. NULL for one that is not there.
const unsigned char *page_data_bytes(enum page_data_file file, size_t *count);

/// A script, style sheet or other text of the page itself, from the folder `web`; NULL if there is none of that name.
const unsigned char *page_file_bytes(const char *name, size_t *count);
