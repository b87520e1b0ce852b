// A cluster block, to the byte: the rows of the clusters that begin among some leaves, and the leaves.
import { Cursor, gunzip } from "./bytes.js";
import { layersOf } from "./vectortile.js";

/** Where the first member of a payload says how long it is (an extra field of gzip, `Cv`). */
function membersOf(bytes) {
    const isOurs = bytes.length > 20 && bytes[0] === 0x1f && bytes[1] === 0x8b && (bytes[3] & 4)
        && bytes[12] === 0x43 && bytes[13] === 0x76;
    if (!isOurs) throw new Error("a cluster block is damaged");
    const length = new DataView(bytes.buffer, bytes.byteOffset + 16, 4).getUint32(0, true);
    return [bytes.subarray(0, length), bytes.subarray(length)];
}

/** The message in the first member: field 100 of a block, field 101 of the overview. */
async function messageOf(member, field) {
    const outer = new Cursor(await gunzip(member));
    if (outer.varint() !== field * 8 + 2) throw new Error("a cluster block is damaged");
    return outer.part(outer.varint());
}

/** Calls `take(number, part)` for each field; numbers come as a cursor too. */
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

/** Sums of what each number adds to the one before, in `lanes` lists that take turns. */
function summed(list, lanes = 1) {
    for (let at = lanes; at < list.length; at++) list[at] += list[at - lanes];
    return list;
}

function pairs(list) {
    const found = [];
    for (let at = 0; at + 1 < list.length; at += 2) found.push([list[at], list[at + 1]]);
    return found;
}

function shapeOf(part) {
    const shape = { box: null, corners: [] };
    eachField(part, (field, inner) => {
        if (field === 1) shape.box = signedNumbers(inner);
        if (field === 2) shape.corners = pairs(summed(signedNumbers(inner), 2));
    });
    return shape;
}

/** A cluster block; its points are unpacked when the first is asked for. */
export class ClusterBlock {
    static async read(bytes) {
        const [index, points] = membersOf(bytes);
        return new ClusterBlock(await messageOf(index, 100), points);
    }

    constructor(message, points) {
        this.packed = points;
        const lists = {};
        const shapes = [];
        this.first = this.leaves = 0;
        this.copied = [];
        eachField(message, (field, part) => {
            if (field === 1 && part.varint() !== 1) throw new Error("the clusters are of a newer format");
            else if (field === 3) this.first = part.varint();
            else if (field === 4) this.leaves = part.varint();
            else if (field === 6) lists.firsts = summed(numbers(part));
            else if (field === 7) lists.zooms = numbers(part);
            else if (field === 8) lists.counts = numbers(part);
            else if (field === 9) lists.xs = signedNumbers(part);
            else if (field === 10) lists.ys = signedNumbers(part);
            else if (field === 11) shapes.push(shapeOf(part));
            else if (field === 12) this.copied = summed(numbers(part));
            else if (field === 13) this.copies = part.rest;
            else if (field === 14) lists.shifted = pairs(signedNumbers(part));
        });
        this.rows = this.rowsOf(lists, shapes);
    }

    /** The rows with their parents and shapes; a parent stands before its children. */
    rowsOf({ firsts = [], zooms = [], counts = [], xs = [], ys = [], shifted = [] }, shapes) {
        const stack = [];
        const end = this.first + this.leaves;
        let shape = 0;
        const rows = firsts.map((first, at) => {
            while (stack.length > 0 && stack.at(-1).end <= first) stack.pop();
            const parent = stack.at(-1) ?? null;
            const row = {
                first, zoom: zooms[at], count: counts[at], end: first + counts[at], parent, at,
                x: xs[at] + (parent?.x ?? 0), y: ys[at] + (parent?.y ?? 0), shape: null, shift: 0,
            };
            if (first >= this.first && first < end && row.end > end) row.shape = shapes[shape++] ?? null;
            stack.push(row);
            return row;
        });
        let at = 0;
        for (const [step, shift] of shifted) if (rows[at += step]) rows[at].shift = shift;
        return rows;
    }

    /** The cluster that begins with a leaf and formed at a zoom. */
    row(first, zoom) {
        return this.rows.find((row) => row.first === first && row.zoom === zoom);
    }

    /** What a row comes apart into: rows, and the numbers of single leaves, in leaf order. */
    children(row) {
        const nodes = [];
        let at = row.first;
        for (let next = row.at + 1; next < this.rows.length && this.rows[next].first < row.end; next++) {
            const child = this.rows[next];
            if (child.parent !== row) continue;
            while (at < child.first) nodes.push(at++);
            nodes.push(child);
            at = child.end;
        }
        while (at < row.end) nodes.push(at++);
        return nodes;
    }

    /** What is drawn for a leaf of the block at a zoom: a row, or the leaf's number. */
    node(leaf, zoom) {
        return this.rows.find((row) => row.first <= leaf && leaf < row.end && row.zoom >= zoom) ?? leaf;
    }

    holds(leaf) { return leaf >= this.first && leaf < this.first + this.leaves; }

    /** A leaf of the block, or a copy of one that lies behind it; undefined where there is neither. */
    async leaf(number) {
        if (this.holds(number)) {
            this.points ??= gunzip(this.packed).then(layersOf);
            return featureAt(await this.points, number - this.first);
        }
        const copy = this.copied.indexOf(number);
        return copy < 0 ? undefined : featureAt(this.copiedLayers ??= layersOf(this.copies), copy);
    }

    /** Where some leaves of the block are, not wrapped. */
    async positions(first, end) {
        const found = [];
        for (let number = first; number < end; number++) found.push((await this.leaf(number)).position);
        return found;
    }
}

/** A feature counted through all layers, with its position in the unit square. */
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

/**
 * The overview: by block west, north, east and south of its points, in steps of the grid, and the first id of
 * each page.
 */
export async function overviewOf(bytes) {
    const [member] = membersOf(bytes);
    const overview = { boxes: [], pages: [] };
    eachField(await messageOf(member, 101), (field, part) => {
        if (field === 3) overview.pages = summed(numbers(part));
        if (field !== 2) return;
        const edges = summed(signedNumbers(part), 4);
        overview.boxes = edges.flatMap((_, at) => at % 4 === 0 ? [edges.slice(at, at + 4)] : []);
    });
    return overview;
}

/** A page of ids: the first leaf of each. */
export async function pageOf(bytes) {
    const [member] = membersOf(bytes);
    let [ids, leaves] = [[], []];
    eachField(await messageOf(member, 102), (field, part) => {
        if (field === 2) ids = summed(numbers(part));
        if (field === 3) leaves = summed(signedNumbers(part));
    });
    return new Map(ids.map((id, at) => [id, leaves[at]]));
}
