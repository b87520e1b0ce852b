// The page's filter: values to choose, a slider over time, and the counts in view.
import { choicesOf, countExpression, countsOf, donutParts, evaluate, matcher } from "../covey.js";
import { button, count, dot, element, make, rename } from "./dom.js";
import { tileLayerOf } from "./layers.js";

const playStep = 250;
/** The text in an address for a choice of no values. */
const nothing = "(nothing)";

/** Whether an axis is one of a facet. */
const isIn = (facet, attribute) => facet.axes.some((axis) => axis.attribute === attribute);

/** One axis with the values of two; times keep their order. */
function joined(axis, { values, other, none }) {
    const all = [...new Set([...axis.values, ...values])];
    return { ...axis, values: axis.unit ? all.sort() : all, other: axis.other || other, none: axis.none || none };
}

/** The place of a point, or the middle of a bin. */
function middleOf({ type, coordinates }) {
    if (type === "Point") return coordinates;
    if (type !== "Polygon") return [];
    return [0, 1].map((at) => coordinates[0].map((corner) => corner[at])).map((list) => (Math.min(...list) + Math.max(...list)) / 2);
}

export class Filters {
    /** `facets` are those of each layer of the tiles, by its name. */
    constructor(view, facets) {
        this.view = view;
        // Layers and attributes may have the names of inherited members, such as constructor.
        this.facets = { __proto__: null, ...Object.fromEntries(Object.entries(facets).map(([name, all]) => [name, all.filter(({ sum }) => !sum)])) };
        this.selection = { __proto__: null };
        /** Functions that tell whether a point is chosen, by the name of each filtered layer; null without a filter. */
        this.matches = null;
        this.axes = new Map();
        for (const all of Object.values(this.facets)) {
            const own = new Set();
            for (const axis of all.flatMap(({ axes }) => axes)) {
                if (own.has(axis.attribute)) continue;
                own.add(axis.attribute);
                // An axis of another layer adds its values.
                const known = this.axes.get(axis.attribute);
                this.axes.set(axis.attribute, known ? joined(known, axis) : axis);
            }
        }
        this.controls = [...this.axes.values()].map((axis) => (axis.unit ? new TimeControl(this, axis) : new ValueControl(this, axis)));
        element("filters").hidden = this.controls.length === 0;
        element("filters").open = element("view").clientWidth > 640;
        element("filter-list").replaceChildren(...this.controls.map(({ field }) => field));
        element("filter-note").textContent = "";
        this.read(view.place);
        this.look();
    }

    get isActive() { return Object.keys(this.selection).length > 0; }

    /** The filter in the notation of the address. */
    get address() {
        if (!this.isActive) return "";
        const said = new URLSearchParams();
        for (const [name, list] of Object.entries(this.selection)) for (const one of list.length > 0 ? list : [nothing]) said.append(name, one ?? "");
        return `?${said}`;
    }

    /** Sets the filter from an address. */
    read(place) {
        const said = new URLSearchParams((place ?? "").split(/\?(.*)/s)[1] ?? "");
        const selection = { __proto__: null };
        for (const name of new Set(said.keys())) if (this.axes.has(name)) selection[name] = said.getAll(name);
        if (JSON.stringify(selection) === JSON.stringify(this.selection)) return;
        this.use(selection);
        try {
            this.apply();
        } catch (error) {
            // An address that was written by hand may have times that no facet counts.
            this.use({ __proto__: null });
            this.apply();
            element("filter-note").textContent = error.message;
        }
    }

    use(selection) {
        this.selection = selection;
        for (const control of this.controls) control.show(selection[control.axis.attribute]);
    }

    /** Chooses along an axis; undefined chooses all. */
    choose(attribute, list) {
        const others = { __proto__: null, ...this.selection };
        delete others[attribute];
        let note = "";
        if (list) {
            // Counts by two attributes exist only if the build was asked for them.
            const names = [...Object.keys(others), attribute];
            const canCross = Object.values(this.facets).some((all) => all.some((facet) => names.every((name) => isIn(facet, name))));
            if (!canCross && names.length > 1) {
                note = `Both at once need counts by both: --facet '${names.join("*")}'.`;
                for (const name of Object.keys(others)) {
                    delete others[name];
                    this.controls.find(({ axis }) => axis.attribute === name)?.show(undefined);
                }
            }
            others[attribute] = list;
        }
        this.selection = others;
        element("filter-note").textContent = note;
        this.apply();
        this.view.tellPlace();
        this.view.panel.close();
    }

