// Answers questions from cluster blocks, in a PMTiles file or in a folder.
import { Kept, refusal } from "./bytes.js";
import { ClusterBlock, outlinesOf, pageOf } from "./clusterblock.js";
import { tileForMap } from "./files.js";
import { clusterIdOf, firstLeafOf, layerOfLeaf } from "./ids.js";
import { Overview } from "./overview.js";
import { boxAround, degreesOf, gridSteps, hullGeometry, hullOf, laidOut, lonLat, tileHolding, wrapped } from "./shapes.js";
import { layersOf } from "./vectortile.js";

/** A short count with at most three digits, as the program writes it: 999, 1.2k, 12k, 1.2M. */
export function abbreviated(count) {
    const tenths = (unit, letter) => {
        const number = Math.floor((count * 10 + unit / 2) / unit);
        return number % 10 === 0 ? `${number / 10}${letter}` : `${Math.floor(number / 10)}.${number % 10}${letter}`;
    };
    const whole = (unit, letter) => `${Math.floor((count + unit / 2) / unit)}${letter}`;
    if (count < 1e3) return `${count}`;
    if (count < 9950) return tenths(1e3, "k");
    if (count < 999500) return whole(1e3, "k");
    if (count < 9950000) return tenths(1e6, "M");
    if (count < 999500000) return whole(1e6, "M");
    return count < 9950000000 ? tenths(1e9, "G") : whole(1e9, "G");
}

const collection = (features, numberMatched) =>
    ({ type: "FeatureCollection", numberMatched, numberReturned: features.length, features });

/** The newest format of archives that this script reads. */
const newestFormat = 5;

/** The number of large clusters whose outlines are in one payload. */
const outlinesInPayload = 64;

/** The position of a row in the unit square. */
const placeOf = (row) => wrapped([row.x / gridSteps, row.y / gridSteps]);

/** A block's box with its west within the world. */
function worldBox(edges) {
    const [west, north, east, south] = edges.map((edge) => edge / gridSteps);
    return [west - Math.floor(west), north, east - Math.floor(west), south];
}

/** Gives the answers of `covey serve` from files. */
export class BlockAnswers {
    constructor(files) {
        this.files = files;
        this.blocks = new Kept(24);
        this.kept = new Kept(32);
        this.pages = new Kept(8);
        this.known = new Kept(1);
    }

    tileJSON() { return this.files.tileJSON(); }

    async tile(z, x, y, signal) {
        const { maxzoom } = await this.tileJSON();
        return z > maxzoom ? null : tileForMap(this.files, z, x, y, signal);
    }

    async contract() {
        const contract = await this.files.contract();
        if (!contract?.blocks) throw refusal(404, "the archive has no clusters to ask about");
        if (contract.format > newestFormat) throw new Error("the clusters are of a newer format");
        return contract;
    }

    async payload(number) {
        const bytes = await this.files.block(number);
        if (!bytes) throw refusal(404, `there is no cluster block ${number}`);
        return bytes;
    }

    async block(number) {
        const overview = await this.overview();
        return this.blocks.get(number, async () => ClusterBlock.read(await this.payload(number), await overview.place(number)));
    }

    async blockOf(leaf) { return this.block(await (await this.overview()).blockOf(leaf)); }

    /** The overview: the boxes of all blocks, the ids of each page, and the large clusters. */
    overview() {
        return this.known.get("overview", async () => Overview.read(await this.contract(), (number) => this.payload(number)));
    }

    /** The number of the block that a cluster is in, by the page that has its id; undefined if none has it. */
    async blockWith(id) {
        const overview = await this.overview();
        const first = firstLeafOf(id, await this.contract());
        if (first !== undefined) return overview.blockOf(first);
        const page = await overview.page(id);
        if (!page) return undefined;
        const { payload, listed } = page;
        const read = await this.pages.get(payload, async () => pageOf(await this.payload(payload), listed, (leaf) => overview.blockOf(leaf)));
        return read.get(id);
    }

