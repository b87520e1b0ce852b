// The overview of an archive's clusters: the number of points and the box of each block, the ids of each page, and the
// large clusters. A large archive has an overview in chapters, which are fetched when they are needed.
import { Kept } from "./bytes.js";
import { contentsOf, overviewOf, summed } from "./clusterblock.js";
import { Division, nested, segmentOf } from "./division.js";
import { clusterIdOf } from "./ids.js";
import { gridSteps } from "./shapes.js";

/** The box of the whole world: west, north, east, south. */
const everywhere = [-Infinity, -Infinity, Infinity, Infinity];

/** The distance of a place from the nearest point of a box, on a world that wraps. */
function distanceTo([west, north, east, south], [x, y]) {
    const dy = Math.max(north - y, 0, y - south);
    const dx = Math.min(...[-1, 0, 1].map((turn) => Math.max(west - (x + turn), 0, x + turn - east)));
    return Math.hypot(dx, dy);
}

/** The large clusters that are in several chapters. */
function wideOf({ begins, lengths, counts, numbers, boxes, ...lists }) {
    const isSound = [begins, lengths, counts, numbers, boxes].every(({ length }) => length === lists.firsts.length);
    if (!isSound) throw new Error("the overview of clusters is damaged");
    return nested(lists, null, [0, 0], (at) => lists.firsts[at] + counts[at]).map((row, index) => Object.assign(row, {
        begin: begins[index], behind: begins[index] + lengths[index], at: numbers[index], box: boxes[index],
    }));
}

export class Overview {
    /** @param payload returns the bytes of a payload by its number. */
    static async read(contract, payload) {
        const { count, pages = 0, outlines = 0, chapter } = contract.blocks;
        const chapters = chapter ? Math.ceil(Math.max(count, pages) / chapter) : 0;
        const bytes = await payload(count + pages + outlines + chapters);
        return new Overview(contract, payload, chapter ? await contentsOf(bytes) : await overviewOf(bytes));
    }

    constructor(contract, payload, first) {
        const { count, pages = 0, outlines = 0, chapter } = contract.blocks;
        Object.assign(this, { contract, payload, firstPage: count, firstOutline: count + pages, firstChapter: count + pages + outlines });
        this.kept = new Kept(24);
        // An overview without chapters is one chapter with everything.
        this.size = chapter ?? Number.MAX_SAFE_INTEGER;
        this.contents = chapter ? first : { pages: [], boxes: [everywhere] };
        this.wide = chapter ? wideOf(first.wide) : [];
        /** The first leaf of each chapter, and the end of the last; and the number of large clusters that begin before each. */
        [this.firsts, this.large] = chapter ? [first.counts, first.large].map((counts) => summed([0, ...counts])) : [[0, Infinity], [0, Infinity]];
        const chapters = chapter ? Math.ceil(Math.max(count, pages) / chapter) : 1;
        const isSound = [this.firsts, this.large].every(({ length }) => length === chapters + 1) && this.contents.boxes.length === chapters;
        if (!isSound) throw new Error("the overview of clusters is damaged");
        if (!chapter) this.only = this.chapterOf(first, 0);
    }

    /** A chapter by its number. */
    async chapter(number) {
        return this.only ?? this.kept.get(number, async () =>
            this.chapterOf(await overviewOf(await this.payload(this.firstChapter + number)), number));
    }

    chapterOf(overview, number) {
        const { contract, wide } = this;
        const division = new Division(overview, contract, { block: number * this.size, leaf: this.firsts[number], wide, large: this.large[number] });
        if (!contract.blocks.chapter) {
            return { ...overview, division, number, named: new Map(division.large.map((row) => [clusterIdOf(row, contract), row.begin])) };
        }
        if (division.firsts.at(-1) !== this.firsts[number + 1]) throw new Error("the overview of clusters is damaged");
        return { ...overview, division, number };
    }

    /** The division that has a block. */
    async divisionWith(block) { return (await this.chapter(Math.floor(block / this.size))).division; }

    async place(block) { return (await this.divisionWith(block)).place(block); }

    async blockOf(leaf) { return (await this.chapter(segmentOf(leaf, this.firsts))).division.blockOf(leaf); }

    /** A large cluster by its id; undefined if there is none. */
    async largeWith(id) {
        const block = (await this.chapterWith(id)).named.get(id);
        if (block === undefined) return undefined;
        const own = (await this.divisionWith(block)).large;
        return [...this.wide, ...own].find((row) => row.begin === block && clusterIdOf(row, this.contract) === id);
    }

    /** The chapter that may have an id. */
    async chapterWith(id) { return this.chapter(Math.max(this.contents.pages.findLastIndex((first) => first <= id), 0)); }

    /** The page that may have an id: the number of its payload, and its blocks; undefined if the id is below the first page. */
    async page(id) {
        const { pages, listed, number } = await this.chapterWith(id);
        const at = pages.findLastIndex((first) => first <= id);
        return at < 0 ? undefined : { payload: this.firstPage + number * this.size + at, listed: listed[at] };
    }

    /** The contents of a large cluster in leaf order: other large clusters, and the numbers of blocks that are in none of these. */
    async within({ at, begin, behind }) {
        // A chapter may have been read again since, so rows are compared by their number.
        const isChild = (row) => row.parent?.at === at;
        const found = [];
        for (let block = begin; block < behind;) {
            let inner = this.wide.find((row) => row.begin === block && isChild(row)) ?? (await this.place(block)).around;
            while (inner.at !== at && !isChild(inner)) inner = inner.parent;
            found.push(inner.at === at ? block : inner);
            block = inner.at === at ? block + 1 : inner.behind;
        }
        return found;
    }

    /** The boxes of a large cluster's blocks; if it is in several chapters, the narrowest box around them. */
    async boxes(large) {
        return large.box ? [large.box] : this.blockBoxes(large);
    }

    /** The boxes of all blocks of a large cluster. */
    async blockBoxes({ begin, behind }) {
        const found = [];
        while (begin + found.length < behind) {
            const division = await this.divisionWith(begin + found.length);
            found.push(...division.boxes.slice(begin + found.length - division.begin, behind - division.begin));
        }
        return found;
    }

    /** The blocks whose box is near enough to a place, nearest first. */
    async near(place, reach) {
        const distance = (edges) => distanceTo(edges.map((edge) => edge / gridSteps), place);
        const numbers = [...this.contents.boxes.keys()].filter((number) => distance(this.contents.boxes[number]) <= reach);
        const chapters = await Promise.all(numbers.map((number) => this.chapter(number)));
        return chapters.flatMap(({ division: { boxes, begin } }) => boxes.map((edges, at) => ({ number: begin + at, distance: distance(edges) })))
            .filter((near) => near.distance <= reach).sort((a, b) => a.distance - b.distance || a.number - b.number);
    }
}