    /** Shows the colours of donuts at the choices of one axis, and none at the others. */
    color(attribute) {
        for (const control of this.controls) control.color?.(control.axis.attribute === attribute);
    }

    /** The facets of a layer that can answer the selection. */
    answering(name, attribute) {
        const names = [...Object.keys(this.selection), ...(attribute ? [attribute] : [])];
        return (this.facets[name] ?? []).filter((facet) => names.every((one) => isIn(facet, one)));
    }

    /** The choice for a layer, without values that only other layers have. */
    selectionOf(name) {
        const axes = (this.facets[name] ?? []).flatMap((facet) => facet.axes);
        const own = { __proto__: null };
        for (const [attribute, chosen] of Object.entries(this.selection)) {
            const axis = axes.find((one) => one.attribute === attribute);
            own[attribute] = axis && !axis.unit ? choicesOf(axis, chosen) : chosen;
        }
        return own;
    }

    apply() {
        const { map } = this.view;
        const started = performance.now();
        this.matches = null;
        for (const name of Object.keys(this.facets)) {
            const known = this.answering(name);
            const isFiltered = this.isActive && known.length > 0;
            if (!map.getStyle().layers.some((layer) => layer["source-layer"] === name)) continue;
            const own = this.selectionOf(name);
            map.setCoveyFilter(name, isFiltered ? own : null);
            if (isFiltered) (this.matches ??= new Map()).set(name, matcher(known, own));
        }
        // For tests: the time until everything is drawn.
        map.once("idle", () => { this.redrawn = performance.now() - started; });
        this.count();
    }

    /** Removes the filter from the style while something else changes it. */
    lift() {
        for (const name of Object.keys(this.facets)) {
            if (this.view.map.getCoveyFilter(name)) this.view.map.setCoveyFilter(name, null);
        }
    }

    /** Markers in view, filtered or not, once each. */
    markers(name) {
        const { map, sourceName } = this.view;
        const bounds = map.getBounds();
        const seen = new Map();
        const { legend } = this.view;
        const bins = legend.drawnAs(name, "clusters") ? undefined : legend.binsOf(name)?.["source-layer"];
        const found = [name, bins].filter(Boolean).map((sourceLayer) => map.querySourceFeatures(sourceName, { sourceLayer }));
        for (const one of found.flat()) {
            const [longitude, latitude] = middleOf(one.geometry);
            if (longitude === undefined) continue;
            const isInView = latitude >= bounds.getSouth() && latitude <= bounds.getNorth()
                && [-360, 0, 360].some((turn) => longitude + turn >= bounds.getWest() && longitude + turn <= bounds.getEast());
            if (isInView) seen.set(one.geometry.type === "Polygon" ? one.id : one.properties.cluster_id ?? `${one.id ?? JSON.stringify(one.properties)}/${longitude.toFixed(5)}/${latitude.toFixed(5)}`, one);
        }
        return [...seen.values()];
    }

    /** The counts in view of each value along each axis, among the points that the other axes choose. */
    look() {
        if (this.controls.length === 0) return;
        const found = new Map(Object.keys(this.facets).map((name) => [name, this.markers(name)]));
        for (const control of this.controls) {
            const { attribute } = control.axis;
            const totals = new Map(choicesOf(control.axis).map((choice) => [choice, 0]));
            for (const [name, markers] of found) {
                const answering = this.answering(name, attribute);
                const fitting = answering.length > 0 ? answering : (this.facets[name] ?? []).filter((one) => isIn(one, attribute));
                const [facet] = fitting.sort((a, b) => a.axes.length - b.axes.length);
                if (facet) this.add(facet, attribute, markers, totals);
            }
            control.tell(totals);
        }
    }

