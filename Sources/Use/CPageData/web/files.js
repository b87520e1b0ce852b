// Reads the parts of an archive on a static host: tiles, a description, cluster blocks.
import { withQuery } from "./address.js";
import { FileChanged, gunzip, isPage, Kept, refusal, versionOf } from "./bytes.js";
import { cutOut } from "./cut.js";
import { PMTiles, tileId } from "./pmtiles.js";
import { TileTree } from "./tiletree.js";
import { layersOf } from "./vectortile.js";

/** The TileJSON of a PMTiles file, from its header and its metadata. */
export async function describe(archive, tiles) {
    const [header, metadata] = [await archive.header(), await archive.metadata()];
    const { minzoom, maxzoom, bounds, center } = header;
    return {
        tilejson: "3.0.0", tiles: [tiles], ...metadata, minzoom, maxzoom, bounds, center,
        vector_layers: metadata.vector_layers ?? [],
        format: { 1: "pbf", 2: "png", 3: "jpg", 4: "webp", 5: "avif" }[header.tileType] ?? "pbf",
    };
}

/** A PMTiles file and the file of its clusters. */
export class PMTilesFiles {
    constructor({ path, query }, { clusters: side, isFresh } = {}) {
        this.url = path + query;
        this.tiles = new PMTiles(this.url, isFresh);
        this.described = new Kept(1);
        this.side = new PMTiles(side ?? path.replace(/\.pmtiles$/, ".clusters.pmtiles") + query, isFresh);
    }

    isSame() { return this.tiles.isSame(); }

    tileJSON() {
        return this.described.get("tiles.json", () => describe(this.tiles, `pmtiles://${this.url}/{z}/{x}/{y}`));
    }

    /** The metadata of the clusters, after a check that both files belong together. */
    async contract() {
        const own = (await this.tileJSON()).covey;
        if (!own?.blocks) return own;
        const theirs = await this.side.metadata();
        if (theirs.covey?.blocks?.hash !== own.blocks.hash) {
            throw new FileChanged(`${this.side.url} belongs to another archive: copy both files anew`);
        }
        return own;
    }

    block(number) { return this.side.stored(number); }

    tile(z, x, y, signal) { return this.tiles.unpacked(tileId(z, x, y), signal); }
}

/** A folder with tiles, `tiles.json` and `clusters/`. */
export class FolderFiles {
    constructor({ path, query }, { isFresh } = {}) {
        this.url = path;
        this.query = query;
        this.cache = isFresh ? "no-cache" : "default";
        this.described = new Kept(1);
    }

    /** A file and its version by the host; null if there is no such file. */
    async response(path, options) {
        const url = withQuery(this.url + path, this.query);
        const response = await fetch(url, { cache: this.cache, ...options });
        // Some hosts answer with a page if a file does not exist.
        if (response.status === 404 || response.status === 204 || (response.ok && isPage(response))) return null;
        if (!response.ok) throw refusal(response.status, `${url}: ${response.status} ${response.statusText}`);
        return { bytes: new Uint8Array(await response.arrayBuffer()), version: versionOf(response) };
    }

    async fetched(path, options) { return (await this.response(path, options))?.bytes ?? null; }

    /** `tiles.json` as the host has it now. */
    async description() {
        const found = await this.response("tiles.json", { cache: "no-cache" });
        if (!found) throw refusal(404, `there is no ${this.url}tiles.json`);
        return { version: found.version, text: new TextDecoder().decode(await gunzip(found.bytes)) };
    }

    /** Whether the folder is still the one that was opened. */
    async isSame() {
        if (!this.opened) return true;
        const now = await this.description();
        return now.text === this.opened.text && now.version === this.opened.version;
    }

    tileJSON() {
        return this.described.get("tiles.json", async () => {
            this.opened = await this.description();
            const described = JSON.parse(this.opened.text);
            // The list of tiles is read in the meantime, before the first tile is needed.
            if (described.tileTree) this.tree = this.readTree(described.tileTree);
            return described;
        });
    }

    /** The list of tiles; null if it cannot be read. */
    readTree(path) {
        return this.fetched(path, { cache: "no-cache" }).then(async (bytes) => bytes && new TileTree(await gunzip(bytes))).catch(() => null);
    }

    async contract() { return (await this.tileJSON()).covey; }

    block(number) { return this.fetched(`clusters/${number}.bin`); }

    async tile(z, x, y, signal) {
        // The folder may have another address than its documents name.
        const [template] = (await this.tileJSON()).tiles;
        if ((await this.tree)?.has(z, x, y) === false) return null;
        const path = template.slice(template.lastIndexOf("{z}"))
            .replace("{z}", z).replace("{x}", x).replace("{y}", y);
        const bytes = await this.fetched(path, { signal });
        return bytes && gunzip(bytes);
    }
}

/**
 * The tile for a map: its bytes; bytes that are cut out of its ancestor, if the tile was left out because the
 * ancestor shows the same; or null if it has no points.
 */
export async function tileForMap(files, z, x, y, signal) {
    const bytes = await files.tile(z, x, y, signal);
    if (bytes) return bytes;
    const { covey, minzoom = 0 } = await files.tileJSON();
    const most = Math.min(covey?.variableDepth ?? 0, z - minzoom);
    for (let up = 1; up <= most; up++) {
        const ancestor = await files.tile(z - up, x >> up, y >> up, signal);
        if (!ancestor) continue;
        // Clusters may split at a deeper zoom; single points do not change.
        if (layersOf(ancestor).some(({ keys }) => keys.includes("point_count"))) break;
        const cut = cutOut(ancestor, up, x % 2 ** up, y % 2 ** up, (covey.buffer ?? 8) / 512);
        return cut.length > 0 ? cut : null;
    }
    return null;
}
