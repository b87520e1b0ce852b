// Answers of `covey serve`.
import { withQuery } from "./address.js";
import { gunzip, isPage, refusal } from "./bytes.js";

/** An archive at `covey serve`; `address` is that of its TileJSON. */
export class Served {
    constructor({ path, query }, signal) {
        this.described = withQuery(path.replace(/\/+$/, ""), query);
        this.path = path.replace(/\/+$/, "").replace(/\.json$/, "");
        this.query = query;
        this.signal = signal;
    }

    at(path) { return withQuery(this.path + path, this.query); }

    /** The error for an answer that is not from `covey serve`. */
    foreign(url, { ok, status, statusText }) {
        const hint = ok || status === 404 ? `; no covey serve answers so; the address of a folder ends with a slash: ${this.path}/` : "";
        return refusal(status, `${url}: ${status} ${statusText}${hint}`);
    }

    async ask(url) {
        const response = await fetch(url, { signal: this.signal });
        const text = await response.text();
        let body;
        try {
            body = JSON.parse(text);
        } catch {
            throw this.foreign(url, response);
        }
        if (response.ok) return body;
        throw refusal(response.status, body?.error ?? response.statusText);
    }

    about(id, question, query = "") { return this.ask(this.at(`/clusters/${id}${question}${query}`)); }

    tileJSON() { return this.ask(this.described); }

    async tile(z, x, y, signal = this.signal) {
        const url = this.at(`/${z}/${x}/${y}`);
        const response = await fetch(url, { signal });
        if (isPage(response)) throw this.foreign(url, response);
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

    points(limit, from) { return this.ask(this.at(`/leaves?bbox=-180,-90,180,90&limit=${limit}&from=${from}`)); }

    containing(longitude, latitude, zoom) {
        return this.ask(this.at(`/clusters/containing?lon=${longitude}&lat=${latitude}&zoom=${zoom}`));
    }
}