    /** The row of a cluster, and its block, which a large cluster does not have. */
    async find(id) {
        const [contract, overview] = [await this.contract(), await this.overview()];
        const large = await overview.largeWith(id);
        if (large) return { row: large };
        const number = await this.blockWith(id);
        if (number >= 0 && number < contract.blocks.count) {
            const block = await this.block(number);
            const zoom = (id - (contract.idBase ?? 0)) % 32;
            const row = block.rows.find((one) => one.zoom === zoom && clusterIdOf(one, contract) === id);
            if (row) return { row, block };
        }
        throw refusal(404, `there is no cluster with the id ${id}`);
    }

    // Features

    /** A cluster as a feature of its tile at a zoom, or made from its row if no tile has it. */
    async clusterFeature(row, zoom) {
        const contract = await this.contract();
        const layer = layerOfLeaf(row.first, contract);
        const id = clusterIdOf(row, contract);
        const bare = {
            cluster: true, cluster_id: id, point_count: row.count,
            point_count_abbreviated: abbreviated(row.count), expansion_zoom: row.zoom + 1,
        };
        const { minzoom, maxzoom } = await this.tileJSON();
        // A cluster that does not split is drawn at the deepest zoom, unless a cluster around it is drawn there.
        const isKnown = layer.carries?.length === 0 && zoom <= maxzoom;
        const drawn = zoom >= minzoom
            && (isKnown ? bare : await this.drawn(id, row, Math.min(zoom, maxzoom), layer.name));
        return {
            type: "Feature", id, geometry: { type: "Point", coordinates: lonLat(placeOf(row)) },
            properties: { ...(drawn || bare) }, ...(drawn ? { layer: layer.name } : {}),
        };
    }

    /** The feature of a cluster in its tile. */
    async drawn(id, row, zoom, name) {
        const [z, x, y] = tileHolding(placeOf(row), zoom);
        const found = await this.kept.get(`${z}/${x}/${y}`, async () => {
            const bytes = await this.files.tile(z, x, y);
            return bytes ? layersOf(bytes) : [];
        });
        for (const layer of found) {
            if (layer.name !== name) continue;
            layer.places ??= new Map(layer.features.map((_, index) => [layer.id(index), index]));
            const index = layer.places.get(id);
            if (index !== undefined) return layer.feature(index).properties;
        }
        return null;
    }

    async leafFeature(number, near) {
        const leaf = await near?.leaf(number) ?? await (await this.blockOf(number)).leaf(number);
        return {
            type: "Feature", ...(leaf.id === undefined ? {} : { id: leaf.id }),
            geometry: { type: "Point", coordinates: lonLat(wrapped(leaf.position)) },
            properties: leaf.properties, layer: leaf.layer,
        };
    }

    // Answers

    async cluster(id) {
        const { row } = await this.find(id);
        return this.clusterFeature(row, row.zoom);
    }

    async expansionZoom(id) { return (await this.find(id)).row.zoom + 1; }

    async parent(id) {
        const { row: { parent } } = await this.find(id);
        return parent && this.clusterFeature(parent, parent.zoom);
    }

    async children(id, limit, offset) {
        const { row, block } = await this.find(id);
        const nodes = block ? block.children(row) : await this.childrenOfLarge(row);
        const features = [];
        for (const node of nodes.slice(offset, offset + limit)) {
            features.push(typeof node === "number"
                ? await this.leafFeature(node, block) : await this.clusterFeature(node, row.zoom + 1));
        }
        return collection(features, nodes.length);
    }

    /** The children of a large cluster: other large clusters, and the outermost nodes of its own blocks. */
    async childrenOfLarge(row) {
        const within = await (await this.overview()).within(row);
        const parts = within.map(async (part) =>
            typeof part === "number" ? (await this.block(part)).outermost() : [part]);
        return (await Promise.all(parts)).flat();
    }

    async leaves(id, limit, offset) {
        const { row, block } = await this.find(id);
        const features = [];
        const end = Math.min(row.first + offset + limit, row.end);
        for (let number = row.first + offset; number < end; number++) {
            features.push(await this.leafFeature(number, block));
        }
        return collection(features, row.count);
    }

