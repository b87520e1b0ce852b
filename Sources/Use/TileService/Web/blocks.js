// Answers from cluster blocks, wherever they lie: beside a PMTiles file, or in a folder.
import { Kept, refusal } from "./bytes.js";
import { ClusterBlock, overviewOf, pageOf } from "./clusterblock.js";
import { clusterIdOf, clusterKeyOf } from "./ids.js";
import { boxAround, degreesOf, gridSteps, hullGeometry, hullOf, laidOut, lonLat, tileHolding, wrapped } from "./shapes.js";
import { layersOf } from "./vectortile.js";

/** As many figures as a marker has room for, as the program writes them: 999, 1.2k, 12k, 1.2M. */
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

/** Where a row is, in the unit square. */
const placeOf = (row) => wrapped([row.x / gridSteps, row.y / gridSteps]);

/** The answers that `covey serve` would give, from files alone. */
export class BlockAnswers {
    constructor(files) {
        this.files = files;
        this.blocks = new Kept(24);
        this.kept = new Kept(32);
        this.ids = new Kept(8);
    }

    tileJSON() { return this.files.tileJSON(); }

    tile(z, x, y, signal) { return this.files.tile(z, x, y, signal); }

    async contract() {
        const contract = await this.files.contract();
        if (!contract?.blocks) throw refusal(404, "the archive has no clusters to ask about");
        return contract;
    }

    async block(number) {
        return this.blocks.get(number, async () => {
            const bytes = await this.files.block(number);
            if (!bytes) throw refusal(404, `there is no cluster block ${number}`);
            return ClusterBlock.read(bytes);
        });
    }

    async blockOf(leaf) {
        const { leavesInBlock = 4000 } = await this.contract();
        return this.block(Math.floor(leaf / leavesInBlock));
    }

    /** Where the points of all blocks lie, and which ids each page has. */
    async overview() {
        const { blocks } = await this.contract();
        return this.ids.get("overview", async () => overviewOf(await this.idBlock(blocks.pages ?? 0)));
    }

    /** A payload behind those of the blocks. */
    async idBlock(number) {
        const { blocks } = await this.contract();
        const bytes = await this.files.block(blocks.count + number);
        if (!bytes) throw refusal(404, `there is no cluster block ${blocks.count + number}`);
        return bytes;
    }

    /** The number of a cluster's first leaf, by the page that has its id; undefined if none has it. */
    async firstLeaf(id) {
        const { pages } = await this.overview();
        const number = pages.findLastIndex((first) => first <= id);
        if (number < 0) return undefined;
        const page = await this.ids.get(number, async () => pageOf(await this.idBlock(number)));
        return page.get(id);
    }

    /** The row of a cluster, its block, and the layer it is in. */
    async find(id) {
        const contract = await this.contract();
        const key = clusterKeyOf(id, contract) ?? { first: await this.firstLeaf(id), zoom: id % 32 };
        const layer = contract.layers.find(({ first, leaves }) => key.first >= first && key.first < first + leaves);
        if (layer) {
            const block = await this.blockOf(key.first);
            const row = block.row(key.first, key.zoom);
            if (row) return { row, block, layer };
        }
        throw refusal(404, `there is no cluster with the id ${id}`);
    }

    async layerOf(leaf) {
        const { layers } = await this.contract();
        return layers.find(({ first, leaves }) => leaf >= first && leaf < first + leaves);
    }

    // Features

    /** A cluster as its tile at a zoom has it; with what its row says, where that is all. */
    async clusterFeature(row, zoom) {
        const layer = await this.layerOf(row.first);
        const id = clusterIdOf(row, layer, await this.contract());
        const bare = {
            cluster: true, cluster_id: id, point_count: row.count,
            point_count_abbreviated: abbreviated(row.count), expansion_zoom: row.zoom + 1,
        };
        const drawn = layer.carries?.length === 0 ? bare : await this.drawn(id, row, zoom, layer.name);
        return {
            type: "Feature", id, geometry: { type: "Point", coordinates: lonLat(placeOf(row)) },
            properties: { ...(drawn ?? bare) }, ...(drawn ? { layer: layer.name } : {}),
        };
    }

    /** What the tile that a cluster is drawn in says of it. */
    async drawn(id, row, zoom, name) {
        const { minzoom, maxzoom } = await this.tileJSON();
        if (zoom < minzoom || zoom > maxzoom) return null;
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
        const nodes = block.children(row);
        const features = [];
        for (const node of nodes.slice(offset, offset + limit)) {
            features.push(typeof node === "number"
                ? await this.leafFeature(node, block) : await this.clusterFeature(node, row.zoom + 1));
        }
        return collection(features, nodes.length);
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
        const corners = row.shape
            ? row.shape.corners.map(([x, y]) => [x / gridSteps, y / gridSteps])
            : hullOf(laidOut(await block.positions(row.first, row.end), row.x / gridSteps));
        return { type: "Feature", id, geometry: hullGeometry(corners), properties: {} };
    }

    async bbox(id) {
        const { row, block } = await this.find(id);
        if (row.shape) return degreesOf(row.shape.box.map((edge) => edge / gridSteps));
        const places = (await block.positions(row.first, row.end)).map(wrapped);
        return degreesOf(boxAround(places.map(([x, y]) => [x, y, x, y])));
    }

    /** What is drawn at a zoom for the point nearest to a position, within a marker's width. */
    async containing(longitude, latitude, zoom) {
        const sine = Math.sin(latitude * Math.PI / 180);
        const y = 0.5 - 0.25 * Math.log((1 + sine) / (1 - sine)) / Math.PI;
        const place = wrapped([longitude / 360 + 0.5, Math.min(Math.max(y, 0), 1)]);
        const near = nearestBlocks((await this.overview()).boxes, place, 50 / (512 * 2 ** zoom));
        let best = { distance: 50 / (512 * 2 ** zoom) };
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

/** The blocks whose box comes within reach of a place, nearest first, on a world that goes round. */
function nearestBlocks(boxes, [x, y], reach) {
    return boxes.map(([west, north, east, south], number) => {
        const dy = Math.max(north / gridSteps - y, 0, y - south / gridSteps);
        const dx = Math.min(...[-1, 0, 1].map((turn) =>
            Math.max(west / gridSteps - (x + turn), 0, x + turn - east / gridSteps)));
        return { number, distance: Math.hypot(dx, dy) };
    }).filter(({ distance }) => distance <= reach).sort((a, b) => a.distance - b.distance || a.number - b.number);
}
