/**
 * covey.js: asks `covey serve` what a clustered GeoJSON source of MapLibre would know.
 *
 *     import { extend, drawCounts } from "https://tiles.example.org/covey.js";
 *     extend(map, "places");          // map.getSource("places") has the methods of GeoJSONSource:
 *     map.getSource("places").getClusterExpansionZoom(id).then((zoom) => map.easeTo({ zoom }));
 *     drawCounts(map);                // draws the counts of Covey's styles, without a glyph server
 *
 * A page without a map, or with features of several archives, asks an archive directly:
 *
 *     const places = clusters("https://tiles.example.org/places");
 *     const { features } = await places.leaves(feature, 10, 0);
 *
 * Clusters are given as a feature, its properties, or an id. All answers are promises; one that is
 * refused rejects with an `Error` that has the server's reason and its `status`.
 */

/** The id of a cluster, given as a feature, properties or a number. */
function clusterId(cluster) {
    const id = cluster?.properties?.cluster_id ?? cluster?.cluster_id ?? cluster?.id ?? cluster;
    if (!Number.isSafeInteger(id) || id < 0) throw new TypeError("not a cluster");
    return id;
}

async function ask(url, signal) {
    const response = await fetch(url, { signal });
    const type = response.headers.get("Content-Type") ?? "";
    const body = type.includes("json") ? await response.json() : null;
    if (response.ok) return body;
    throw Object.assign(new Error(body?.error ?? response.statusText), { status: response.status });
}

/** The answers of one archive; `url` is the address of its TileJSON. */
export function clusters(url, { signal } = {}) {
    const base = String(url).replace(/\/+$/, "").replace(/\.json$/, "");
    const about = (cluster, question, query = "") =>
        ask(`${base}/clusters/${clusterId(cluster)}/${question}${query}`, signal);
    return {
        /** What the cluster comes apart into at its expansion zoom: a FeatureCollection. */
        children: async (cluster) => about(cluster, "children"),
        /** Points of the cluster: a FeatureCollection; `numberMatched` says how many there are. */
        leaves: async (cluster, limit = 10, offset = 0) =>
            about(cluster, "leaves", `?limit=${limit}&offset=${offset}`),
        /** The first zoom at which the cluster has come apart. */
        expansionZoom: async (cluster) =>
            cluster?.properties?.expansion_zoom ??
            (await about(cluster, "expansion-zoom")).expansion_zoom,
        /** The cluster that this one goes into, or null. */
        parent: async (cluster) => about(cluster, "parent"),
        /** The smallest convex shape around the points: a feature. */
        hull: async (cluster) => about(cluster, "hull"),
        /** West, south, east and north of the points. */
        bbox: async (cluster) => (await about(cluster, "bbox")).bbox,
        /** What is drawn at `zoom` for the point at a position. */
        containing: async (longitude, latitude, zoom) =>
            ask(`${base}/clusters/containing?lon=${longitude}&lat=${latitude}&zoom=${zoom}`, signal),
        /** The same questions by the names that `GeoJSONSource` has for them. */
        getClusterExpansionZoom: async (id) => (await about(id, "expansion-zoom")).expansion_zoom,
        getClusterChildren: async (id) => (await about(id, "children")).features,
        getClusterLeaves: async (id, limit = 10, offset = 0) =>
            (await about(id, "leaves", `?limit=${limit}&offset=${offset}`)).features,
    };
}

/** Gives a vector source of a map the methods that a clustered GeoJSON source has. */
export function extend(map, sourceId) {
    const source = map.getSource(sourceId);
    if (!source?.url) throw new TypeError(`the map has no source "${sourceId}" with a TileJSON url`);
    return Object.assign(source, clusters(source.url));
}

const countPrefix = "covey-count:";

/**
 * Draws the icons that Covey's styles use for counts. With `color` and `font` as canvas knows them.
 */
export function drawCounts(map, { color = "#fff", font = "600 12px system-ui, sans-serif" } = {}) {
    map.on("styleimagemissing", ({ id }) => {
        if (!id.startsWith(countPrefix) || map.hasImage(id)) return;
        const text = id.slice(countPrefix.length, countPrefix.length + 16);
        const pixelRatio = 2;
        const canvas = document.createElement("canvas");
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context.font = font;
        canvas.width = Math.max(2, Math.ceil(context.measureText(text).width) + 4) * pixelRatio;
        canvas.height = 18 * pixelRatio;
        context.scale(pixelRatio, pixelRatio);
        context.font = font;
        context.fillStyle = color;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(text, canvas.width / pixelRatio / 2, 9.5);
        map.addImage(id, context.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio });
    });
}
