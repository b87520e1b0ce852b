#include "demo_data.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char recipe[] = {
#embed "../../../tilesets/earthquakes.json"
};
static const unsigned char points[] = {
#embed "../../../tilesets/data/earthquakes.csv"
};

const unsigned char *demo_data_bytes(enum demo_data_file file, size_t *count) {
    switch (file) {
    case DEMO_DATA_RECIPE: *count = sizeof recipe; return recipe;
    case DEMO_DATA_POINTS: *count = sizeof points; return points;
    }
    *count = 0;
    return NULL;
}
