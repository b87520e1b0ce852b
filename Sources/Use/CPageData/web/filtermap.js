// Filters that follow at once, on a map: its layers as a selection makes them, and donuts.
import { donutAxis, donutName, showDonuts } from "./donuts.js";
import { countExpression, shortCount } from "./facets.js";

/** An expression in which what is said of the count of points is said of those that are chosen. */
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

/** A layer of a style as a selection makes it: markers without chosen points are left out. */
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

/**
 * Gives a map `setCoveyFilter`, `getCoveyFilter` and `setCoveyDonuts`; `facets` are those of each layer of the tiles, by its name.
 */
export function filterMap(map, facets) {
    facets = { __proto__: null, ...facets };
    // What was chosen before stays so; `plain` has what filters have made of layers of the style, and what these were without.
    const { chosen, plain, said, undo } = map.coveyFilters ??= { chosen: new Map(), plain: new Map(), said: new Map(), undo: new Map() };
    map.getCoveyFilter = (name) => chosen.get(name) ?? null;
    map.setCoveyFilter = (name, selection, options = {}) => {
        // Bins carry what clusters carry; finer heat and legs carry nothing to choose by.
        const owner = (layer) => (layer["source-layer"] in facets ? layer["source-layer"] : layer["source-layer"]?.replace(/_(bins|heat|legs)$/, ""));
        const isBare = (layer) => owner(layer) !== layer["source-layer"] && !layer["source-layer"].endsWith("_bins");
        const layers = map.getStyle().layers.filter((layer) => owner(layer) === name || layer.id === name);
        if (layers.length === 0) throw new Error(`the style has no layer "${name}"`);
        const isEmpty = !selection || Object.values(selection).every((one) => one === undefined || one === null);
        const wanted = isEmpty ? null : selection;
        for (const layer of layers) {
            const known = plain.get(layer.id);
            // The map may have another style by now.
            const own = known && isSame(known.made.filter, layer.filter) ? known.own : layer;
            const hidden = wanted ? { ...own, filter: ["literal", false] } : own;
            const made = isBare(layer) ? hidden : filteredLayer(own, facets[owner(layer)], wanted, options);
            applyLayer(map, layer, made);
            // Heat of markers takes the place of the finer one.
            const first = wanted ? 0 : own.minzoom ?? 0;
            if (layer.type === "heatmap" && !isBare(layer) && (layer.minzoom ?? 0) !== first) map.setLayerZoomRange(layer.id, first, layer.maxzoom ?? 24);
            if (made === own) plain.delete(layer.id);
            else plain.set(layer.id, { own, made });
        }
        said.set(name, options);
        if (wanted || options.locale !== undefined) chosen.set(name, wanted);
        else chosen.delete(name);
        return map;
    };
    map.setCoveyDonuts = (name, attribute, options) => {
        if (attribute) donutAxis(facets[name], attribute);
        const [selection, own] = [map.getCoveyFilter(name), said.get(name)];
        // What the style says without a filter is what donuts change.
        if (chosen.has(name)) map.setCoveyFilter(name, null);
        undo.get(name)?.();
        undo.delete(name);
        if (attribute) undo.set(name, showDonuts(map, name, facets[name], attribute, options));
        return own ? map.setCoveyFilter(name, selection, own) : map;
    };
    return map;
}

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Sets what differs, all at once: a map lays its tiles out anew when it draws next, without a request. */
function applyLayer(map, now, wanted) {
    if (!isSame(now.filter, wanted.filter)) map.setFilter(now.id, wanted.filter ?? null, { validate: false });
    for (const [part, set] of [["paint", "setPaintProperty"], ["layout", "setLayoutProperty"]]) {
        for (const key of Object.keys(wanted[part] ?? {})) {
            if (key === "visibility" || isSame(now[part]?.[key], wanted[part][key])) continue;
            map[set](now.id, key, wanted[part][key], { validate: false });
        }
    }
}
