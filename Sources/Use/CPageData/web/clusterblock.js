// Decodes the payloads of clusters: blocks of points and the clusters in them, the overview, pages of ids, outlines.
import { Cursor, gunzip } from "./bytes.js";
import { nested } from "./division.js";
import { layersOf } from "./vectortile.js";

/** The offset of the length of the first member in a payload (an extra field of gzip, `Cv`). */
function membersOf(bytes) {
    const isOurs = bytes.length > 20 && bytes[0] === 0x1f && bytes[1] === 0x8b && (bytes[3] & 4)
        && bytes[12] === 0x43 && bytes[13] === 0x76;
    if (!isOurs) throw new Error("a cluster block is damaged");
    const length = new DataView(bytes.buffer, bytes.byteOffset + 16, 4).getUint32(0, true);
    return [bytes.subarray(0, length), bytes.subarray(length)];
}

/** The largest inflated sizes of an index and of the points of a block, by docs/pmtiles.md. */
const [largestIndex, largestPoints] = [16 * 1024 * 1024, 32 * 1024 * 1024];

/**
 * The message in the first member, by the names of its fields. `fields` has the name of each field by its number, and a
 * function that reads it, which is called with the value so far.
 */
async function messageOf(member, kind, fields) {
    const outer = new Cursor(await gunzip(member, largestIndex));
    if (outer.varint() !== kind * 8 + 2) throw new Error("a cluster block is damaged");
    const found = {};
    eachField(outer.part(outer.varint()), (field, part) => {
        const [name, read] = fields[field] ?? [];
        if (name) found[name] = read(part, found[name]);
    });
    if (found.format > 2) throw new Error("the clusters are of a newer format");
    return found;
}

/** Calls `take(number, part)` for each field; `part` is a cursor, also for numbers. */
function eachField(message, take) {
    while (!message.isAtEnd) {
        const tag = message.varint();
        if ((tag & 7) === 2) {
            take(tag >>> 3, message.part(message.varint()));
        } else if ((tag & 7) === 0) {
            const start = message.at;
            message.varint();
            take(tag >>> 3, new Cursor(message.bytes, start, message.at));
        } else {
            throw new Error("a cluster block is damaged");
        }
    }
}

const number = (part) => part.varint();

function numbers(part) {
    const list = [];
    while (!part.isAtEnd) list.push(part.varint());
    return list;
}

function signedNumbers(part) {
    const list = [];
    while (!part.isAtEnd) list.push(part.signed());
    return list;
}

/** The numbers of `lanes` interleaved lists that are stored as differences. */
export function summed(list, lanes = 1) {
    for (let at = lanes; at < list.length; at++) list[at] += list[at - lanes];
    return list;
}

function pairs(list) {
    const found = [];
    for (let at = 0; at + 1 < list.length; at += 2) found.push([list[at], list[at + 1]]);
    return found;
}

const sums = (part) => summed(numbers(part));
const signedSums = (part) => summed(signedNumbers(part));
const cornersOf = (part) => pairs(summed(signedNumbers(part), 2));
const signedPairs = (part) => pairs(signedNumbers(part));
const format = ["format", number];

const shapeFields = { 1: ["box", signedNumbers], 2: ["corners", cornersOf] };

/** Adds the rows around a row that ends after its block (up to format 3). */
function shapesOf(part, before = []) {
    const shape = { box: null, corners: [] };
    eachField(part, (field, inner) => {
        const [name, read] = shapeFields[field] ?? [];
        if (name) shape[name] = read(inner);
    });
    return [...before, shape];
}

const blockFields = {
    1: format, 3: ["first", number], 4: ["leaves", number], 5: ["hull", cornersOf], 6: ["firsts", sums], 7: ["zooms", numbers],
    8: ["counts", numbers], 9: ["xs", signedNumbers], 10: ["ys", signedNumbers], 11: ["shapes", shapesOf],
    12: ["copied", sums], 13: ["copies", (part) => part.rest], 14: ["shifted", signedPairs],
};

/** A cluster block. Its points are inflated when the first is needed. */
export class ClusterBlock {
    /** @param place the block's first leaf, its number of leaves, and the large cluster around it. */
    static async read(bytes, place) {
        const [index, points] = membersOf(bytes);
        return new ClusterBlock(await messageOf(index, 100, blockFields), points, place);
    }

    constructor({ format = 1, first = 0, leaves = 0, hull = [], firsts = [], counts = [], shapes = [], copied = [], copies, ...lists }, points, place) {
        Object.assign(this, { packed: points, first, leaves, copied, copies, around: null });
        let corner = [0, 0];
        if (format > 1) {
            if (leaves !== place.leaves) throw new Error("a cluster block is damaged");
            Object.assign(this, { first: place.first, around: place.around });
            firsts = firsts.map((own) => place.first + own);
            corner = hull[0] ?? corner;
        }
        this.rows = nested({ firsts, ...lists }, this.around, corner, (at) => firsts[at] + counts[at]);
        const wide = this.rows.filter((row) => row.end > this.end);
        if (format > 1 && wide.length > 0) throw new Error("a cluster block is damaged");
        for (const [at, row] of wide.filter((row) => this.holds(row.first)).entries()) row.shape = shapes[at];
    }

    get end() { return this.first + this.leaves; }

    /** The children of a row: rows, and the numbers of single leaves, in leaf order. */
    children(row) { return this.nodes(row, row.first, row.end, row.at + 1); }

    /** The outermost nodes of the block: children of the large cluster around it. */
    outermost() { return this.nodes(this.around, this.first, this.end, 0); }

