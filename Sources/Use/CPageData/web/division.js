// The division of leaves into blocks, and the large clusters, which consist of whole blocks.

/**
 * The rows of lists, with parents and positions; `endOf` returns the end of a row. A parent is before its children. A row
 * without a parent in the lists has `outer` as its parent, and its position is relative to the corner.
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

/** The most points of a block. */
const mostInBlock = 4000;

/** The innermost row with a block; the outermost rows are first. */
const innermostAt = (rows, block) => rows.findLast(({ begin, behind }) => begin <= block && block < behind) ?? null;

/** Consecutive blocks of an archive, those of a chapter of its overview, with the large clusters in them. */
export class Division {
    /**
     * @param start the number of the first block, its first leaf, the large clusters that are in several chapters, and
     *   the number of large clusters that begin before.
     */
    constructor(overview, contract, start) {
        // Up to format 3 all blocks have the same number of leaves.
        const { leavesInBlock = mostInBlock, blocks, format } = contract;
        this.begin = start.block;
        this.boxes = overview.boxes;
        this.counts = format >= 4 ? overview.counts : new Array(blocks.count).fill(leavesInBlock);
        const isSound = overview.boxes.length === this.counts.length && this.counts.every((count) => count > 0 && count <= mostInBlock);
        if (!isSound) throw new Error("the overview of clusters is damaged");
        /** The first leaf of each block, and the end of the last. */
        this.firsts = [start.leaf];
        for (const count of this.counts) this.firsts.push(this.firsts.at(-1) + count);
        this.large = this.largeOf(overview.large, start);
        /** The innermost large cluster around each block. */
        this.around = this.counts.map((_, at) => innermostAt(start.wide, this.begin + at));
        for (const row of this.large) this.around.fill(row, row.begin - this.begin, row.behind - this.begin);
    }

    /** The large clusters of these blocks, from block `begin` up to before `behind`; `at` is their number in all chapters. */
    largeOf({ begins = [], lengths = [], ...lists }, { wide, large: at }) {
        const end = (at) => this.firsts[begins[at] + lengths[at]];
        const rows = nested({ firsts: begins.map((begin) => this.firsts[begin]), ...lists }, null, [0, 0], end);
        const taken = new Set(wide.map((row) => row.at));
        return rows.map((row, index) => {
            const begin = this.begin + begins[index];
            while (taken.has(at)) at += 1;
            const parent = row.parent ?? innermostAt(wide, begin);
            return Object.assign(row, { begin, behind: begin + lengths[index], parent, at: at++ });
        });
    }

    /** The number of the block that a leaf is in. */
    blockOf(leaf) { return this.begin + segmentOf(leaf, this.firsts); }

    /** The place of a block among the others; undefined if it is not here. */
    place(block) {
        const at = block - this.begin;
        return { first: this.firsts[at], leaves: this.counts[at], around: this.around[at] };
    }
}

/** The index of the consecutive segment with a number; `firsts` has the begin of each segment, and the end of the last. */
export function segmentOf(number, firsts) {
    let [low, high] = [0, firsts.length - 1];
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (firsts[middle + 1] <= number) low = middle + 1;
        else high = middle;
    }
    return low;
}
