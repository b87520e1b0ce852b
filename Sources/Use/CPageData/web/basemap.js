// Land, borders and names of countries under the data, from files beside this script, light or dark.

/** The folder of this script. */
const beside = import.meta.url.replace(/[^/]*$/, "");

export const glyphs = `${beside}fonts/{fontstack}/{range}.pbf`;
const font = ["Open Sans Semibold"];

const themes = {
    light: { water: "#dfe7ec", land: "#f6f5f1", coast: "#c4ced4", border: "#d3cfc5", name: "#59626c", halo: "#f6f5f1" },
    dark: { water: "#11161b", land: "#1e252c", coast: "#323d47", border: "#39434d", name: "#95a1ad", halo: "#1e252c" },
};

/** From this zoom on, land has no more detail and countries have no names. */
export const lastZoom = 9;

/** The countries whose names are shown at a zoom: large countries first. */
const isLargeEnough = [">=", ["get", "area"], ["step", ["zoom"], 250, 1.5, 100, 2.5, 25, 3.5, 6, 4.5, 1.2, 5.5, 0]];

/**
 * Sources and layers of the world, in the colours of `isDark`: `first` those of the first view of a map,
 * `later` those that may be added after that is drawn.
 */
export function basemap(isDark) {
    const colors = themes[isDark ? "dark" : "light"];
    const source = (name) => ({ type: "geojson", data: `${beside}${name}.geojson` });
    return {
        first: {
            sources: {
                "covey-land": {
                    ...source("land"), attribution: '<a href="https://www.naturalearthdata.com/">Natural Earth</a>',
                },
            },
            layers: [
                { id: "background", type: "background", paint: { "background-color": colors.water } },
                // A layer of lines draws the coasts, so the edges of areas need no antialiasing.
                { id: "covey-land", type: "fill", source: "covey-land",
                  paint: { "fill-color": colors.land, "fill-antialias": false } },
                { id: "covey-coast", type: "line", source: "covey-land",
                  paint: { "line-color": colors.coast, "line-width": ["interpolate", ["linear"], ["zoom"], 0, 0.5, 6, 1.2] } },
            ],
        },
        later: {
            sources: { "covey-borders": source("borders"), "covey-names": source("names") },
            layers: [
                { id: "covey-borders", type: "line", source: "covey-borders", layout: { "line-join": "round" },
                  paint: { "line-color": colors.border, "line-width": ["interpolate", ["linear"], ["zoom"], 0, 0.6, 6, 1.6] } },
                { id: "covey-names", type: "symbol", source: "covey-names", filter: isLargeEnough, maxzoom: lastZoom,
                  layout: { "text-field": ["get", "name"], "text-font": font, "text-max-width": 7, "text-letter-spacing": 0.04,
                            "text-size": ["interpolate", ["linear"], ["zoom"], 0, 10, 6, 15],
                            "symbol-sort-key": ["-", ["get", "area"]] },
                  paint: { "text-color": colors.name, "text-halo-color": colors.halo, "text-halo-width": 1.2 } },
            ],
        },
    };
}

/** Adds the data to another style. Counts are drawn as icons, because the glyphs of that style may lack digits. */
export async function foreignBasemap(url, signal) {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`the basemap ${url} answers ${response.status}`);
    return response.json();
}

/** Sets the colours of the land for a theme. */
export function paint(map, isDark) {
    const { first, later } = basemap(isDark);
    for (const layer of [...first.layers, ...later.layers]) {
        if (!map.getLayer(layer.id)) continue;
        for (const [name, value] of Object.entries(layer.paint)) map.setPaintProperty(layer.id, name, value);
    }
}
