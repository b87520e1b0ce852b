// The side panel: the selected feature, its numbers, its points page by page, its hull.
import { button, count, element, make, shown } from "./dom.js";
import { plumbing, tileLayerOf } from "./layers.js";
import { LeafList, nameOf } from "./leaves.js";

/** Properties of clusters that the panel shows in another form. */
const untold = new Set(plumbing);
untold.delete("unique_location");

export function facts(properties, leaveOut = new Set()) {
    const list = make("dl", "", "facts");
    for (const [name, thing] of Object.entries(properties)) {
        if (leaveOut.has(name) || name.startsWith("#")) continue;
        const term = make("dt", name.replaceAll("_", " "));
        term.title = name;
        list.append(term, make("dd", shown(thing)));
    }
    return list;
}

/** The most features of a place that are listed. */
const mostListed = 50;

/** The histograms among the attributes, by NAME: counts with the names `NAME:VALUE`. */
function histograms(properties) {
    const found = new Map();
    for (const [key, value] of Object.entries(properties)) {
        const colon = key.indexOf(":");
        if (colon < 1 || key.startsWith("#") || typeof value !== "number") continue;
        const name = key.slice(0, colon);
        found.set(name, [...(found.get(name) ?? []), [key.slice(colon + 1) || "(none)", value, key]]);
    }
    return found;
}

/** Decades and classes of size keep their order; other values are sorted by their counts. */
function inOrder(rows) {
    const isScale = rows.every(([text]) => /^[<>≤≥]?\s*-?\d/.test(text));
    return isScale ? rows.sort((a, b) => parseFloat(a[0].replace(/^[<>≤≥]\s*/, "")) - parseFloat(b[0].replace(/^[<>≤≥]\s*/, "")))
        : rows.sort((a, b) => b[1] - a[1]);
}

function bars(name, rows) {
    const figure = make("figure", "", "bars");
    figure.append(make("figcaption", name.replaceAll("_", " ")));
    const most = Math.max(...rows.map(([, number]) => number), 1);
    const list = make("ul");
    for (const [text, number] of inOrder(rows)) {
        const item = make("li");
        const bar = make("i");
        bar.style.width = `${(100 * number) / most}%`;
        const track = make("span", "", "track");
        track.append(bar);
        track.setAttribute("aria-hidden", "true");
        item.append(make("span", text), track, make("b", count(number)));
        list.append(item);
    }
    figure.append(list);
    return figure;
}

/** Bins are the only areas with a count. */
export const isBinOf = ({ geometry, properties }) => /Polygon$/.test(geometry.type) && properties.point_count > 0;

export class Panel {
    constructor(view) {
        this.view = view;
        element("panel-close").onclick = () => this.close();
        // On phones the panel is a sheet at the bottom; the map's controls are above it.
        this.watch = new ResizeObserver(() => {
            const height = element("panel").hidden ? 0 : element("panel").offsetHeight + 8;
            element("view").style.setProperty("--covered", `${height}px`);
        });
        this.watch.observe(element("panel"));
    }

    /** Shows a feature; `others` are all features under the pointer, with itself. */
    async show(feature, others = [], { keepsFocus = false } = {}) {
        this.feature = feature;
        this.isPinned = false;
        const { view } = this;
        const { properties } = feature;
        const isBin = isBinOf(feature);
        const isCluster = !isBin && properties.point_count > 1;
        const isGroup = isBin || isCluster;
        const name = isBin ? undefined : nameOf(feature);
        const chosen = isGroup ? this.view.filters.countIn(feature) : null;
        const points = !isGroup ? "" : chosen === null ? `${count(properties.point_count)} ${properties.point_count === 1 ? "point" : "points"}`
            : `${count(chosen)} of ${count(properties.point_count)} points`;
        element("panel-title").textContent = isGroup ? name ?? points : name ?? `Point ${feature.id ?? ""}`.trim();
        element("panel-lead").textContent = isGroup && name ? points : this.layerName(feature);
        const body = element("panel-body");
        body.replaceChildren(...this.choices(feature, others));
        element("panel").hidden = false;
        if (!keepsFocus) element("panel-title").focus({ preventScroll: true });
        view.showRing(feature);
        view.showMark(null);
        view.showHull(isBin ? { type: "Feature", geometry: feature.geometry, properties: {} } : null);
        const canAsk = isCluster && properties.cluster_id !== undefined && view.archive.clusters;
        if (isCluster) body.append(this.actions(feature, canAsk));
        const columns = histograms(properties);
        const drawnAsBars = new Set([...columns.values()].flat().map(([, , key]) => key));
        const known = facts(properties, new Set([...(isGroup ? untold : []), ...drawnAsBars]));
        if (known.children.length > 0) body.append(known);
        for (const [title, rows] of columns) body.append(bars(title, rows));
        if (isGroup) for (const [title, rows] of this.view.filters.columns(feature)) body.append(bars(title, rows));
        if (!canAsk) return;
        const list = new LeafList(view, feature, (error) => this.fail(error));
        body.append(list.section);
        await Promise.all([list.show(0), this.showHull(feature)]);
    }

