// The inspector: the layers, the features and the size of the tile under the pointer.
import { element, make } from "./dom.js";

const number = new Intl.NumberFormat("en");

/** Reads the names of a vector tile's layers (MVT 4.1), and counts their features. */
export function layersOf(bytes) {
    let at = 0;
    const varint = () => {
        let result = 0;
        for (let factor = 1; factor < 2 ** 63; factor *= 128) {
            const byte = bytes[at++];
            result += (byte & 127) * factor;
            if (byte < 128) return result;
        }
        throw new Error("the tile is damaged");
    };
    const fields = (end, take) => {
        while (at < end) {
            const tag = varint();
            const kind = tag & 7;
            if (kind === 0) varint();
            else if (kind === 1) at += 8;
            else if (kind === 5) at += 4;
            else if (kind === 2) {
                const stop = varint() + at;
                if (stop > end) throw new Error("the tile is damaged");
                take(tag >> 3, stop);
                at = stop;
            } else throw new Error("the tile is damaged");
        }
    };
    const layers = [];
    fields(bytes.length, (field, end) => {
        if (field !== 3) return;
        const layer = { name: "", features: 0 };
        fields(end, (inner, stop) => {
            if (inner === 1) layer.name = new TextDecoder().decode(bytes.subarray(at, stop));
            if (inner === 2) layer.features += 1;
        });
        layers.push(layer);
    });
    return layers;
}

export class TileInspector {
    /** `answers` are used on a static host; a server answers itself for a tile that does not exist. */
    constructor(map, url, { minzoom, maxzoom }, answers = null) {
        Object.assign(this, { map, url, minzoom, maxzoom, answers });
        this.current = "";
        this.onMove = (event) => this.look(event.lngLat);
        this.onMoveEnd = () => this.look(map.getCenter());
    }

    enable(isOn) {
        if (isOn === this.isOn) return;
        this.isOn = isOn;
        element("inspector").hidden = !isOn;
        this.map[isOn ? "on" : "off"]("mousemove", this.onMove);
        this.map[isOn ? "on" : "off"]("moveend", this.onMoveEnd);
        this.current = "";
        if (isOn) this.look(this.map.getCenter());
    }

    async look({ lng, lat }) {
        const z = Math.max(this.minzoom, Math.min(this.maxzoom, Math.floor(this.map.getZoom())));
        const at = maplibregl.MercatorCoordinate.fromLngLat({ lng, lat });
        const side = 2 ** z;
        const x = ((Math.floor(at.x * side) % side) + side) % side;
        const y = Math.max(0, Math.min(side - 1, Math.floor(at.y * side)));
        const name = `${z}/${x}/${y}`;
        if (name === this.current) return;
        this.current = name;
        const rows = await this.read(z, x, y).catch((error) => [["problem", error.message]]);
        if (this.current !== name || !this.isOn) return;
        const list = make("dl", "", "facts");
        for (const [key, text] of rows) list.append(make("dt", key), make("dd", text));
        element("inspector").replaceChildren(make("h2", `Tile ${name}`), list);
    }

    async read(z, x, y) {
        const rowsOf = (bytes) => [
            ...layersOf(bytes).map((layer) => [layer.name, `${number.format(layer.features)} features`]),
            ["unpacked", `${number.format(bytes.length)} bytes`],
        ];
        if (this.answers) {
            const bytes = await this.answers.tile(z, x, y);
            return bytes ? rowsOf(bytes) : [["empty", ""]];
        }
        const url = this.url.replace("{z}", z).replace("{x}", x).replace("{y}", y);
        const response = await fetch(url);
        if (response.status === 204 || response.status === 404) return [["empty", ""]];
        if (!response.ok) throw new Error((await response.json()).error);
        const bytes = new Uint8Array(await response.arrayBuffer());
        const sent = Number(response.headers.get("Content-Length")) || bytes.length;
        return [...rowsOf(bytes), ["stored", `${number.format(sent)} bytes`]];
    }
}