    /** Adds the counts of markers along one axis of a facet. */
    add(facet, attribute, markers, totals) {
        const choices = facet.axes.map((axis) => choicesOf(axis));
        const own = facet.axes.findIndex((axis) => axis.attribute === attribute);
        const allowed = facet.axes.map((axis, at) => new Set(choicesOf(axis, at === own ? undefined : this.selection[axis.attribute])));
        const last = choices.at(-1).length;
        for (const { properties } of markers) {
            countsOf(facet, properties).forEach((number, place) => {
                if (number === 0) return;
                const places = choices.length === 1 ? [place] : [Math.floor(place / last), place % last];
                const named = places.map((one, at) => choices[at][one]);
                if (named.every((choice, at) => allowed[at].has(choice))) totals.set(named[own], (totals.get(named[own]) ?? 0) + number);
            });
        }
    }

    /** How many points of a cluster are chosen; null without a filter. */
    countIn(feature) {
        const { properties } = feature;
        const known = this.answering(tileLayerOf(feature));
        if (!this.isActive || known.length === 0 || properties[known[0].attribute] === undefined) return null;
        return evaluate(countExpression(known, this.selectionOf(tileLayerOf(feature))), { properties });
    }

    /** The counts of a cluster by the values of each facet with one axis: a title and rows of text and number. */
    columns(feature) {
        const { properties } = feature;
        return (this.facets[tileLayerOf(feature)] ?? []).filter((facet) => facet.axes.length === 1 && properties[facet.attribute] !== undefined).map((facet) => {
            const counts = countsOf(facet, properties);
            return [facet.name, choicesOf(facet.axes[0]).map((choice, at) => [choice, counts[at]]).filter(([, number]) => number > 0)];
        });
    }

    /** Shows how many points in view are chosen. */
    count() {
        const list = Object.entries(this.selection).map(([name, chosen]) => `${name}: ${chosen.filter(Boolean).join(" – ") || "none"}`);
        element("announcer").textContent = this.isActive ? `Filter ${list.join("; ")}` : "No filter";
    }

    close() {
        for (const control of this.controls) control.stop?.();
        element("filters").hidden = true;
    }
}

/** Values to tick, with how many points in view have them. */
class ValueControl {
    constructor(filters, axis) {
        Object.assign(this, { filters, axis });
        this.field = make("fieldset");
        this.legend = make("legend", axis.attribute.replaceAll("_", " "));
        this.all = button("All", () => this.turnAll());
        this.legend.append(this.all);
        const list = make("ul");
        this.rows = choicesOf(axis).map((choice) => {
            const item = make("li");
            const label = make("label");
            const box = make("input");
            box.type = "checkbox";
            box.checked = true;
            box.value = choice;
            box.onchange = () => this.changed();
            const number = make("b");
            const mark = make("span");
            label.append(box, mark, make("span", choice === "" ? "(empty)" : choice), number);
            item.append(label);
            list.append(item);
            return { choice, box, mark, number };
        });
        this.field.append(this.legend, list);
        this.show(undefined);
    }

    changed() {
        const chosen = this.rows.filter(({ box }) => box.checked).map(({ choice }) => choice);
        this.tellAll(chosen.length === this.rows.length);
        this.filters.choose(this.axis.attribute, chosen.length === this.rows.length ? undefined : chosen);
    }

    turnAll() {
        const isAll = this.rows.every(({ box }) => box.checked);
        for (const { box } of this.rows) box.checked = !isAll;
        this.changed();
    }

    show(chosen) {
        for (const { choice, box } of this.rows) box.checked = !chosen || chosen.includes(choice);
        this.tellAll(!chosen);
    }

    /** Sets the text of the button that ticks all values, or none if all are ticked. */
    tellAll(isAll) {
        const { attribute } = this.axis;
        if (isAll) rename(this.all, "None", `None of the values of ${attribute}`);
        else rename(this.all, "All", `All values of ${attribute}`);
    }

