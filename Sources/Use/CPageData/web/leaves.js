// The points of a cluster: pages, a search, downloads; the map marks the point under the pointer.
import { button, count, make } from "./dom.js";
import { tileLayerOf } from "./layers.js";
import { facts } from "./panel.js";

const pageSize = 10;
/** The number of points in a request, if all are needed. */
const chunk = 1000;
const mostFound = 20;

/** A name for a feature: a text attribute that is likely a name. */
export function nameOf({ properties }) {
    const isText = (value) => typeof value === "string" && value !== "";
    const key = Object.keys(properties).find((one) => /^(name|title|label)/i.test(one) && isText(properties[one]));
    return key && properties[key];
}

function titleOf(leaf, index) {
    const text = nameOf(leaf) ?? Object.values(leaf.properties).find((one) => typeof one === "string" && one);
    return text ?? `Point ${leaf.id ?? index + 1}`;
}

/** A table of features, as spreadsheets read it (RFC 4180). */
export function csv(features) {
    const names = [...new Set(features.flatMap(({ properties }) => Object.keys(properties)))];
    const cell = (value) => {
        const text = value === undefined || value === null ? "" : String(value);
        return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const rows = features.map(({ id, geometry: { coordinates: [longitude, latitude] }, properties }) =>
        [id, longitude, latitude, ...names.map((name) => (Object.hasOwn(properties, name) ? properties[name] : ""))]);
    return [["id", "longitude", "latitude", ...names], ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

function save(name, type, text) {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The points of a cluster, or of the whole archive if `cluster` is null: these are only searched. */
export class LeafList {
    constructor(view, cluster, fail) {
        Object.assign(this, { view, cluster, fail });
        this.section = make("section", "", "points");
        this.list = make("ul", "", "leaves");
        this.nav = make("nav", "", "pages");
        this.nav.setAttribute("aria-label", "Pages of points");
        this.back = button("‹", () => this.show(Math.max(this.offset - pageSize, 0)), { label: "Previous points" });
        this.shown = make("span");
        this.shown.setAttribute("role", "status");
        this.next = button("›", () => this.show(this.offset + pageSize), { label: "Next points" });
        this.nav.append(this.back, this.shown, this.next);
        this.status = make("p", "", "status");
        this.status.setAttribute("role", "status");
        const search = make("input");
        search.type = "search";
        search.placeholder = cluster ? "Search the points" : "A name, or another attribute";
        search.setAttribute("aria-label", cluster ? "Search the points of this cluster" : "Search all points");
        this.input = search;
        search.oninput = () => {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.search(search.value.trim()), 250);
        };
        const load = make("div", "", "actions");
        load.append(button("CSV", () => this.download("csv"), { label: "Download all points as CSV" }),
            button("GeoJSON", () => this.download("geojson"), { label: "Download all points as GeoJSON" }));
        if (!cluster) return void this.section.append(search, this.status, this.list);
        this.section.append(make("h3", "Points"), search, this.list, this.nav, load, this.status);
    }

    async show(offset) {
        this.run = {};
        const run = this.run;
        if (!this.cluster) return void this.list.replaceChildren();
        const found = await this.page(offset).catch(this.fail);
        if (!found || run !== this.run) return;
        this.list.replaceChildren(...found.features.map((leaf, at) => this.row(leaf, offset + at)));
        this.tellPage(offset, found);
    }

    /** A page of points, of the chosen ones if there is a filter. */
    async page(offset) {
        if (!this.view.filters.matches) return this.view.answers.leaves(this.cluster, pageSize, offset);
        if (this.chosenBy !== this.view.filters.matches) {
            this.chosenBy = this.view.filters.matches;
            this.chosen = [];
            if (!await this.walk(this.run, (features) => void this.chosen.push(...features))) return null;
        }
        const features = this.chosen.slice(offset, offset + pageSize);
        return { features, numberMatched: this.chosen.length, numberReturned: features.length };
    }

    row(leaf, index) {
        const item = make("li");
        const details = make("details");
        const summary = make("summary", titleOf(leaf, index));
        const go = button("Show on the map", () => this.goTo(leaf));
        details.append(summary, go, facts(leaf.properties));
        const mark = (feature) => () => this.view.showMark(feature);
        item.onmouseenter = mark(leaf);
        item.onmouseleave = mark(null);
        summary.onfocus = mark(leaf);
        summary.onblur = mark(null);
        item.append(details);
        return item;
    }

    /** Moves the map to the zoom at which a point is drawn alone. */
    async goTo(leaf) {
        const from = this.cluster?.properties.expansion_zoom ?? this.view.described.minzoom;
        const zoom = await this.view.zoomAlone(leaf.geometry.coordinates, from).catch(this.fail);
        if (zoom === undefined) return;
        // The list stays even if the cluster splits.
        this.view.panel.isPinned = true;
        this.view.showHull(null);
        this.view.fly(leaf.geometry.coordinates, zoom);
        this.view.showRing(leaf);
        this.view.showMark(leaf);
        await this.view.map.once("idle");
        // No zoom separates it from other points at its place.
        this.view.tellFan(this.view.fanOutPoints(this.view.featuresAt(this.view.project(leaf.geometry.coordinates))));
    }

    tellPage(offset, { numberMatched, numberReturned }) {
        const end = offset + numberReturned;
        this.offset = offset;
        this.nav.hidden = false;
        this.shown.textContent = numberMatched === 0 ? "No points" : `${count(offset + 1)}–${count(end)} of ${count(numberMatched)}`;
        const focused = document.activeElement;
        this.back.disabled = offset === 0;
        this.next.disabled = end >= numberMatched;
        // At the first or last page the other button gets the focus.
        if (focused === this.back && focused.disabled) this.next.focus();
        if (focused === this.next && focused.disabled) this.back.focus();
    }

    /** Calls `take` with all points, page by page, until it returns that it has enough. */
    async walk(run, take) {
        if (!this.cluster) return this.walkAll(run, take);
        for (let offset = 0; ;) {
            const { features, numberMatched } = await this.view.answers.leaves(this.cluster, chunk, offset);
            if (run !== this.run) return false;
            offset += features.length;
            const isEnough = take(this.left(features));
            if (isEnough || features.length === 0 || offset >= numberMatched) return true;
            this.status.textContent = `${count(offset)} of ${count(numberMatched)} points read`;
        }
    }

    /** The points that the filter chooses. */
    left(features) {
        const { matches } = this.view.filters;
        return matches ? features.filter((leaf) => matches.get(tileLayerOf(leaf))?.(leaf.properties) ?? true) : features;
    }

    /** The same with all points of the archive. */
    async walkAll(run, take) {
        const total = this.view.archive.points;
        for (let next = 0, looked = 0; next !== undefined;) {
            const found = await this.view.answers.points(chunk, next);
            if (run !== this.run) return false;
            looked += found.features.length;
            next = found.next;
            if (take(this.left(found.features))) return true;
            this.status.textContent = `${count(looked)}${total === undefined ? "" : ` of ${count(total)}`} points read`;
        }
        return true;
    }

    async search(text) {
        if (!text) {
            this.status.textContent = "";
            return this.show(0);
        }
        this.run = {};
        const wanted = text.toLocaleLowerCase();
        const found = [];
        const holds = ({ properties }) => Object.values(properties).some((value) => String(value).toLocaleLowerCase().includes(wanted));
        const isDone = await this.walk(this.run, (features) => {
            found.push(...features.filter(holds).slice(0, mostFound - found.length));
            this.list.replaceChildren(...found.map((leaf, at) => this.row(leaf, at)));
            return found.length >= mostFound;
        }).catch(this.fail);
        if (!isDone) return;
        this.nav.hidden = true;
        this.status.textContent = found.length >= mostFound ? `The first ${mostFound} points with “${text}”`
            : `${found.length} ${found.length === 1 ? "point has" : "points have"} “${text}”`;
    }

    async download(kind) {
        this.run = {};
        const all = [];
        const isDone = await this.walk(this.run, (features) => void all.push(...features)).catch(this.fail);
        if (!isDone) return;
        const name = `cluster-${this.cluster.properties.cluster_id}.${kind}`;
        if (kind === "csv") save(name, "text/csv", csv(all));
        else save(name, "application/geo+json", JSON.stringify({ type: "FeatureCollection", features: all }));
        this.status.textContent = `${count(all.length)} points saved as ${name}`;
    }
}
