#include "page_data.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

// Two lists in one order: names, and files that each end with a zero byte.
static const char *const names[] = {
    "address.js", "animate.js", "arguments.js", "basemap.js", "blocks.js", "bytes.js", "changes.js",
    "clusterblock.js", "counts.js",
    "covey.js", "cut.js", "division.js", "dom.js", "donuts.js", "facets.js", "files.js", "filtermap.js",
    "filters.js", "follow.js", "icon.svg", "ids.js", "layers.js", "leaves.js", "map.js", "opened.js", "overview.js",
    "paint.js", "panel.js", "pictures.js", "pmtiles.js", "preview.css", "preview.html", "preview.js",
    "protocol.js", "questions.js", "rooms.js", "served.js", "shapes.js", "spider.js", "take.js", "tile.js",
    "tiletree.js", "vectortile.js",
};
static const unsigned char files[] = {
#embed "web/address.js" suffix(, 0,)
#embed "web/animate.js" suffix(, 0,)
#embed "web/arguments.js" suffix(, 0,)
#embed "web/basemap.js" suffix(, 0,)
#embed "web/blocks.js" suffix(, 0,)
#embed "web/bytes.js" suffix(, 0,)
#embed "web/changes.js" suffix(, 0,)
#embed "web/clusterblock.js" suffix(, 0,)
#embed "web/counts.js" suffix(, 0,)
#embed "web/covey.js" suffix(, 0,)
#embed "web/cut.js" suffix(, 0,)
#embed "web/division.js" suffix(, 0,)
#embed "web/dom.js" suffix(, 0,)
#embed "web/donuts.js" suffix(, 0,)
#embed "web/facets.js" suffix(, 0,)
#embed "web/files.js" suffix(, 0,)
#embed "web/filtermap.js" suffix(, 0,)
#embed "web/filters.js" suffix(, 0,)
#embed "web/follow.js" suffix(, 0,)
#embed "web/icon.svg" suffix(, 0,)
#embed "web/ids.js" suffix(, 0,)
#embed "web/layers.js" suffix(, 0,)
#embed "web/leaves.js" suffix(, 0,)
#embed "web/map.js" suffix(, 0,)
#embed "web/opened.js" suffix(, 0,)
#embed "web/overview.js" suffix(, 0,)
#embed "web/paint.js" suffix(, 0,)
#embed "web/panel.js" suffix(, 0,)
#embed "web/pictures.js" suffix(, 0,)
#embed "web/pmtiles.js" suffix(, 0,)
#embed "web/preview.css" suffix(, 0,)
#embed "web/preview.html" suffix(, 0,)
#embed "web/preview.js" suffix(, 0,)
#embed "web/protocol.js" suffix(, 0,)
#embed "web/questions.js" suffix(, 0,)
#embed "web/rooms.js" suffix(, 0,)
#embed "web/served.js" suffix(, 0,)
#embed "web/shapes.js" suffix(, 0,)
#embed "web/spider.js" suffix(, 0,)
#embed "web/take.js" suffix(, 0,)
#embed "web/tile.js" suffix(, 0,)
#embed "web/tiletree.js" suffix(, 0,)
#embed "web/vectortile.js" suffix(, 0,)
};

const unsigned char *page_file_bytes(const char *name, size_t *count) {
    const unsigned char *file = files;
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        *count = strlen((const char *)file);
        if (strcmp(names[index], name) == 0) return file;
        file += *count + 1;
    }
    *count = 0;
    return NULL;
}
