// Reads vector tiles (MVT 2.1), for answers about clusters and for the page.
import { Cursor } from "./bytes.js";

/** Calls `take(field, kind, value)` for each field of a protobuf message. */
function fields(cursor, take) {
    while (!cursor.isAtEnd) {
        const tag = cursor.varint();
        const kind = tag & 7;
        if (kind === 0) take(tag >>> 3, cursor);
        else if (kind === 1) take(tag >>> 3, cursor.part(8));
        else if (kind === 5) take(tag >>> 3, cursor.part(4));
        else if (kind === 2) take(tag >>> 3, cursor.part(cursor.varint()));
        else throw new Error("the tile is damaged");
    }
}

/** One value of a layer (MVT 4.4). */
function valueOf(message) {
    let value = null;
    fields(message, (field, part) => {
        if (field === 1) value = part.text();
        else if (field === 2) value = part.view.getFloat32(0, true);
        else if (field === 3) value = part.view.getFloat64(0, true);
        else if (field === 4) value = Number(BigInt.asIntN(64, part.bigVarint()));
        else if (field === 5) value = Number(part.bigVarint());
        else if (field === 6) value = part.signed();
        else if (field === 7) value = part.varint() !== 0;
        else if (part === message) part.varint();
    });
    return value;
}

/** A layer whose features are decoded one at a time. */
class Layer {
    constructor(message) {
        this.name = "";
        this.extent = 4096;
        this.keys = [];
        this.values = [];
        this.features = [];
        fields(message, (field, part) => {
            if (field === 1) this.name = part.text();
            else if (field === 2) this.features.push(part);
            else if (field === 3) this.keys.push(part.text());
            else if (field === 4) this.values.push(part);
            else if (field === 5) this.extent = Math.max(part.varint(), 1);
            else if (part === message) part.varint();
        });
    }

    /** The id of a feature, without decoding the rest. */
    id(index) {
        const { bytes, at, end } = this.features[index];
        const message = new Cursor(bytes, at, end);
        let id;
        fields(message, (field, part) => {
            if (part !== message) return;
            const number = part.varint();
            if (field === 1) id = number;
        });
        return id;
    }

    /** Feature number `index`: id, kind of geometry, paths of [x, y] in tile units, properties. */
    feature(index) {
        const { bytes, at, end } = this.features[index];
        const message = new Cursor(bytes, at, end);
        const feature = { id: undefined, type: 0, paths: [], properties: {} };
        fields(message, (field, part) => {
            if (field === 1) feature.id = part.varint();
            else if (field === 2) this.tags(part, feature.properties);
            else if (field === 3) feature.type = part.varint();
            else if (field === 4) feature.paths = pathsOf(part);
            else if (part === message) part.varint();
        });
        return feature;
    }

    tags(part, properties) {
        while (!part.isAtEnd) {
            const key = this.keys[part.varint()];
            const index = part.varint();
            let value = this.values[index];
            if (key === undefined || value === undefined) throw new Error("the tile is damaged");
            if (value instanceof Cursor) value = this.values[index] = valueOf(value);
            properties[key] = value;
        }
    }
}

/** The paths of a geometry (MVT 4.3); a ring is not closed. */
function pathsOf(part) {
    const paths = [];
    let x = 0, y = 0;
    while (!part.isAtEnd) {
        const command = part.varint();
        const kind = command & 7;
        if (kind === 7) continue;
        for (let count = command >>> 3; count > 0; count--) {
            x += part.signed();
            y += part.signed();
            if (kind === 1) paths.push([]);
            if (paths.length === 0) throw new Error("the tile is damaged");
            paths.at(-1).push([x, y]);
        }
    }
    return paths;
}

/** The layers of an inflated tile. */
export function layersOf(bytes) {
    const layers = [];
    const message = new Cursor(bytes);
    fields(message, (field, part) => {
        if (field === 3) layers.push(new Layer(part));
        else if (part === message) part.varint();
    });
    return layers;
}
