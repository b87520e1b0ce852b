// Which tiles a folder has, so that none is asked for that is not there.

/** How many of a byte's lowest four bits are set. */
const bitCounts = Array.from({ length: 16 }, (_, bits) => (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3));

/**
 * A byte for each tile above the deepest zoom that is there or has one below it, zoom by zoom: bits 0 to 3
 * for its quarters that hold any tile, bit 4 for itself.
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
        // Those of the deepest zoom are named by the zoom above.
        return at >= this.bytes.length || (this.bytes[at] & 16) !== 0;
    }
}
