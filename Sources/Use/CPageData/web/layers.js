// The visible layers, the meanings of colours and sizes, and the attribute that sets them.
import { donutParts } from "../covey.js";
import { count, dot, element, make } from "./dom.js";

/** The properties of clusters that the clustering adds. */
export const plumbing = new Set([
    "cluster", "cluster_id", "point_count", "point_count_abbreviated", "expansion_zoom",
    "sqrt_point_count", "point_weight", "bbox", "unique_location", "parent", "parent_dx", "parent_dy",
]);
const steps = ["#2b7a78", "#2f6396", "#4a4a9c", "#7a2f7d"];
const categories = ["#2f6396", "#a3541a", "#2b7a4b", "#8f2d56", "#5b4a9c", "#6b5d12", "#1f6f78", "#7a3b2e"];
const other = "#5f6b76";
const dots = { cluster: "#7a2f7d", point: "#0f766e" };

/** The layer of the archive that a feature of a map or an answer belongs to, also for features of bins, heat and legs. */
export const tileLayerOf = ({ sourceLayer, layer }) => layer?.metadata?.["covey:layer"] ?? sourceLayer ?? (typeof layer === "string" ? layer : layer?.["source-layer"]);

/** The layer of the archive that a layer of the style draws, also its bins, heat and legs. */
export const nameOf = ({ metadata, "source-layer": name }) => metadata?.["covey:layer"] ?? name;

/** The branch of a `step` over the zoom that applies at a zoom. */
function atZoom(expression, zoom) {
    if (expression?.[0] !== "step" || expression[1]?.[0] !== "zoom") return expression;
    let branch = expression[2];
    for (let at = 3; at < expression.length; at += 2) if (zoom >= expression[at]) branch = expression[at + 1];
    return branch;
}

/** The value of a `step` over a number. */
function stepValue(expression, number) {
    if (expression?.[0] !== "step") return expression;
    let value = expression[2];
    for (let at = 3; at < expression.length; at += 2) if (number >= expression[at]) value = expression[at + 1];
    return value;
}

export class Layers {
    constructor(view) {
        this.view = view;
        this.hidden = new Set();
        this.by = "";
        this.draw = "clusters";
        this.attributes = new Map();
        this.styles = new Map(view.dataLayers.map(({ id, paint }) => [id, { ...paint }]));
        this.showList();
        if (this.hasClusters) this.paintDots();
        const choice = element("by-attribute");
        choice.onchange = () => this.choose(choice.value);
        this.offer();
        element("layers").open = element("view").clientWidth > 640;
    }

    /** The names of the archive's layers. */
    get names() {
        return [...new Set(this.view.dataLayers.map(nameOf).filter(Boolean))];
    }

    get hasClusters() { return this.view.layers("clusters").length > 0; }

    showList() {
        const list = make("ul");
        const names = this.names;
        for (const name of names.length > 1 ? names : []) {
            const item = make("li");
            const label = make("label");
            const box = make("input");
            box.type = "checkbox";
            box.checked = true;
            box.onchange = () => {
                this.hidden[box.checked ? "delete" : "add"](name);
                this.view.applySwitches();
            };
            label.append(box, dot(this.color(name)), make("span", name));
            item.dataset.layer = name;
            item.append(label);
            list.append(item);
        }
        element("layer-list").replaceChildren(...(names.length > 1 ? [list] : []));
    }

    layer(name, role) {
        return this.view.dataLayers.find((layer) => layer["source-layer"] === name && layer.metadata?.["covey:role"] === role);
    }

    /** The layer of the style that draws a layer, or its bins, heat or legs, in a role. */
    drawnAs(name, role) {
        return this.view.dataLayers.find((layer) => nameOf(layer) === name && layer.metadata?.["covey:role"] === role);
    }

    /** The layer of the style that draws a layer's bins. */
    binsOf(name) { return this.drawnAs(name, "bins"); }

    /** The colour of a layer: that of its clusters, or of what is drawn instead of them. */
    color(name) {
        const { paint } = ["clusters", "bins", "raw"].map((role) => this.drawnAs(name, role)).find(Boolean);
        const found = atZoom(Object.entries(paint).find(([key]) => key.endsWith("-color"))[1], 0);
        return typeof found === "string" ? found : Array.isArray(found) && found[0] === "step" ? found[4] ?? found[2] : "#c2571a";
    }

    /** How large a cluster is drawn. */
    radius({ properties, layer, sourceLayer }) {
        const name = sourceLayer ?? layer;
        const own = this.view.dataLayers.find((one) => one.metadata?.["covey:role"] === "clusters"
            && (typeof name !== "string" || one["source-layer"] === name));
        const zoom = this.view.map.getZoom();
        const radius = atZoom(own && this.view.map.getPaintProperty(own.id, "circle-radius"), zoom);
        const value = stepValue(radius, this.by ? properties[this.by] ?? 0 : properties.point_count);
        return typeof value === "number" ? value : 18;
    }

