// Tiles of PMTiles files for MapLibre's addProtocol.
import { gunzip, refusal } from "./bytes.js";
import { PMTiles, tileId } from "./pmtiles.js";

const archives = new Map();

/** The reader of a PMTiles file; one for each address, so that its directories are read once. */
export function archiveAt(url) {
    if (!archives.has(url)) archives.set(url, new PMTiles(url));
    return archives.get(url);
}

/** TileJSON of a PMTiles file, made of its header and its metadata. */
export async function describe(archive, tiles) {
    const [header, metadata] = [await archive.header(), await archive.metadata()];
    const { minzoom, maxzoom, bounds, center } = header;
    return {
        tilejson: "3.0.0", tiles: [tiles], ...metadata, minzoom, maxzoom, bounds, center,
        vector_layers: metadata.vector_layers ?? [],
        format: { 1: "pbf", 2: "png", 3: "jpg", 4: "webp", 5: "avif" }[header.tileType] ?? "pbf",
    };
}

/**
 * What MapLibre's `addProtocol` takes: answers `SCHEME://ADDRESS` with TileJSON and
 * `SCHEME://ADDRESS/Z/X/Y` with a tile, where ADDRESS is that of a PMTiles file. Any other address is
 * that of a file, which is unpacked where its host does not say that it is packed.
 */
export async function protocol({ url, type }, { signal } = {}) {
    const [, scheme, rest] = /^([\w+.-]+):\/\/(.*)$/.exec(url);
    const parts = /^(.*\.pmtiles)(?:\/(\d+)\/(\d+)\/(\d+))?$/.exec(rest);
    if (!parts) return { data: (await file(absolute(rest), signal)).slice().buffer };
    const address = absolute(parts[1]);
    const archive = archiveAt(address);
    if (parts[2] === undefined) {
        if (type !== "json") throw new Error(`${url} names no tile`);
        return { data: await describe(archive, `${scheme}://${address}/{z}/{x}/{y}`) };
    }
    const stored = await archive.stored(tileId(...parts.slice(2).map(Number)), signal);
    // Of a tile that was left out MapLibre shows the ancestor, once it hears that there is none.
    if (!stored && (await archive.metadata()).covey?.variableDepth) throw refusal(404, `${url} is left out`);
    const bytes = stored ? await gunzip(stored) : new Uint8Array(0);
    // A buffer of its own: MapLibre hands it to a worker, which takes it away.
    return { data: bytes.slice().buffer };
}

/** What a file of a static host holds; nothing, where there is none. */
async function file(url, signal) {
    const response = await fetch(url, { signal });
    if (response.status === 404 || response.status === 204) return new Uint8Array(0);
    if (!response.ok) throw refusal(response.status, `${url}: ${response.status} ${response.statusText}`);
    return gunzip(new Uint8Array(await response.arrayBuffer()));
}

const absolute = (url) => new URL(url, globalThis.location?.href).href;

/** Teaches the page's MapLibre to read `pmtiles://` addresses. */
export function addProtocol(maplibre, scheme = "pmtiles") {
    maplibre.addProtocol(scheme, protocol);
}
