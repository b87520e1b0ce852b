// Filters and donuts on a map, which change its layers at once.
import { StyleChanges } from "./changes.js";
import { donutAxis, donutName, showDonuts } from "./donuts.js";
import { countExpression, shortCount } from "./facets.js";

/** An expression with the count of chosen points in place of the count of points. */
function saidOf(expression, count, text) {
    if (!Array.isArray(expression)) {
        if (expression === null || typeof expression !== "object") return expression;
        return Object.fromEntries(Object.entries(expression).map(([key, value]) => [key, saidOf(value, count, text)]));
    }
    if (expression[0] === "literal") return expression;
    if (expression[0] === "get" && expression.length === 2) {
        if (expression[1] === "point_count") return count;
        if (expression[1] === "sqrt_point_count") return ["sqrt", count];
        if (expression[1] === "point_count_abbreviated") return text;
    }
    return expression.map((one) => saidOf(one, count, text));
}

/** The layer of a style for a selection: markers without chosen points are left out. */
export function filteredLayer(layer, facets, selection, { locale } = {}) {
    if (!selection && locale === undefined) return layer;
    const count = selection ? countExpression(facets, selection) : ["get", "point_count"];
    const text = shortCount(count, locale);
    const made = { ...layer };
    for (const part of ["paint", "layout"]) if (layer[part]) made[part] = saidOf(layer[part], count, text);
    if (!selection) return made;
    const donut = layer.metadata?.["covey:donut"];
    if (donut) made.layout["icon-image"] = donutName(facets, donut, selection);
    const filter = layer.filter && saidOf(layer.filter, count, text);
    made.filter = filter ? ["all", filter, [">", count, 0]] : [">", count, 0];
    return made;
}

/** The filters and donuts of a map. */
class MapFilters {
    constructor(map) {
        Object.assign(this, { map, sources: new Map(), chosen: new Map(), filters: new StyleChanges(map, { validate: false }), donuts: new StyleChanges(map) });
    }

    /** The facets of each layer of a source's archive by its name; undefined if the source has another archive now. */
    facetsIn(source) {
        const known = this.sources.get(source);
        return known && this.map.getSource(source)?.url === known.url ? known.layers : undefined;
    }

    /** The layers of the style that have a name, or draw the layer of the tiles with it, and the facets of that. */
    find(name) {
        return this.filters.layers.flatMap((layer) => {
            const facets = this.facetsIn(layer.source);
            const drawn = layer["source-layer"];
            const owner = facets && [drawn, drawn?.replace(/_(bins|heat|legs)$/, "")].find((one) => one in facets);
            return owner !== undefined && (owner === name || layer.id === name) ? [{ layer, owner, facets: facets[owner] }] : [];
        });
    }

    /** Why a name is no layer with facets. */
    lack(name) {
        const source = this.filters.layers.find((layer) => layer["source-layer"] === name || layer.id === name)?.source;
        if (source === undefined || this.facetsIn(source)) return new Error(`the style has no layer "${name}" with facets`);
        const known = this.sources.get(source);
        const isKnown = known && this.map.getSource(source)?.url === known.url;
        return new Error(`source "${source}" has no facets: ${isKnown ? known.reason : "it was not there yet when addFilters was called: call it again"}`);
    }

    /** The filter or donuts of a name that are still in the style. */
    setBy(name) {
        return this.find(name).some(({ layer }) => this.filters.of(layer).length > 0) ? this.chosen.get(name) : undefined;
    }

    filter(name, selection, options = {}) {
        const found = this.find(name);
        if (found.length === 0) throw this.lack(name);
        const isEmpty = !selection || Object.values(selection).every((one) => one === undefined || one === null);
        const wanted = isEmpty ? null : selection;
        // If one layer cannot answer the filter, no layer is changed.
        const made = found.map((one) => this.filtered(one, wanted, options));
        found.forEach(({ layer }, at) => this.filters.write(layer, made[at]));
        if (wanted || options.locale !== undefined) this.chosen.set(name, { selection: wanted, options });
        else this.chosen.delete(name);
        return this.map;
    }

    filtered({ layer, owner, facets }, selection, options) {
        const own = this.filters.without(layer);
        // Bins have the counts of clusters; finer heat and legs have none, so they are hidden.
        const isBare = owner !== layer["source-layer"] && !layer["source-layer"].endsWith("_bins");
        if (isBare) return selection ? { ...own, filter: ["literal", false] } : own;
        const made = filteredLayer(own, facets, selection, options);
        // Heat is drawn from markers instead of the finer counts.
        return selection && layer.type === "heatmap" && own.minzoom ? { ...made, minzoom: 0 } : made;
    }

    drawDonuts(name, attribute, options) {
        const known = [...this.sources.keys()].map((source) => this.facetsIn(source)?.[name]).filter(Boolean);
        if (attribute && known.length === 0) throw this.lack(name);
        if (attribute) for (const facets of known) donutAxis(facets, attribute);
        const set = this.setBy(name);
        // Donuts change the style without the filter.
        if (set) this.filter(name, null);
        for (const { layer } of this.find(name)) {
            if (layer.metadata?.["covey:donut"]) this.map.removeLayer(layer.id);
            else this.donuts.write(layer, this.donuts.without(layer));
        }
        if (attribute) showDonuts(this.donuts, this.find(name).filter(({ layer }) => layer["source-layer"] === name), attribute, options);
        return set ? this.filter(name, set.selection, set.options) : this.map;
    }
}

/**
 * Adds `setCoveyFilter`, `getCoveyFilter` and `setCoveyDonuts` to a map. `sources` has for each source its `url`, and the
 * facets of its `layers` by their names or a `reason` why there are none. Earlier choices are kept.
 */
export function filterMap(map, sources) {
    const filters = map.coveyFilters ??= new MapFilters(map);
    filters.sources = sources;
    map.getCoveyFilter = (name) => filters.setBy(name)?.selection ?? null;
    map.setCoveyFilter = (...asked) => filters.filter(...asked);
    map.setCoveyDonuts = (...asked) => filters.drawDonuts(...asked);
    return map;
}
