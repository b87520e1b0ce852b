// The ids of clusters: by their first leaves, or since format 3 by their positions.
import { tileId } from "./pmtiles.js";
import { gridSteps } from "./shapes.js";

/** The exponent of the number of cells per side of the finest grid of ids, a power of two. */
const nameBits = 21;

/** The first leaf of a cluster whose id counts leaves; undefined for other ids, which are in a page of ids. */
export const firstLeafOf = (id, { format, idBase = 0 }) => format < 3 ? Math.floor((id - idBase) / 32) : undefined;

/** The layer that a leaf is in. */
export const layerOfLeaf = (leaf, { layers }) => layers.find(({ first, leaves }) => leaf >= first && leaf < first + leaves);

/** The id of the cluster in a row. */
export function clusterIdOf({ first, zoom, x, y, shift }, contract) {
    const { format, idBase = 0, layers } = contract;
    if (format < 3) return idBase + first * 32 + zoom;
    const layer = layerOfLeaf(first, contract);
    const bits = Math.min(Math.max(zoom + (layer?.idBits ?? 5), 8), nameBits);
    const cell = (step) => Math.min(Math.max(Math.floor(step / gridSteps * 2 ** bits), 0), 2 ** bits - 1);
    // The world wraps, except in a layer with an end, where the last column is used.
    const column = x === gridSteps ? x : x - Math.floor(x / gridSteps) * gridSteps;
    const along = tileId(bits, cell(column), cell(y)) - (4 ** bits - 1) / 3;
    const place = (along + shift) * 4 ** (nameBits - bits);
    return 2 ** 52 + layers.indexOf(layer) * 2 ** 47 + place * 32 + zoom;
}
