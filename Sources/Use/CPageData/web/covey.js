/**
 * covey.js: the answers of a clustered GeoJSON source of MapLibre, from `covey serve`, from a PMTiles
 * file with its file of clusters, or from a folder on any host.
 *
 *     import { clusters, extend, addFilters, addProtocol, drawCounts } from "https://tiles.example.org/covey.js";
 *
 *     const places = clusters("https://tiles.example.org/places");        // covey serve
 *     const places = clusters("https://cdn.example.org/places.pmtiles");  // and places.clusters.pmtiles
 *     const places = clusters("https://cdn.example.org/places/");         // a folder, with its tiles.json
 *     const { features } = await places.leaves(feature, 10, 0);
 *
 *     addProtocol(maplibregl);        // sources with a url "pmtiles://https://…/places.pmtiles"
 *     extend(map, "places");          // map.getSource("places") has the methods of GeoJSONSource:
 *     map.getSource("places").getClusterExpansionZoom(id).then((zoom) => map.easeTo({ zoom }));
 *     follow(map, "places");          // new tiles whenever the archive changes (covey serve)
 *     await addFilters(map);          // map.setCoveyFilter("places", { kind: ["cafe"], date: ["2020-01", "2021-06"] })
 *     map.setCoveyDonuts("places", "kind");  // clusters as donuts of the shares of values
 *     drawCounts(map);                // draws the counts of Covey's styles that have no glyphs
 *
 * Clusters are given as a feature, its properties, or an id. All answers are promises. A refused request
 * rejects with an `Error` that has the reason and its `status`.
 */
import { addressOf } from "./address.js";
import { drawCounts } from "./counts.js";
import { choicesOf, countExpression, countsOf, matcher, shortCount } from "./facets.js";
import { donutParts } from "./donuts.js";
import { filteredLayer, filterMap } from "./filtermap.js";
import { evaluate } from "./paint.js";
import { openedAt } from "./opened.js";
import { addProtocol, protocol } from "./protocol.js";
import { questionsTo } from "./questions.js";
import { Served } from "./served.js";
import { animate } from "./animate.js";
import { follow, refresh } from "./follow.js";
import { spiderfy, unspiderfy } from "./spider.js";

/** The function that sends questions to the archive at an address. */
function askerOf(address, options) {
    if (address.kind === "served") {
        const served = new Served(address, options.signal);
        return (question) => question(served);
    }
    if (!["pmtiles", "folder"].includes(address.kind)) throw new TypeError(`"${address.kind}" is none of served, pmtiles, folder`);
    // Another part of the page may have read the archive long ago.
    const opened = openedAt(address, { clusters: options.clusters, isDoubted: true });
    return async (question) => (await opened).ask(question);
}

/**
 * The answers of one archive. `url` is the address of its TileJSON at `covey serve`, of a `.pmtiles`
 * file, with or without `pmtiles://` before it, or of a folder (with a slash at the end, or of the
 * `tiles.json` in it). `kind` names the kind if the address does not show it; `clusters` is the address of
 * the file of clusters of a PMTiles file.
 */
export function clusters(url, options = {}) {
    if (!url) throw new TypeError(`clusters(url) needs the address of an archive, not ${String(url)}`);
    // The address after `pmtiles://` may be absolute or relative.
    const [, scheme, rest] = /^(pmtiles:\/\/|[\w+.-]+:\/\/(?=https?:\/\/))?(.*)$/s.exec(url);
    const other = { undefined: "served", "pmtiles://": "pmtiles" }[scheme] ?? "folder";
    const address = addressOf(rest, { kind: options.kind, other });
    return questionsTo(askerOf(address, options), options.signal);
}

/** Adds the methods of a clustered GeoJSON source to a vector source of a map. */
export function extend(map, sourceId, options) {
    const source = map.getSource(sourceId);
    if (!source?.url) throw new TypeError(`the map has no source "${sourceId}" with a TileJSON url`);
    return Object.assign(source, clusters(source.url, options));
}

/** Waits for a map's style, which a new map does not have yet. Until then, an error without a source is one of the style. */
async function waitForStyle(map) {
    while (!map.getStyle()) {
        await new Promise((done, fail) => {
            const end = ({ type, error, sourceId }) => {
                if (sourceId !== undefined) return;
                map.off("styledata", end);
                map.off("error", end);
                if (type === "error") fail(error);
                else done();
            };
            map.on("styledata", end);
            map.on("error", end);
        });
    }
}

/** The facets of each layer by the TileJSON of a source, or the reason why there are none: most sources are not of Covey. */
async function facetsAt(url) {
    if (!url) return { reason: "it has no TileJSON; give addFilters the facets" };
    try {
        const { protocol: scheme } = new URL(url, globalThis.location?.href);
        if (!/^(https?|pmtiles):$/.test(scheme)) return { reason: `addFilters reads no TileJSON from ${scheme}; give it the facets` };
        const answer = scheme === "pmtiles:" ? null : await fetch(url);
        if (answer && !answer.ok) throw new Error(`the server answers ${answer.status}`);
        const { covey } = answer ? await answer.json() : await clusters(url).tileJSON();
        if (!covey?.layers) return { reason: "its tiles are not Covey's" };
        return { layers: { __proto__: null, ...Object.fromEntries(covey.layers.map(({ name, facets }) => [name, facets ?? []])) } };
    } catch (error) {
        return { reason: `its TileJSON could not be read (${error.message}); call addFilters again` };
    }
}

/**
 * Adds `setCoveyFilter(layer, selection, { locale })`, `getCoveyFilter(layer)` and
 * `setCoveyDonuts(layer, attribute, { hole, colors, dark })` to a map. Each marker's number, size and
 * colour change at once, and markers without chosen points disappear. `layer` is one of the tiles or of the style; a
 * selection is `{ kind: ["cafe"], date: ["2020-01", "2021-06"] }`, and null is none. `facets` has the facets of each layer
 * of the tiles by its name, in place of those in the sources' TileJSON; `source` leaves out all other sources.
 */
export async function addFilters(map, { facets, source } = {}) {
    await waitForStyle(map);
    const wanted = Object.entries(map.getStyle().sources).filter(([id, { type }]) => type === "vector" && (source ?? id) === id);
    if (source !== undefined && wanted.length === 0) throw new TypeError(`the map has no vector source "${source}"`);
    const given = facets && { layers: { __proto__: null, ...facets } };
    const known = await Promise.all(wanted.map(async ([id, { url }]) => [id, { url, ...(given ?? await facetsAt(url)) }]));
    return filterMap(map, new Map(known));
}

export { addProtocol, animate, choicesOf, countExpression, countsOf, donutParts, drawCounts, evaluate, filteredLayer, follow, matcher, protocol, refresh, shortCount, spiderfy, unspiderfy };