    nodes(parent, at, end, next) {
        const nodes = [];
        for (; next < this.rows.length && this.rows[next].first < end; next++) {
            const child = this.rows[next];
            if (child.parent !== parent) continue;
            while (at < child.first) nodes.push(at++);
            nodes.push(child);
            at = child.end;
        }
        while (at < end) nodes.push(at++);
        return nodes;
    }

    /** The marker of a leaf of the block at a zoom: a row, or the leaf's number. */
    node(leaf, zoom) {
        let outer;
        for (let large = this.around; large?.zoom >= zoom; large = large.parent) outer = large;
        return outer ?? this.rows.find((row) => row.first <= leaf && leaf < row.end && row.zoom >= zoom) ?? leaf;
    }

    holds(leaf) { return leaf >= this.first && leaf < this.end; }

    /** A leaf of the block, or its copy of a leaf of another block; undefined if there is neither. */
    async leaf(number) {
        if (this.holds(number)) {
            this.points ??= gunzip(this.packed, largestPoints).then(layersOf);
            return featureAt(await this.points, number - this.first);
        }
        const copy = this.copied.indexOf(number);
        return copy < 0 ? undefined : featureAt(this.copiedLayers ??= layersOf(this.copies), copy);
    }

    /** The positions of some leaves of the block, not wrapped. */
    async positions(first, end) {
        const found = [];
        for (let number = first; number < end; number++) found.push((await this.leaf(number)).position);
        return found;
    }
}

/** A feature by its number in all layers, with its position in the unit square. */
function featureAt(layers, index) {
    for (const layer of layers) {
        if (index < layer.features.length) {
            const { id, paths, properties } = layer.feature(index);
            const [x, y] = paths[0]?.[0] ?? [0, 0];
            return { id, properties, layer: layer.name, position: [x / layer.extent, y / layer.extent] };
        }
        index -= layer.features.length;
    }
    throw new Error("a cluster block has fewer points than it says");
}

const overviewFields = {
    1: format, 2: ["edges", (part) => summed(signedNumbers(part), 4)], 3: ["pages", sums], 4: ["counts", numbers],
    5: ["listed", numbers], 6: ["blocks", signedSums], 7: ["begins", sums], 8: ["lengths", numbers], 9: ["zooms", numbers],
    10: ["xs", signedNumbers], 11: ["ys", signedNumbers], 12: ["shifted", signedPairs], 13: ["names", sums], 14: ["namedBlocks", signedSums],
};

/** Four numbers each. */
const boxesOf = (edges) => edges.flatMap((_, at) => at % 4 === 0 ? [edges.slice(at, at + 4)] : []);

/**
 * The overview, or a chapter of it: for each block its number of points and their west, north, east and south in steps of
 * the grid; the first id and the blocks of each page; the lists of large clusters; and for the large clusters that a chapter
 * names the first block by id.
 */
export async function overviewOf(bytes) {
    const found = await messageOf(membersOf(bytes)[0], 101, overviewFields);
    const { edges = [], pages = [], counts = [], listed = [], blocks = [], names = [], namedBlocks = [], ...large } = found;
    let at = 0;
    return {
        boxes: boxesOf(edges), pages, counts, large, listed: listed.map((count) => blocks.slice(at, at += count)),
        named: new Map(names.map((id, at) => [id, namedBlocks[at]])),
    };
}

const contentsFields = {
    1: format, 2: ["edges", (part) => summed(signedNumbers(part), 4)], 3: ["pages", sums], 4: ["counts", numbers], 5: ["large", numbers],
    6: ["numbers", sums], 7: ["begins", sums], 8: ["lengths", numbers], 9: ["zooms", numbers], 10: ["xs", signedNumbers],
    11: ["ys", signedNumbers], 12: ["shifted", signedPairs], 13: ["firsts", sums], 14: ["leaves", numbers],
    15: ["wideEdges", (part) => summed(signedNumbers(part), 4)],
};

/**
 * The contents of an overview in chapters: for each chapter its box, the first id of its pages, its number of points, and
 * the number of large clusters that begin in it; and the lists of the large clusters that are in several chapters.
 */
export async function contentsOf(bytes) {
    const found = await messageOf(membersOf(bytes)[0], 104, contentsFields);
    const { edges = [], pages = [], counts = [], large = [], leaves = [], wideEdges = [], ...lists } = found;
    const { numbers = [], begins = [], lengths = [], firsts = [] } = lists;
    return {
        boxes: boxesOf(edges), pages, counts, large,
        wide: { ...lists, numbers, begins, lengths, firsts, counts: leaves, boxes: boxesOf(wideEdges) },
    };
}

const pageFields = { 1: format, 2: ["ids", sums], 3: ["leads", (part) => part] };

/** A page of ids: the block of each id, as an index into the page's blocks. Up to format 3 it has first leaves. */
export async function pageOf(bytes, listed, blockOf) {
    const { format = 1, ids = [], leads } = await messageOf(membersOf(bytes)[0], 102, pageFields);
    const blocks = format > 1 ? numbers(leads).map((at) => listed?.[at]) : await Promise.all(signedSums(leads).map(blockOf));
    return new Map(ids.map((id, at) => [id, blocks[at]]));
}

/** The corners of some large clusters' hulls. */
export async function outlinesOf(bytes) {
    const { sizes = [], corners = [] } = await messageOf(membersOf(bytes)[0], 103, { 1: format, 2: ["sizes", numbers], 3: ["corners", cornersOf] });
    let at = 0;
    return sizes.map((size) => corners.slice(at, at += size));
}
