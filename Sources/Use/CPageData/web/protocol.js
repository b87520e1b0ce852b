// Tiles of PMTiles files and folders for MapLibre's addProtocol.
import { addressOf } from "./address.js";
import { tileForMap } from "./files.js";
import { openedAt } from "./opened.js";

/** The parts of `SCHEME://ADDRESS`, of `SCHEME://ADDRESS/Z/X/Y` and of templates of these. */
function namedBy(url) {
    const [, scheme, rest, z, x, y, query = ""] =
        /^([\w+.-]+):\/\/(.*?)(?:\/(\d+|{z})\/(\d+|{x})\/(\d+|{y})(?:\.\w+)?(\?.*)?)?$/.exec(url);
    return { scheme, address: addressOf(rest + query, { other: "folder" }), tile: z === undefined ? null : [z, x, y].map(Number) };
}

/**
 * The function for MapLibre's `addProtocol`: it answers `SCHEME://ADDRESS` with TileJSON and
 * `SCHEME://ADDRESS/Z/X/Y` with a tile, where ADDRESS is that of a PMTiles file or of a folder. Tiles of a
 * folder may have a file extension. They are inflated if the host does not declare their compression.
 */
export async function protocol({ url, type }, { signal } = {}) {
    const { scheme, address, tile } = namedBy(url);
    const opened = await openedAt(address);
    if (!tile) {
        if (type !== "json") throw new Error(`${url} names no tile`);
        const { path, query } = address;
        const tiles = [`${scheme}://${path.replace(/\/$/, "")}/{z}/{x}/{y}${query}`];
        return { data: { ...await opened.ask((answers) => answers.tileJSON()), tiles } };
    }
    const bytes = await opened.ask(({ files }) => tileForMap(files, ...tile, signal));
    // A copy of the buffer, because MapLibre transfers it to a worker.
    return { data: bytes ? bytes.slice().buffer : new ArrayBuffer(0) };
}

/** Doubts the archive from which a source of a map gets its tiles by `protocol`: it is checked before the next answer. */
export function doubtSource({ url, tiles = [] }) {
    for (const one of [url, ...tiles]) if (one && !/^https?:/.test(one) && one.includes("://")) openedAt(namedBy(one).address, { isDoubted: true });
}

/** Adds `pmtiles://` addresses to the page's MapLibre. */
export function addProtocol(maplibre, scheme = "pmtiles") {
    maplibre.addProtocol(scheme, protocol);
}
