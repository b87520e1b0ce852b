// PMTiles 3 by HTTP ranges: the header with the root directory, leaf directories, tiles.
import { Cursor, Kept, RangedFile, gunzip, isGzip } from "./bytes.js";

/** The header and the root directory are in the first bytes of this number (spec 3.6, 4). */
const firstBytes = 16384;
const headerBytes = 127;
/** A directory with more bytes is damaged: leaf directories of the largest archives are smaller. */
const largestDirectory = 32 * 1024 * 1024;

/** The number of a tile on the Hilbert curve through all zooms (spec 3.6, 3.1). */
export function tileId(z, x, y) {
    let id = (4 ** z - 1) / 3;
    for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
        const right = Math.floor(x / side) % 2;
        const low = Math.floor(y / side) % 2;
        id += side * side * ((3 * right) ^ low);
        if (low === 0) {
            if (right === 1) {
                x = side - 1 - (x % side);
                y = side - 1 - (y % side);
            } else {
                x %= side;
                y %= side;
            }
            [x, y] = [y, x];
        }
    }
    return id;
}

function headerOf(bytes, url) {
    const isOurs = new TextDecoder().decode(bytes.subarray(0, 7)) === "PMTiles" && bytes[7] === 3;
    if (bytes.length < headerBytes || !isOurs) throw new Error(`${url} is no PMTiles 3 file`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
    const large = (at) => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    const degrees = (at) => view.getInt32(at, true) / 1e7;
    return {
        root: { offset: large(8), length: large(16) },
        metadata: { offset: large(24), length: large(32) },
        leaves: { offset: large(40), length: large(48) },
        tiles: { offset: large(56), length: large(64) },
        internalCompression: bytes[97], tileCompression: bytes[98], tileType: bytes[99],
        minzoom: bytes[100], maxzoom: bytes[101],
        bounds: [degrees(102), degrees(106), degrees(110), degrees(114)],
        center: [degrees(119), degrees(123), bytes[118]],
    };
}

/** A directory as columns (spec 3.6, 4.2). */
function directoryOf(bytes) {
    const cursor = new Cursor(bytes);
    const count = cursor.varint();
    if (count > bytes.length) throw new Error("a directory is damaged");
    const column = () => new Float64Array(count).map(() => cursor.varint());
    const ids = column();
    for (let at = 1; at < count; at++) ids[at] += ids[at - 1];
    const runs = column(), lengths = column(), offsets = column();
    for (let at = 0; at < count; at++) {
        offsets[at] = offsets[at] === 0 && at > 0 ? offsets[at - 1] + lengths[at - 1] : offsets[at] - 1;
    }
    return { ids, runs, lengths, offsets };
}

/** The entry that covers an id, if there is one. */
function find({ ids, runs, lengths, offsets }, id) {
    let low = 0, high = ids.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (ids[middle] <= id) low = middle + 1;
        else high = middle;
    }
    const at = low - 1;
    if (at < 0 || (runs[at] > 0 && id >= ids[at] + runs[at])) return null;
    return { isLeaf: runs[at] === 0, offset: offsets[at], length: lengths[at] };
}

/** Reads a PMTiles file by range requests. */
export class PMTiles {
    constructor(url, isFresh) {
        this.url = url;
        this.file = new RangedFile(url, isFresh);
        this.directories = new Kept(64);
    }

    /** The header, from the first request, which also fetches the root directory. */
    header() {
        this.opened ??= this.open().catch((error) => {
            this.opened = undefined;
            throw error;
        });
        return this.opened.then(({ header }) => header);
    }

    async open() {
        const bytes = await this.file.read(0, firstBytes);
        const header = headerOf(bytes, this.url);
        if (header.internalCompression > 2) throw new Error(`${this.url} has directories that are not gzip`);
        const { offset, length } = header.root;
        const packed = await this.part(bytes, offset, length);
        return { header, bytes, root: directoryOf(await this.unzipped(packed, header.internalCompression)) };
    }

    /** Whether the file is still the one that was opened. */
    async isSame() { return !this.opened || this.file.isStill((await this.opened).bytes); }

    /** Inflates bytes with the compression of the header. */
    unzipped(bytes, compression) {
        if (compression === 2 && !isGzip(bytes)) throw new Error(`${this.url} has bytes that are not gzip where it says that they are`);
        return gunzip(bytes);
    }

    /** A section of the file, which may be in the first bytes. */
    part(first, offset, length) {
        if (length > largestDirectory) throw new Error(`${this.url} has a section of ${length} bytes`);
        return offset + length <= first.length ? first.subarray(offset, offset + length)
            : this.file.read(offset, length);
    }

    /** The bytes of a tile as they are stored, or null. */
    async stored(id, signal) {
        const entry = await this.entry(id);
        if (!entry) return null;
        const { tiles } = await this.header();
        if (entry.length > largestDirectory) throw new Error(`${this.url} has a tile of ${entry.length} bytes`);
        return this.file.gathered(tiles.offset + entry.offset, entry.length, signal);
    }

    /** The same, inflated. */
    async unpacked(id, signal) {
        const bytes = await this.stored(id, signal);
        return bytes && this.unzipped(bytes, (await this.header()).tileCompression);
    }

    async entry(id) {
        const { leaves, internalCompression } = await this.header();
        const { root, bytes } = await this.opened;
        let entry = find(root, id);
        // The format recommends one level of leaf directories; a loop of directories must end.
        for (let depth = 0; entry?.isLeaf; depth++) {
            if (depth === 3) throw new Error(`${this.url} has directories within directories`);
            const { offset, length } = entry;
            const directory = await this.directories.get(offset, async () => directoryOf(await this.unzipped(
                await this.part(bytes, leaves.offset + offset, length), internalCompression)));
            entry = find(directory, id);
        }
        return entry;
    }

    /** The JSON that describes the archive. */
    async metadata() {
        const { metadata: { offset, length }, internalCompression } = await this.header();
        const packed = await this.part((await this.opened).bytes, offset, length);
        return JSON.parse(new TextDecoder().decode(await this.unzipped(packed, internalCompression)));
    }
}
