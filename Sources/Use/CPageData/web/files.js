// What an archive consists of where no program serves it: tiles, a description, cluster blocks.
import { withQuery } from "./address.js";
import { FileChanged, gunzip, isPage, Kept, refusal, versionOf } from "./bytes.js";
import { cutOut } from "./cut.js";
import { PMTiles, tileId } from "./pmtiles.js";
import { TileTree } from "./tiletree.js";
import { layersOf } from "./vectortile.js";

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

    /** What the archive says of its clusters, once both files are known to belong together. */
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

    /** A file, and the version that the host says it is; null where there is none. */
    async response(path, options) {
        const url = withQuery(this.url + path, this.query);
        const response = await fetch(url, { cache: this.cache, ...options });
        // Some hosts answer with a page of theirs instead of what is not there.
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
            // What is there is read meanwhile, before the first tile is wanted.
            if (described.tileTree) this.tree = this.readTree(described.tileTree);
            return described;
        });
    }

    /** Which tiles there are; null where that cannot be had. */
    readTree(path) {
        return this.fetched(path, { cache: "no-cache" }).then(async (bytes) => bytes && new TileTree(await gunzip(bytes))).catch(() => null);
    }

    async contract() { return (await this.tileJSON()).covey; }

    block(number) { return this.fetched(`clusters/${number}.bin`); }

    async tile(z, x, y, signal) {
        // The folder may lie elsewhere than its documents say.
        const [template] = (await this.tileJSON()).tiles;
        if ((await this.tree)?.has(z, x, y) === false) return null;
        const path = template.slice(template.lastIndexOf("{z}"))
            .replace("{z}", z).replace("{x}", x).replace("{y}", y);
        const bytes = await this.fetched(path, { signal });
        return bytes && gunzip(bytes);
    }
}

/**
 * What a map is to show at a tile: its bytes; those that are cut out of its ancestor, where it was left out
 * because that shows the same; and null where there are no points.
 */
export async function tileForMap(files, z, x, y, signal) {
    const bytes = await files.tile(z, x, y, signal);
    if (bytes) return bytes;
    const { covey, minzoom = 0 } = await files.tileJSON();
    const most = Math.min(covey?.variableDepth ?? 0, z - minzoom);
    for (let up = 1; up <= most; up++) {
        const ancestor = await files.tile(z - up, x >> up, y >> up, signal);
        if (!ancestor) continue;
        // Clusters may come apart below; points alone stay as they are.
        if (layersOf(ancestor).some(({ keys }) => keys.includes("point_count"))) break;
        const cut = cutOut(ancestor, up, x % 2 ** up, y % 2 ** up, (covey.buffer ?? 8) / 512);
        return cut.length > 0 ? cut : null;
    }
    return null;
}
