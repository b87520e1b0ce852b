#include "page_data.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char land[] = {
#embed "data/land.geojson.gz"
};
static const unsigned char borders[] = {
#embed "data/borders.geojson.gz"
};
static const unsigned char names[] = {
#embed "data/names.geojson.gz"
};
static const unsigned char glyphs_0[] = {
#embed "data/glyphs-0-255.pbf.gz"
};
static const unsigned char glyphs_256[] = {
#embed "data/glyphs-256-511.pbf.gz"
};

// What scripts/setup fetched before; without it the page takes these from the network, and says so.
#if __has_embed("../../../.build/maplibre/maplibre-gl.js.gz") == 1 && \
    __has_embed("../../../.build/maplibre/maplibre-gl.css.gz") == 1
#define HAS_MAPLIBRE
static const unsigned char maplibre_script[] = {
#embed "../../../.build/maplibre/maplibre-gl.js.gz"
};
static const unsigned char maplibre_style[] = {
#embed "../../../.build/maplibre/maplibre-gl.css.gz"
};
static const unsigned char maplibre_license[] = {
#embed "data/maplibre-gl-license.txt.gz"
};
#endif

const unsigned char *page_data_bytes(enum page_data_file file, size_t *count) {
    switch (file) {
    case PAGE_DATA_LAND: *count = sizeof land; return land;
    case PAGE_DATA_BORDERS: *count = sizeof borders; return borders;
    case PAGE_DATA_NAMES: *count = sizeof names; return names;
    case PAGE_DATA_GLYPHS_0: *count = sizeof glyphs_0; return glyphs_0;
    case PAGE_DATA_GLYPHS_256: *count = sizeof glyphs_256; return glyphs_256;
#ifdef HAS_MAPLIBRE
    case PAGE_DATA_MAPLIBRE_SCRIPT: *count = sizeof maplibre_script; return maplibre_script;
    case PAGE_DATA_MAPLIBRE_STYLE: *count = sizeof maplibre_style; return maplibre_style;
    case PAGE_DATA_MAPLIBRE_LICENSE: *count = sizeof maplibre_license; return maplibre_license;
#else
    default: break;
#endif
    }
    *count = 0;
    return NULL;
}
