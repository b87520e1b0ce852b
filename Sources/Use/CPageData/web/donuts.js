// Donuts and pies: the shares of values in a cluster, as an image that the style's expression names.
import { choicesOf, noValue, otherValues, partCounts, pointTest } from "./facets.js";

/** Okabe and Ito's colours, which differ with any common colour blindness; then those of rare and of missing values. */
export const valueColors = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#f0e442"];
const neutral = { [otherValues]: "#6b7280", [noValue]: "#b4bac2" };
const papers = { light: { paper: "#ffffff", ink: "#1d2733" }, dark: { paper: "#1b2027", ink: "#f2f5f8" } };

const donutPrefix = "covey-donut:";
/** A share is a multiple of 1/24; each letter of an image's name is the end of a share. */
const turns = 24;
const letters = "abcdefghijklmnopqrstuvwxy";
/** How many images are kept besides the visible ones. */
const kept = 256;

/** The axis of a facet whose shares are drawn. */
export function donutAxis(facets, attribute) {
    const facet = facets?.find(({ axes, sum }) => !sum && axes.length === 1 && (axes[0].attribute === attribute || axes[0].of === attribute));
    if (!facet) throw new Error(`donuts need counts by one attribute: build the archive with --facet '${attribute}'; sums and crossed facets make none`);
    if (facet.axes[0].unit) throw new Error(`donuts show categories, and ${attribute} is a time: filter by it instead`);
    return facet.axes[0];
}

/** The parts of a donut: the values with a colour of their own, then other and missing values. */
export function donutParts(axis, colors = {}) {
    const colorOf = (value) => (Object.hasOwn(colors, value) ? colors[value] : undefined);
    const own = axis.values.filter((value) => colorOf(value));
    for (const value of axis.values) if (own.length < valueColors.length && !own.includes(value)) own.push(value);
    const shown = axis.values.filter((value) => own.includes(value));
    const rest = choicesOf(axis).filter((choice, at) => (at < axis.values.length ? !own.includes(choice) : choice !== noValue));
    const parts = shown.map((value, at) => ({ text: value, choices: [value], color: colorOf(value) ?? valueColors[at % valueColors.length] }));
    if (rest.length > 0) parts.push({ text: otherValues, choices: rest, color: colorOf(otherValues) ?? neutral[otherValues] });
    if (axis.none) parts.push({ text: noValue, choices: [noValue], color: colorOf(noValue) ?? neutral[noValue] });
    return parts;
}

/**
 * The name of a cluster's image: where each share ends, in turns of a 24th. Ends are rounded, not shares, so that
 * these add up to a whole; a share is off by less than one 24th.
 */
export function donutName(facets, { attribute, look, parts }, selection) {
    const counts = partCounts(facets, attribute, parts.map(({ choices }) => choices), selection);
    // If the filter has no counts along this attribute, the shares are unknown.
    if (!counts) return `${donutPrefix}${look}:`;
    const running = (at) => ["var", `covey_end${at}`];
    const bound = counts.numbers.flatMap((number, at) => [`covey_end${at}`, at === 0 ? number : ["+", running(at - 1), number]]);
    const place = (at) => ["round", ["/", ["*", running(at), turns], ["max", running(parts.length - 1), 1]]];
    const letter = (at) => ["let", "covey_turn", place(at), ["slice", letters, ["var", "covey_turn"], ["+", ["var", "covey_turn"], 1]]];
    let name = ["concat", `${donutPrefix}${look}:`, ...parts.map((_, at) => letter(at))];
    for (let at = bound.length - 2; at >= 0; at -= 2) name = ["let", bound[at], bound[at + 1], name];
    return ["let", "covey_width", counts.width, name];
}

/** Colours of single points by their own values. */
export const pointColors = (axis, parts) => parts.slice(0, -1).reduceRight((others, { choices, color }) => {
    const all = choicesOf(axis);
    return ["case", pointTest(axis, choices.map((one) => all.lastIndexOf(one))), color, others];
}, parts.at(-1).color);

/** A ring, or a disc, with a part for each share: a canvas's pixels, `radius` of them from the middle to the rim. */
function drawDonut(ends, { colors, hole, paper }, radius) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 2 * radius;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const angle = (turn) => (turn / turns - 0.25) * 2 * Math.PI;
    const shown = ends.map((end, at) => ({ from: at === 0 ? 0 : ends[at - 1], end, color: colors[at] })).filter(({ from, end }) => end > from);
    if (shown.length === 0) shown.push({ from: 0, end: turns, color: neutral[otherValues] });
    const outer = radius - 1;
    for (const { from, end, color } of shown) {
        context.beginPath();
        context.arc(radius, radius, outer, angle(from), angle(end));
        context.arc(radius, radius, outer * hole, angle(end), angle(from), true);
        context.fillStyle = color;
        context.fill();
    }
    // A line between parts separates them also without colours.
    context.strokeStyle = paper;
    context.lineWidth = radius / 14;
    for (const { end } of shown.length > 1 ? shown : []) {
        context.beginPath();
        context.moveTo(radius + outer * hole * Math.cos(angle(end)), radius + outer * hole * Math.sin(angle(end)));
        context.lineTo(radius + outer * Math.cos(angle(end)), radius + outer * Math.sin(angle(end)));
        context.stroke();
    }
    return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** The images of a map: made when the map needs them, and removed if there are many that are not visible. */