    /** Records the attributes of clusters that become visible. */
    look(features) {
        const before = this.attributes.size;
        for (const { properties } of features) {
            if (!(properties.point_count > 1)) continue;
            for (const [name, value] of Object.entries(properties)) {
                const isOfUse = typeof value === "number" || (typeof value === "string" && value.length < 40 && !value.startsWith("{"));
                if (!plumbing.has(name) && !name.startsWith("#") && isOfUse && !this.attributes.has(name)) this.attributes.set(name, typeof value);
            }
        }
        if (this.attributes.size > before) this.offer();
        const zoom = Math.floor(this.view.map.getZoom());
        if (this.zoom !== zoom) {
            this.zoom = zoom;
            if (this.attributes.get(this.by) === "number") this.choose(this.by);
            this.showLegend();
        }
    }

    /** The attribute that the style itself uses. */
    get usual() {
        const color = this.names.map((name) => this.layer(name, "clusters")?.paint["circle-color"]).find(Boolean);
        const match = color?.[0] === "case" ? color[2] : color;
        return match?.[0] === "match" ? `${match[1].flat().at(-1)}, number of points` : "number of points";
    }

    offer() {
        const names = [...this.attributes.keys()].sort();
        element("by-attribute").replaceChildren(new Option(this.usual, ""), ...names.map((name) => new Option(name, name)),
            ...this.donuts.map((name) => new Option(`shares of ${name.slice(1)}`, name)));
        element("by-attribute").value = this.by;
        element("by").hidden = names.length + this.donuts.length === 0 || this.draw !== "clusters";
    }

    /** Whether clusters are drawn as donuts, of the values of `by` without its mark. */
    get isDonuts() { return this.by.startsWith("#"); }

    /** The attributes of which there are donuts, marked as the tiles mark their counts. */
    get donuts() {
        const axes = Object.values(this.view.filters?.facets ?? {}).flat().filter((facet) => facet.axes.length === 1 && !facet.axes[0].unit);
        return [...new Set(axes.map(({ axes: [axis] }) => `#${axis.attribute}`))];
    }

    drawDonuts() {
        // A value has the same colour in all layers.
        const axis = this.view.filters?.axes.get(this.by.slice(1));
        const parts = this.isDonuts && axis ? donutParts(axis).filter(({ text, choices }) => text === choices[0]) : [];
        const colors = Object.fromEntries(parts.map(({ text, color }) => [text, color]));
        for (const [name, facets] of Object.entries(this.view.filters?.facets ?? {})) {
            const isThere = this.isDonuts && facets.some((facet) => facet.axes.length === 1 && facet.axes[0].attribute === this.by.slice(1));
            this.view.map.setCoveyDonuts(name, isThere ? this.by.slice(1) : null, { colors, dark: matchMedia("(prefers-color-scheme: dark)").matches });
        }
        this.view.filters?.color(this.isDonuts ? this.by.slice(1) : null);
    }

    /** Sets the colours of clusters and points by an attribute, and the sizes if it is a number. */
    choose(name) {
        this.by = name;
        const { map } = this.view;
        this.view.filters?.lift();
        for (const layer of Object.keys(this.view.filters?.facets ?? {})) map.setCoveyDonuts(layer, null);
        this.classes = null;
        for (const layer of this.view.dataLayers) {
            const role = layer.metadata?.["covey:role"];
            if (!["clusters", "points", "counts"].includes(role)) continue;
            const own = this.styles.get(layer.id);
            const made = name && !this.isDonuts ? this.paint(name, role, own) : own;
            if (role === "counts") {
                if (own["text-halo-color"]) map.setPaintProperty(layer.id, "text-halo-color", made["circle-color"] ?? own["text-halo-color"]);
                continue;
            }
            for (const key of ["circle-color", "circle-radius"]) map.setPaintProperty(layer.id, key, made[key] ?? own[key]);
            if (map.getLayer(`${layer.id}-room`)) map.setLayoutProperty(`${layer.id}-room`, "icon-size", made["circle-radius"] ?? own["circle-radius"]);
        }
        this.drawDonuts();
        this.view.filters?.apply();
        this.showLegend();
    }

