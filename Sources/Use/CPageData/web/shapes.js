// Positions of the unit square of Web Mercator, hulls and boxes, by the same rules as the program's.

/** The steps per world of the grid of positions in the index and the leaf blocks. */
export const gridSteps = 2 ** 30;

/** Rounds to 10^-7 degrees, a centimetre. */
const rounded = (degrees) => Math.round(degrees * 1e7) / 1e7 || 0;

/** Longitude and latitude of a position; longitude is not wrapped. */
export function lonLat([x, y]) {
    return [rounded((x - 0.5) * 360), rounded(Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180 / Math.PI)];
}

/** The same position with x within 0 ..< 1. */
export function wrapped([x, y]) {
    const fraction = x - Math.floor(x);
    return [fraction < 1 ? fraction : 0, y];
}

/** The tile of a position at a zoom. */
export function tileHolding([x, y], z) {
    const side = 2 ** z;
    const within = (part) => Math.min(Math.max(Math.floor(part * side), 0), side - 1);
    return [z, within(x), within(y)];
}

const cross = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** The corners of the smallest convex shape around positions, by Andrew's monotone chain. */
export function hullOf(positions) {
    const sorted = positions.toSorted?.((a, b) => a[0] - b[0] || a[1] - b[1])
        ?? [...positions].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const isSame = (a, b) => a[0] === b[0] && a[1] === b[1];
    if (sorted.length < 2 || isSame(sorted[0], sorted.at(-1))) return sorted.slice(0, 1);
    const chain = [];
    const extend = (points, kept) => {
        for (const point of points) {
            while (chain.length >= kept + 2 && cross(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
            if (chain.length === kept || !isSame(chain.at(-1), point)) chain.push(point);
        }
    };
    extend(sorted, 0);
    chain.pop();
    extend(sorted.reverse(), chain.length);
    chain.pop();
    return chain;
}

/** The geometry of a hull's corners. */
export function hullGeometry(corners) {
    const places = corners.map(lonLat);
    if (places.length === 1) return { type: "Point", coordinates: places[0] };
    if (places.length === 2) return { type: "LineString", coordinates: places };
    // Outer rings run counterclockwise and end where they began (RFC 7946, 3.1.6).
    return { type: "Polygon", coordinates: [[...places.reverse(), places[0]]] };
}

/** The positions around a meridian, each in the copy of the world that is nearest to it. */
export function laidOut(positions, x) {
    // Halves are rounded away from zero, as in the program.
    const round = (number) => Math.sign(number) * Math.round(Math.abs(number));
    return positions.map(([px, py]) => [px - round(px - x), py]);
}

/** The box around boxes of [minX, minY, maxX, maxY]; on a world that wraps, the narrowest one. */
export function boxAround(boxes, wraps = true) {
    const sorted = [...boxes].sort((a, b) => a[0] - b[0]);
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const box of sorted) {
        minX = Math.min(minX, box[0]);
        minY = Math.min(minY, box[1]);
        maxX = Math.max(maxX, box[2]);
        maxY = Math.max(maxY, box[3]);
    }
    if (!wraps) return [minX, minY, maxX, maxY];
    let widest = minX + 1 - maxX;
    // A box over the antimeridian also covers the boxes west of the first.
    let reached = Math.max(sorted[0][2], maxX - 1);
    for (const box of sorted.slice(1)) {
        if (box[0] - reached > widest) {
            widest = box[0] - reached;
            minX = box[0];
            maxX = reached + 1;
        }
        reached = Math.max(reached, box[2]);
    }
    return [minX, minY, maxX, maxY];
}

/** A box in degrees, longitudes within −180 … 180. */
export function degreesOf([minX, minY, maxX, maxY]) {
    const [west, north] = lonLat([minX, minY]);
    const [east, south] = lonLat([maxX, maxY]);
    if (maxX - minX >= 1) return [-180, south, 180, north];
    const within = (longitude) => rounded(longitude > 180 ? longitude - 360 : longitude);
    return [within(west), south, within(east), north];
}
