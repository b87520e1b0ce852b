// What an archive consists of where no program serves it: tiles, a description, cluster blocks.
import { gunzip, Kept, refusal } from "./bytes.js";
import { cutOut } from "./cut.js";
import { PMTiles, tileId } from "./pmtiles.js";
import { treeAt } from "./tiletree.js";
import { layersOf } from "./vectortile.js";

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

/** A PMTiles file and the file of its clusters. */
export class PMTilesFiles {
    constructor(url, { clusters: side, signal } = {}) {
        this.url = url;
        this.signal = signal;
        this.tiles = archiveAt(url);
        this.described = new Kept(1);
        this.side = new PMTiles(side ?? url.replace(/\.pmtiles(?=$|[?#])/, ".clusters.pmtiles"));
    }

    tileJSON() {
        return this.described.get("tiles.json", () => describe(this.tiles, `pmtiles://${this.url}/{z}/{x}/{y}`));
    }

    /** What the archive says of its clusters, once both files are known to belong together. */
    async contract() {
        const own = (await this.tileJSON()).covey;
        if (!own?.blocks) return own;
        const theirs = await this.side.metadata();
        if (theirs.covey?.blocks?.hash !== own.blocks.hash) {
            throw new Error(`${this.side.url} belongs to another archive: copy both files anew`);
        }
        return own;
    }

    block(number) { return this.side.stored(number, this.signal); }

    tile(z, x, y, signal = this.signal) { return this.tiles.unpacked(tileId(z, x, y), signal); }
}

/** A folder with tiles, `tiles.json` and `clusters/`. */
export class FolderFiles {
    constructor(url, { signal } = {}) {
        this.url = url.split(/[?#]/)[0].replace(/[^/]*$/, "");
        this.signal = signal;
        this.described = new Kept(1);
    }

    async fetched(path, signal = this.signal) {
        const response = await fetch(this.url + path, { signal });
        if (response.status === 404 || response.status === 204) return null;
        if (!response.ok) throw refusal(response.status, `${this.url}${path}: ${response.status} ${response.statusText}`);
        return new Uint8Array(await response.arrayBuffer());
    }

    tileJSON() {
        return this.described.get("tiles.json", async () => {
            const bytes = await this.fetched("tiles.json");
            if (!bytes) throw refusal(404, `there is no ${this.url}tiles.json`);
            const described = JSON.parse(new TextDecoder().decode(await gunzip(bytes)));
            // What is there is read meanwhile, before the first tile is wanted.
            if (described.tileTree) this.tree = treeAt(this.url + described.tileTree);
            return described;
        });
    }

    async contract() { return (await this.tileJSON()).covey; }

    block(number) { return this.fetched(`clusters/${number}.bin`); }

    async tile(z, x, y, signal) {
        // The folder may lie elsewhere than its documents say.
        const [template] = (await this.tileJSON()).tiles;
        if ((await this.tree)?.has(z, x, y) === false) return null;
        const path = template.slice(template.lastIndexOf("{z}"))
            .replace("{z}", z).replace("{x}", x).replace("{y}", y);
        const bytes = await this.fetched(path, signal);
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