    layerName(feature) {
        return this.view.legend.names.length > 1 ? tileLayerOf(feature) ?? "" : "";
    }

    /** The other features under the pointer, to choose from. */
    choices(feature, others) {
        if (others.length < 2) return [];
        const list = make("ul", "", "here");
        for (const one of others.slice(0, mostListed)) {
            const item = make("li");
            const text = nameOf(one) ?? (one.properties.point_count > 1
                ? `${count(one.properties.point_count)} points` : `Point ${one.id ?? ""}`.trim());
            const made = button(text, () => this.show(one, others));
            made.setAttribute("aria-pressed", String(one === feature));
            item.append(made);
            list.append(item);
        }
        const clusters = others.filter((one) => one.properties.point_count > 1).length;
        const noun = clusters === 0 ? "points" : clusters === others.length ? "clusters" : "markers";
        const first = others.length > mostListed ? `The first ${mostListed} of ` : "";
        return [make("h3", `${first}${count(others.length)} ${noun} here`), list];
    }

    actions(feature, canAsk) {
        const row = make("div", "", "actions");
        const isApart = !(feature.properties.expansion_zoom > this.view.described.maxzoom);
        if (this.view.canExpand(feature)) row.append(button(isApart ? "Zoom to split" : "Fan out", () => this.view.expand(feature), { className: "primary" }));
        if (canAsk) row.append(button("Parent", () => this.showParent(feature)));
        return row;
    }

    async showParent(feature) {
        const parent = await this.view.answers.parent(feature).catch((error) => this.fail(error));
        if (this.feature !== feature || parent === undefined) return;
        if (parent === null) return void (element("panel-lead").textContent = "This cluster has no parent.");
        const shown = this.show(parent);
        // It is drawn when the map is loaded.
        this.isPinned = true;
        await shown;
        this.view.map.once("moveend", () => { this.isPinned = false; });
        this.view.fly(parent.geometry.coordinates, parent.properties.expansion_zoom - 1);
    }

    async showHull(feature) {
        const hull = await this.view.answers.hull(feature).catch((error) => this.fail(error));
        if (hull && this.feature === feature) this.view.showHull(hull);
    }

    fail(error) {
        if (error.name === "AbortError") return;
        element("panel-body").querySelector(".error")?.remove();
        element("panel-body").append(make("p", error.message, "error"));
    }

    /** Searches for points in the whole archive. */
    showSearch() {
        this.close();
        element("panel-title").textContent = "Search";
        const points = this.view.archive.points;
        element("panel-lead").textContent = points === undefined ? "All points" : `All ${count(points)} points`;
        const list = new LeafList(this.view, null, (error) => this.fail(error));
        element("panel-body").replaceChildren(list.section);
        element("panel").hidden = false;
        list.input.focus();
    }

    close() {
        this.feature = null;
        this.isPinned = false;
        const hadFocus = element("panel").contains(document.activeElement);
        element("panel").hidden = true;
        if (hadFocus) this.view.map.getCanvas().focus();
        for (const show of ["showHull", "showRing", "showMark"]) this.view.map?.getSource("covey-hull") && this.view[show](null);
    }
}
