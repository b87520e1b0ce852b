// Tiles of PMTiles files and folders for MapLibre's addProtocol.
import { Kept } from "./bytes.js";
import { FolderFiles, PMTilesFiles, tileForMap } from "./files.js";

/** What was read of late, so that directories are read once. */
const opened = new Kept(16);

/**
 * What MapLibre's `addProtocol` takes: answers `SCHEME://ADDRESS` with TileJSON and
 * `SCHEME://ADDRESS/Z/X/Y` with a tile, where ADDRESS is that of a PMTiles file, or of a folder; of a
 * folder tiles may have an ending. They are unpacked where the host does not say that they are packed.
 */
export async function protocol({ url, type }, { signal } = {}) {
    const [, scheme, rest] = /^([\w+.-]+):\/\/(.*)$/.exec(url);
    const [, path, z, x, y] = /^(.*?)(?:\/(\d+)\/(\d+)\/(\d+)(?:\.\w+)?)?$/.exec(rest);
    const address = new URL(path, globalThis.location?.href).href;
    const files = await opened.get(address, async () =>
        address.endsWith(".pmtiles") ? new PMTilesFiles(address) : new FolderFiles(z === undefined ? address : `${address}/`));
    if (z === undefined) {
        if (type !== "json") throw new Error(`${url} names no tile`);
        return { data: { ...await files.tileJSON(), tiles: [`${scheme}://${address}/{z}/{x}/{y}`] } };
    }
    const bytes = await tileForMap(files, Number(z), Number(x), Number(y), signal);
    // A buffer of its own: MapLibre hands it to a worker, which takes it away.
    return { data: bytes ? bytes.slice().buffer : new ArrayBuffer(0) };
}

/** Teaches the page's MapLibre to read `pmtiles://` addresses. */
export function addProtocol(maplibre, scheme = "pmtiles") {
    maplibre.addProtocol(scheme, protocol);
}
