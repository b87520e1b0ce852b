// The questions about an archive of any kind: checks arguments, and joins the pages of long lists.
import { clusterId, limitOf, positionOf, tileOf, whole, zoomOf } from "./arguments.js";
import { untilAborted } from "./bytes.js";

/** The most entries in an answer of `covey serve`. */
const longestPage = 1000;

/** A list, page by page: `next` returns the offset of the page after a page, or undefined after the last. */
async function listed(limit, start, page, next) {
    const features = [];
    for (let from = start; ;) {
        const found = await page(Math.min(limit - features.length, longestPage), from);
        features.push(...found.features);
        from = next(found, from);
        const isWhole = from === undefined || found.features.length === 0;
        if (isWhole || features.length >= limit) return { ...found, numberReturned: features.length, features };
    }
}

function nextInCluster({ features, numberMatched }, from) {
    const end = from + features.length;
    return end >= numberMatched ? undefined : end;
}

const answered = ["cluster", "children", "leaves", "points", "expansionZoom", "parent", "hull", "bbox", "containing", "tileJSON", "tile"];

/** The questions about an archive. `ask` sends a question to its reader; `signal` aborts all answers. */
export function questionsTo(ask, signal) {
    const source = Object.fromEntries(answered.map((name) =>
        [name, (...asked) => untilAborted(() => ask((answers) => answers[name](...asked)), signal)]));
    const known = (cluster) => cluster?.properties?.expansion_zoom ?? cluster?.expansion_zoom;
    const partsOf = (cluster, limit, offset, ask) => {
        const id = clusterId(cluster);
        return listed(limitOf(limit), whole("offset", offset), (most, from) => ask(id, most, from), nextInCluster);
    };
    const questions = {
        /** The cluster as a feature. */
        cluster: async (cluster) => source.cluster(clusterId(cluster)),
        /** The children of the cluster at its expansion zoom: a FeatureCollection. */
        children: async (cluster, limit = 1000, offset = 0) =>
            partsOf(cluster, limit, offset, (...asked) => source.children(...asked)),
        /** Points of the cluster: a FeatureCollection; `numberMatched` is the number of all points. */
        leaves: async (cluster, limit = 10, offset = 0) =>
            partsOf(cluster, limit, offset, (...asked) => source.leaves(...asked)),
        /** The points of the archive in their order, from the `next` of the previous answer on. */
        points: async (limit = 1000, from = 0) =>
            listed(limitOf(limit), whole("from", from), (...asked) => source.points(...asked), ({ next }) => next),
        /** The first zoom at which the cluster has split. */
        expansionZoom: async (cluster) => known(cluster) ?? source.expansionZoom(clusterId(cluster)),
        /** The parent of the cluster, or null. */
        parent: async (cluster) => source.parent(clusterId(cluster)),
        /** The smallest convex shape around the points: a feature. */
        hull: async (cluster) => source.hull(clusterId(cluster)),
        /** West, south, east and north of the points. */
        bbox: async (cluster) => source.bbox(clusterId(cluster)),
        /** The marker at `zoom`, which may be the zoom of a map, of the point nearest to a position. */
        containing: async (longitude, latitude, zoom) =>
            source.containing(...positionOf(longitude, latitude), zoomOf(zoom)),
        /** The archive as TileJSON. */
        tileJSON: async () => source.tileJSON(),
        /** A tile, inflated, or null. */
        tile: async (z, x, y, own) => {
            const tile = tileOf(z, x, y);
            return tile && untilAborted(() => source.tile(...tile, own ?? signal), own);
        },
    };
    /** The same questions with the names of `GeoJSONSource`. */
    return Object.assign(questions, {
        getClusterExpansionZoom: async (id) => source.expansionZoom(clusterId(id)),
        getClusterChildren: async (id) => (await questions.children(id, Infinity)).features,
        // In `GeoJSONSource`, 0 and null mean the default.
        getClusterLeaves: async (id, limit, offset) => (await questions.leaves(id, limit || 10, offset || 0)).features,
    });
}