    paint(name, role, own) {
        const values = this.view.map.queryRenderedFeatures({ layers: this.view.layers("clusters", "points") })
            .filter((one) => Object.hasOwn(one.properties, name)).map((one) => one.properties[name]);
        if (this.attributes.get(name) === "string") {
            const seen = new Map();
            for (const value of values) seen.set(value, (seen.get(value) ?? 0) + 1);
            // MapLibre refuses labels with the names of inherited members, such as "constructor".
            const common = [...seen].filter(([value]) => !(value in {})).sort((a, b) => b[1] - a[1]).slice(0, categories.length).map(([value]) => value).sort();
            if (common.length === 0) return own;
            const pairs = common.map((value, at) => [value, categories[at]]);
            this.classes = [...pairs, ["other", other]].map(([text, color]) => ({ text, color, size: 6 }));
            return { "circle-color": ["match", ["to-string", ["get", name]], ...pairs.flat(), other] };
        }
        const sorted = values.filter((value) => typeof value === "number").sort((a, b) => a - b);
        const cuts = [...new Set([0.5, 0.8, 0.95].map((share) => sorted[Math.floor(sorted.length * share)]))]
            .filter((cut) => cut > sorted[0]);
        const byStep = (list) => cuts.length === 0 ? list[0]
            : ["step", ["coalesce", ["get", name], 0], list[0], ...cuts.flatMap((cut, at) => [cut, list[at + 1]])];
        const least = sorted.length === 0 ? "no numbers in view" : `from ${count(sorted[0])}`;
        const texts = [cuts.length === 0 ? least : `below ${count(cuts[0])}`, ...cuts.map((cut) => `from ${count(cut)}`)];
        this.classes = texts.map((text, at) => ({ text, color: steps[at], size: 4 + at }));
        return { "circle-color": byStep(steps), ...(role === "clusters" ? { "circle-radius": byStep([12, 15, 19, 24]) } : {}) };
    }

    /** Gives clusters and points different colours if they are drawn as plain dots. */
    paintDots() {
        const { map, dataLayers } = this.view;
        for (const { id, type, metadata } of dataLayers) {
            if (type !== "circle" || metadata?.["covey:role"] !== "raw" || !this.drawnAs(metadata["covey:layer"], "clusters")) continue;
            map.setPaintProperty(id, "circle-color", ["case", ["has", "point_count"], dots.cluster, dots.point]);
        }
    }

    /** The legend of colours and sizes. */
    legendEntries() {
        if (this.draw === "raw" && this.hasClusters) {
            return [{ text: "a cluster", color: dots.cluster, size: 4 }, { text: "a point", color: dots.point, size: 4 }];
        }
        // The filter has the meanings of the colours of donuts.
        if (this.draw === "clusters" ? this.isDonuts : this.draw !== "bins") return [];
        if (this.draw === "clusters" && this.classes) return this.classes;
        const shown = this.names.filter((name) => !this.hidden.has(name) && this.drawnAs(name, this.draw));
        if (shown.length !== 1) return [];
        const { paint } = this.drawnAs(shown[0], this.draw);
        const [least, fewest] = this.draw === "bins" ? [1, "1 point"] : [2, "2 points"];
        let color = paint["circle-color"] ?? paint["fill-color"];
        // Groups have colours if clusters have their group.
        if (color?.[0] === "case") color = color[2];
        if (color?.[0] === "match") {
            const entries = [];
            for (let at = 2; at + 1 < color.length; at += 2) entries.push({ text: color[at], color: color[at + 1], size: 6 });
            return [...entries, { text: "other", color: color.at(-1), size: 6 }];
        }
        const own = atZoom(color, this.view.map.getZoom());
        if (own?.[0] !== "step") return [];
        const cuts = own.filter((_, at) => at >= 3 && at % 2 === 1);
        const colors = own.filter((_, at) => at >= 2 && at % 2 === 0);
        return colors.map((one, at) => ({
            text: at === 0 ? cuts[0] > least + 1 ? `${least} to ${count(cuts[0] - 1)} points` : fewest : `${count(cuts[at - 1])} and more`, color: one, size: 4 + at,
        }));
    }

    /** The layers that draw something with the current switches. */
    drawnNames() {
        return this.names.filter((name) => this.draw !== "heat" || this.drawnAs(name, "heat"));
    }

    showHeat() {
        const isHeat = this.draw === "heat";
        element("heat-scale").hidden = !isHeat;
        // Heat from markers has the right sum, but not the right places.
        const isCoarse = isHeat && this.view.dataLayers.some((layer) =>
            layer.metadata?.["covey:role"] === "heat" && layer["source-layer"] === nameOf(layer) && layer.minzoom === undefined);
        element("heat-note").hidden = !isCoarse;
        element("heat-note").textContent = isCoarse ? "Drawn from markers. Tiles built with --heat show it finer." : "";
    }

    showLegend() {
        this.showHeat();
        const drawn = this.drawnNames();
        for (const item of element("layer-list").querySelectorAll("li")) item.hidden = !drawn.includes(item.dataset.layer);
        element("layer-list").hidden = drawn.length < 2;
        element("by").hidden = this.draw !== "clusters" || this.attributes.size + this.donuts.length === 0;
        element("legend").replaceChildren(...this.legendEntries().map(({ text, color, size }) => {
            const item = make("li");
            item.append(dot(color, size), make("span", text === "" ? "(empty)" : String(text)));
            return item;
        }));
        const isEmpty = element("legend").children.length === 0 && element("by").hidden && drawn.length < 2;
        element("layers").hidden = isEmpty && this.draw !== "heat";
    }
}
