// How leaves are divided into blocks, and the large clusters, which are rows of whole blocks.
import { clusterIdOf } from "./ids.js";

/**
 * The rows of lists, with parents and positions; `endOf` says where a row ends. A parent stands before its children; one
 * without any in the lists has the `outer` one, and its position counts from the corner.
 */
export function nested({ firsts = [], zooms = [], xs = [], ys = [], shifted = [] }, outer, corner, endOf) {
    if ([zooms, xs, ys].some(({ length }) => length !== firsts.length)) throw new Error("a cluster block is damaged");
    const stack = [];
    const rows = firsts.map((first, at) => {
        while (stack.length > 0 && stack.at(-1).end <= first) stack.pop();
        const parent = stack.at(-1);
        const end = endOf(at);
        const isDeeper = zooms[at] > (parent?.zoom ?? -1) && zooms[at] < 32;
        if (!(end > first) || end > parent?.end || !isDeeper) throw new Error("a cluster block is damaged");
        const [x, y] = parent ? [parent.x, parent.y] : corner;
        const row = {
            first, end, count: end - first, zoom: zooms[at], at, parent: parent ?? outer, x: x + xs[at], y: y + ys[at], shift: 0,
        };
        stack.push(row);
        return row;
    });
    let at = 0;
    for (const [step, shift] of shifted) if (rows[at += step]) rows[at].shift = shift;
    return rows;
}

/** More points are in no block. */
const mostInBlock = 4000;

/** The blocks of an archive, as its overview tells of them. */
export class Division {
    constructor(overview, contract) {
        // To format 3 a block has as many leaves as another, whatever is in it.
        const { leavesInBlock = mostInBlock, blocks, format } = contract;
        this.counts = format >= 4 ? overview.counts : new Array(blocks.count).fill(leavesInBlock);
        const isSound = overview.boxes.length === this.counts.length && this.counts.every((count) => count > 0 && count <= mostInBlock);
        if (!isSound) throw new Error("the overview of clusters is damaged");
        /** The first leaf of each block, and the one behind the last. */
        this.firsts = [0];
        for (const count of this.counts) this.firsts.push(this.firsts.at(-1) + count);
        this.large = this.largeOf(overview.large);
        this.named = new Map(this.large.map((row) => [clusterIdOf(row, contract), row]));
        /** The innermost large cluster around each block. */
        this.around = this.counts.map(() => null);
        for (const row of this.large) this.around.fill(row, row.begin, row.behind);
    }

    /** The large clusters, from block `begin` up to the one `behind`. */
    largeOf({ begins = [], lengths = [], ...lists }) {
        const end = (at) => this.firsts[begins[at] + lengths[at]];
        const rows = nested({ firsts: begins.map((begin) => this.firsts[begin]), ...lists }, null, [0, 0], end);
        return rows.map((row, at) => Object.assign(row, { begin: begins[at], behind: begins[at] + lengths[at] }));
    }

    /** The number of the block that a leaf is in. */
    blockOf(leaf) {
        let [low, high] = [0, this.counts.length];
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.firsts[middle + 1] <= leaf) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** What a block has to know of the others. */
    place(block) { return { first: this.firsts[block], leaves: this.counts[block], around: this.around[block] }; }

    /** What a large cluster has within, in leaf order: other large ones, and the numbers of blocks that are in none of these. */
    within(large) {
        const found = [];
        for (let block = large.begin; block < large.behind;) {
            let inner = this.around[block];
            while (inner !== large && inner.parent !== large) inner = inner.parent;
            found.push(inner === large ? block : inner);
            block = inner === large ? block + 1 : inner.behind;
        }
        return found;
    }
}