    /** Shows which colours the values have. */
    color(isDrawn) {
        const parts = donutParts(this.axis);
        for (const { choice, mark } of this.rows) {
            mark.replaceChildren(...(isDrawn ? [dot(parts.find(({ choices }) => choices.includes(choice)).color)] : []));
            mark.hidden = !isDrawn;
        }
    }

    tell(totals) {
        for (const { choice, number } of this.rows) number.textContent = count(totals.get(choice) ?? 0);
    }
}

/** A period between two handles, with bars of the counts in view above it, and a play button. */
class TimeControl {
    constructor(filters, axis) {
        Object.assign(this, { filters, axis });
        this.last = axis.values.length - 1;
        this.field = make("fieldset");
        this.playing = button("", () => this.toggle());
        this.tellPlaying("Play");
        const legend = make("legend", `${axis.of ?? axis.attribute} by ${axis.unit}`);
        legend.append(this.playing);
        this.columns = make("div", "", "columns");
        this.columns.setAttribute("aria-hidden", "true");
        this.bars = axis.values.map((label) => {
            const bar = make("i", "", "in");
            bar.title = label;
            return bar;
        });
        this.columns.append(...this.bars);
        const range = make("div", "", "range");
        this.handles = [0, this.last].map((value, at) => {
            const handle = make("input");
            Object.assign(handle, { type: "range", min: 0, max: this.last, step: 1, value });
            handle.setAttribute("aria-label", at === 0 ? "From" : "To");
            handle.oninput = () => this.moved(at);
            range.append(handle);
            return handle;
        });
        this.text = make("output");
        this.field.append(legend, this.columns, range, this.text);
        this.show(undefined);
    }

    get places() { return this.handles.map((handle) => Number(handle.value)); }

    /** A handle that is moved past the other one moves that too. */
    moved(at) {
        this.stop();
        const [from, to] = this.places;
        if (from > to) this.handles[1 - at].value = this.handles[at].value;
        this.changed();
    }

    changed() {
        const [from, to] = this.places;
        this.mark();
        const isAll = from === 0 && to === this.last;
        this.filters.choose(this.axis.attribute, isAll ? undefined : [this.axis.values[from], this.axis.values[to]]);
    }

    mark() {
        const [from, to] = this.places;
        this.bars.forEach((bar, at) => bar.classList.toggle("in", at >= from && at <= to));
        const { values } = this.axis;
        this.text.textContent = values.length === 0 ? "no values" : from === to ? values[from] : `${values[from]} – ${values[to]}`;
        this.handles.forEach((handle, at) => handle.setAttribute("aria-valuetext", values[this.places[at]] ?? ""));
    }

    show(chosen) {
        const named = new Set(choicesOf(this.axis, chosen));
        const { values } = this.axis;
        this.handles[0].value = Math.max(values.findIndex((label) => named.has(label)), 0);
        const last = values.findLastIndex((label) => named.has(label));
        this.handles[1].value = last < 0 ? this.last : last;
        this.mark();
    }

    tell(totals) {
        const numbers = this.axis.values.map((label) => totals.get(label) ?? 0);
        const most = Math.max(...numbers, 1);
        this.bars.forEach((bar, at) => {
            bar.style.height = `${(100 * numbers[at]) / most}%`;
            bar.title = `${this.axis.values[at]}: ${count(numbers[at])}`;
        });
    }

    /** Moves the period on; if it is the whole time, it begins with a tenth of that. */
    toggle() {
        if (this.timer) return this.stop();
        const [from, to] = this.places;
        if (from === 0 && to === this.last) this.handles[1].value = Math.floor(this.last / 10);
        this.tellPlaying("Pause");
        this.timer = setInterval(() => this.step(), playStep);
        this.changed();
    }

    step() {
        const [from, to] = this.places;
        const by = to === this.last ? -from : 1;
        this.handles[0].value = from + by;
        this.handles[1].value = to + by;
        this.changed();
    }

    stop() {
        clearInterval(this.timer);
        this.timer = undefined;
        this.tellPlaying("Play");
    }

    tellPlaying(text) { rename(this.playing, text, `${text} through ${this.axis.of ?? this.axis.attribute}`); }
}