    async points(limit, from) {
        const { layers } = await this.contract();
        const count = layers.reduce((most, { first, leaves }) => Math.max(most, first + leaves), 0);
        const features = [];
        for (let leaf = from; leaf < Math.min(from + limit, count); leaf++) features.push(await this.leafFeature(leaf));
        return { type: "FeatureCollection", features, ...(from + limit < count ? { next: from + limit } : {}) };
    }

    async hull(id) {
        const { row, block } = await this.find(id);
        const corners = block && !row.shape
            ? hullOf(laidOut(await block.positions(row.first, row.end), row.x / gridSteps))
            : (row.shape?.corners ?? await this.outline(row)).map(([x, y]) => [x / gridSteps, y / gridSteps]);
        return { type: "Feature", id, geometry: hullGeometry(corners), properties: {} };
    }

    /** The corners of a large cluster's hull. */
    async outline(row) {
        const { firstOutline } = await this.overview();
        const number = firstOutline + Math.floor(row.at / outlinesInPayload);
        const outlines = await this.pages.get(number, async () => outlinesOf(await this.payload(number)));
        const corners = outlines[row.at % outlinesInPayload];
        if (!corners?.length) throw new Error("the outlines of clusters are damaged");
        return corners;
    }

    async bbox(id) {
        const { row, block } = await this.find(id);
        if (row.shape) return degreesOf(row.shape.box.map((edge) => edge / gridSteps));
        if (layerOfLeaf(row.first, await this.contract()).wrap === false) return degreesOf(await this.flatBox(row, block));
        if (!block) return degreesOf(boxAround((await (await this.overview()).boxes(row)).map(worldBox)));
        const places = (await block.positions(row.first, row.end)).map(wrapped);
        return degreesOf(boxAround(places.map(([x, y]) => [x, y, x, y])));
    }

    /**
     * The box around a cluster in a layer that does not wrap. The boxes of blocks wrap, so the points of a block at the
     * east edge are read.
     */
    async flatBox(row, block) {
        const around = (positions) => positions.map(([x, y]) => [x, y, x, y]);
        if (block) return boxAround(around(await block.positions(row.first, row.end)), false);
        const boxes = [];
        for (const [at, edges] of (await (await this.overview()).blockBoxes(row)).entries()) {
            const [west, north, east, south] = edges.map((edge) => edge / gridSteps);
            const reaching = east < 1 ? null : await this.block(row.begin + at);
            boxes.push(...reaching ? around(await reaching.positions(reaching.first, reaching.end)) : [[west, north, east, south]]);
        }
        return boxAround(boxes, false);
    }

    /** The marker at a zoom of the point nearest to a position, within a marker's width. */
    async containing(longitude, latitude, zoom) {
        const sine = Math.sin(latitude * Math.PI / 180);
        const y = 0.5 - 0.25 * Math.log((1 + sine) / (1 - sine)) / Math.PI;
        const place = wrapped([longitude / 360 + 0.5, Math.min(Math.max(y, 0), 1)]);
        const reach = 50 / (512 * 2 ** zoom);
        const near = await (await this.overview()).near(place, reach);
        let best = { distance: reach };
        for (const { number, distance } of near) {
            if (distance > best.distance) break;
            const block = await this.block(number);
            for (let leaf = block.first; leaf < block.first + block.leaves; leaf++) {
                const { position } = await block.leaf(leaf);
                const across = position[0] - place[0];
                const distance = Math.hypot(across - Math.round(across), position[1] - place[1]);
                if (distance < best.distance || (distance === best.distance && !best.block)) best = { leaf, block, distance };
            }
        }
        if (!best.block) throw refusal(404, "nothing is near that position");
        const node = best.block.node(best.leaf, zoom);
        return typeof node === "number" ? this.leafFeature(node, best.block) : this.clusterFeature(node, zoom);
    }
}