class DonutImages {
    constructor(map) {
        Object.assign(this, { map, looks: [], names: new Set(), most: kept });
        map.on("styleimagemissing", ({ id }) => this.make(id));
        map.on("render", () => { if (this.names.size > this.most) this.trim(); });
    }

    /** The number by which images name their colours. */
    numberOf(look) {
        const text = JSON.stringify(look);
        const at = this.looks.findIndex((one) => JSON.stringify(one) === text);
        return at < 0 ? this.looks.push(look) - 1 : at;
    }

    make(id) {
        if (!id.startsWith(donutPrefix) || this.map.hasImage(id)) return;
        const [number, ends] = id.slice(donutPrefix.length).split(":");
        const look = this.looks[number];
        if (!look) return;
        const pixels = Math.ceil(look.radius * Math.max(1, this.map.getPixelRatio()));
        // An image has a radius of one, so that the style's radius is its size.
        this.map.addImage(id, drawDonut([...ends].map((one) => letters.indexOf(one)), look, pixels), { pixelRatio: pixels });
        this.names.add(id);
    }

    trim() {
        const { map } = this;
        const layers = map.getStyle().layers.filter(({ metadata }) => metadata?.["covey:donut"]).map(({ id }) => id);
        const seen = new Set(map.queryRenderedFeatures({ layers }).map(({ layer }) => String(layer.layout["icon-image"]?.name ?? layer.layout["icon-image"])));
        const fresh = new Set([...this.names].slice(-kept / 2));
        for (const id of this.names) {
            if (seen.has(id) || fresh.has(id)) continue;
            this.names.delete(id);
            if (map.hasImage(id)) map.removeImage(id);
        }
        this.most = Math.max(kept, this.names.size + kept / 2);
    }
}

/** All numbers of a radius; the largest is that of images. */
const largestOf = (radius) => Math.max(12, ...[radius].flat(Infinity).filter((one) => typeof one === "number" && one <= 64));

/**
 * Draws layers of a style as donuts: values are set through `changes`, and layers are added. `drawn` has the layers, each
 * with its facets. The circles stay under the rings for clicks and sizes.
 */
export function showDonuts(changes, drawn, attribute, { hole = 0.6, colors, dark = false } = {}) {
    const { map } = changes;
    const images = map.coveyDonutImages ??= new DonutImages(map);
    const { paper, ink } = papers[dark ? "dark" : "light"];
    const order = changes.layers.map(({ id }) => id);
    for (const { layer, facets } of drawn) {
        const axis = donutAxis(facets, attribute);
        const parts = donutParts(axis, colors);
        const set = (part, values) => changes.write(layer, { ...layer, [part]: { ...layer[part], ...values } });
        const role = layer.metadata?.["covey:role"];
        if (role === "points") set("paint", { "circle-color": pointColors(axis, parts) });
        if (role === "counts" && hole === 0) set("layout", { visibility: "none" });
        if (role === "counts" && hole > 0 && layer.layout?.["text-field"]) set("paint", { "text-color": ink, "text-halo-width": 0 });
        if (role !== "clusters") continue;
        const radius = layer.paint["circle-radius"];
        const look = images.numberOf({ colors: parts.map(({ color }) => color), hole, paper, radius: largestOf(radius) });
        const donut = { attribute: axis.attribute, look, parts };
        map.addLayer({
            id: `${layer.id}-donuts`, type: "symbol", source: layer.source, "source-layer": layer["source-layer"], filter: layer.filter,
            metadata: { "covey:role": "donuts", "covey:donut": donut, "covey:layer": layer.metadata["covey:layer"] },
            layout: {
                "icon-image": donutName(facets, donut, null), "icon-size": radius, "icon-allow-overlap": true, "icon-ignore-placement": true,
                visibility: layer.layout?.visibility ?? "visible",
            },
            paint: { "icon-opacity": layer.paint["circle-opacity"] ?? 1 },
        }, order[order.indexOf(layer.id) + 1]);
        set("paint", { "circle-color": paper, "circle-stroke-color": paper });
    }
}
