// Answers asked of `covey serve`.
import { gunzip, Kept, refusal } from "./bytes.js";

async function ask(url, signal) {
    const response = await fetch(url, { signal });
    const type = response.headers.get("Content-Type") ?? "";
    const body = type.includes("json") ? await response.json() : null;
    if (response.ok) return body;
    throw refusal(response.status, body?.error ?? response.statusText);
}

/** An archive behind `covey serve`; `url` is the address of its TileJSON. */
export class Served {
    constructor(url, signal) {
        this.url = url.replace(/\/+$/, "").replace(/\.json$/, "");
        this.signal = signal;
        this.described = new Kept(1);
    }

    about(id, question, query = "") {
        return ask(`${this.url}/clusters/${id}${question}${query}`, this.signal);
    }

    tileJSON() { return this.described.get("tiles.json", () => ask(this.url, this.signal)); }

    async tile(z, x, y, signal = this.signal) {
        const response = await fetch(`${this.url}/${z}/${x}/${y}`, { signal });
        if (response.status === 204 || response.status === 404) return null;
        if (!response.ok) throw refusal(response.status, response.statusText);
        return gunzip(new Uint8Array(await response.arrayBuffer()));
    }

    cluster(id) { return this.about(id, ""); }
    children(id, limit, offset) { return this.about(id, "/children", `?limit=${limit}&offset=${offset}`); }
    leaves(id, limit, offset) { return this.about(id, "/leaves", `?limit=${limit}&offset=${offset}`); }
    async expansionZoom(id) { return (await this.about(id, "/expansion-zoom")).expansion_zoom; }
    parent(id) { return this.about(id, "/parent"); }
    hull(id) { return this.about(id, "/hull"); }
    async bbox(id) { return (await this.about(id, "/bbox")).bbox; }

    points(limit, from) {
        return ask(`${this.url}/leaves?bbox=-180,-90,180,90&limit=${limit}&from=${from}`, this.signal);
    }

    containing(longitude, latitude, zoom) {
        return ask(`${this.url}/clusters/containing?lon=${longitude}&lat=${latitude}&zoom=${zoom}`, this.signal);
    }
}
