// The list of tiles of a folder, so that no tile is requested that does not exist.

/** How many of a byte's lowest four bits are set. */
const bitCounts = Array.from({ length: 16 }, (_, bits) => (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3));

/**
 * A byte for each tile above the deepest zoom that exists or has a tile below it, zoom by zoom: bits 0 to 3
 * for its quarters with any tile, bit 4 for itself.
 */
export class TileTree {
    constructor(bytes) {
        this.bytes = bytes;
        this.firstBelow = new Uint32Array(bytes.length);
        let next = 1;
        bytes.forEach((byte, at) => {
            this.firstBelow[at] = next;
            next += bitCounts[byte & 15];
        });
    }

    has(z, x, y) {
        let at = 0;
        for (let shift = z - 1; shift >= 0; shift--) {
            const quarter = (y >> shift & 1) * 2 + (x >> shift & 1);
            const byte = this.bytes[at];
            if (!(byte >> quarter & 1)) return false;
            at = this.firstBelow[at] + bitCounts[byte & ((1 << quarter) - 1)];
        }
        // The bytes of the zoom above have the tiles of the deepest zoom.
        return at >= this.bytes.length || (this.bytes[at] & 16) !== 0;
    }
}
