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

const unsigned char *page_data_bytes(enum page_data_file file, size_t *count) {
    switch (file) {
    case PAGE_DATA_LAND: *count = sizeof land; return land;
    case PAGE_DATA_BORDERS: *count = sizeof borders; return borders;
    case PAGE_DATA_NAMES: *count = sizeof names; return names;
    case PAGE_DATA_GLYPHS_0: *count = sizeof glyphs_0; return glyphs_0;
    case PAGE_DATA_GLYPHS_256: *count = sizeof glyphs_256; return glyphs_256;
    }
    *count = 0;
    return NULL;
}
