// Checks the arguments of questions, in the same way for all kinds of archives.

/** An argument as a number, also if it is a text with a number. */
function numberOf(name, value) {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && !Number.isNaN(number)) return number;
    throw new TypeError(`${name} must be a number, not ${String(value)}`);
}

function between(name, value, least, most) {
    const number = numberOf(name, value);
    if (number >= least && number <= most) return number;
    throw new RangeError(`${name} must be from ${least} to ${most}, not ${value}`);
}

/** An argument as a whole number. */
export function whole(name, value, least = 0, most = Number.MAX_SAFE_INTEGER) {
    const number = between(name, value, least, most);
    if (Number.isInteger(number)) return number;
    throw new RangeError(`${name} must be a whole number, not ${value}`);
}

/** The most entries of a list; `Infinity` is all of them. */
export function limitOf(value) {
    return whole("limit", Math.min(numberOf("limit", value), Number.MAX_SAFE_INTEGER), 1);
}

/** The id of a cluster, given as a feature, properties or a number. */
export function clusterId(cluster) {
    return whole("the id of cluster", cluster?.properties?.cluster_id ?? cluster?.cluster_id ?? cluster?.id ?? cluster);
}

/** Longitude and latitude; the longitude is wrapped. */
export function positionOf(longitude, latitude) {
    const turned = between("longitude", longitude, -Number.MAX_VALUE, Number.MAX_VALUE) % 360;
    return [turned - 360 * Math.round(turned / 360), between("latitude", latitude, -90, 90)];
}

/** The deepest zoom of any archive. */
const deepestZoom = 31;

/** The zoom of the tiles that a map shows at its own zoom, which may have a fraction, and be below 0. */
export function zoomOf(value) { return whole("zoom", Math.max(Math.floor(numberOf("zoom", value)), 0), 0, deepestZoom); }

/** A tile's zoom, column and row; null if the zoom has no such tile. */
export function tileOf(z, x, y) {
    const tile = [whole("z", z, 0, deepestZoom), whole("x", x), whole("y", y)];
    return Math.max(tile[1], tile[2]) < 2 ** tile[0] ? tile : null;
}
