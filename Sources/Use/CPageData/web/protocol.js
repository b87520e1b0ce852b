// Tiles of PMTiles files and folders for MapLibre's addProtocol.
import { addressOf } from "./address.js";
import { tileForMap } from "./files.js";
import { openedAt } from "./opened.js";

/** What `SCHEME://ADDRESS`, `SCHEME://ADDRESS/Z/X/Y` and the template of such addresses name. */
function namedBy(url) {
    const [, scheme, rest, z, x, y, query = ""] =
        /^([\w+.-]+):\/\/(.*?)(?:\/(\d+|{z})\/(\d+|{x})\/(\d+|{y})(?:\.\w+)?(\?.*)?)?$/.exec(url);
    return { scheme, address: addressOf(rest + query, { other: "folder" }), tile: z === undefined ? null : [z, x, y].map(Number) };
}

/**
 * What MapLibre's `addProtocol` takes: answers `SCHEME://ADDRESS` with TileJSON and
 * `SCHEME://ADDRESS/Z/X/Y` with a tile, where ADDRESS is that of a PMTiles file, or of a folder; of a
 * folder tiles may have an ending. They are unpacked where the host does not say that they are packed.
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
    // A buffer of its own: MapLibre hands it to a worker, which takes it away.
    return { data: bytes ? bytes.slice().buffer : new ArrayBuffer(0) };
}

/** Has the archive that a source of a map gets its tiles from by `protocol` looked at before it answers again. */
export function doubtSource({ url, tiles = [] }) {
    for (const one of [url, ...tiles]) if (one && !/^https?:/.test(one) && one.includes("://")) openedAt(namedBy(one).address, { isDoubted: true });
}

/** Teaches the page's MapLibre to read `pmtiles://` addresses. */
export function addProtocol(maplibre, scheme = "pmtiles") {
    maplibre.addProtocol(scheme, protocol);
}
