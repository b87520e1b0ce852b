// Counts by value: expressions for the sums of chosen values.

/** The names for all other values, and for points without a value. */
export const otherValues = "(other)";
export const noValue = "(none)";

/** The name by which an axis is chosen: its own name, or that of its attribute. */
const isAxisNamed = (axis, name) => axis.attribute === name || axis.of === name;

/** The values of an axis, in the order of its counts; with a choice, only those that it names. */
export function choicesOf(axis, choice) {
    const all = [...axis.values, ...(axis.other ? [otherValues] : []), ...(axis.none ? [noValue] : [])];
    return choice === undefined || choice === null ? all : placesOf(axis, choice).map((place) => all[place]);
}

/** The notations of times, the coarsest unit first. */
const timeForms = {
    year: /^\d{4}$/, quarter: /^\d{4}-Q\d$/, month: /^\d{4}-\d\d$/, week: /^\d{4}-W\d\d$/,
    day: /^\d{4}-\d\d-\d\d$/, hour: /^\d{4}-\d\d-\d\dT\d\d$/,
};
const timeUnits = Object.keys(timeForms);
/** The coarser units that the labels of a unit begin with. */
const unitsAround = { quarter: ["year"], month: ["year"], week: ["year"], day: ["year", "month"], hour: ["year", "month", "day"] };

/** The unit of a time; undefined if the text is no time. */
const unitOf = (time) => timeUnits.find((unit) => timeForms[unit].test(time));

const isUncounted = (value) => value === otherValues || value === noValue;

/** Whether a choice along an axis of time is a period, with a first and a last time or one for both, and not a list of labels. */
const isPeriod = (list) => (list.length === 1 || list.length === 2) && !list.some(isUncounted);

/** The ends of a period as texts: years may be numbers. */
const endsOf = (list) => [list[0], list.at(-1)].map((end) => end && String(end));

/** Whether the labels of an axis are fine enough for a choice. */
function isFineEnough(axis, choice) {
    if (!axis.unit || choice === undefined || choice === null) return true;
    const list = [choice].flat();
    if (!isPeriod(list)) return list.every((one) => isUncounted(one) || unitOf(one) === axis.unit);
    return list.every((end) => !end || [axis.unit, ...(unitsAround[axis.unit] ?? [])].includes(unitOf(end)));
}

/** Whether a choice has times before those with a count of their own: if there are too many, the earliest share one count. */
function isTooEarly(axis, choice) {
    if (!axis.unit || !axis.other || choice === undefined || choice === null) return false;
    const list = [choice].flat();
    const first = axis.values[0];
    if (!isPeriod(list)) return list.some((one) => !isUncounted(one) && String(one) < first);
    const [from, to] = endsOf(list);
    return from ? from < first : Boolean(to) && to < first.slice(0, to.length);
}

/** The entries of a choice that are no values of its axis. Times without points, and missing values, may always be chosen. */
function strangersOf(axis, choice) {
    if (axis.unit || choice === undefined || choice === null) return [];
    const known = new Set(axis.values);
    return [choice].flat().filter((one) => !isUncounted(one) && !known.has(String(one)));
}

/** Whether the counts along an axis suffice for a choice. */
const canTell = (axis, choice) => isFineEnough(axis, choice) && !isTooEarly(axis, choice) && strangersOf(axis, choice).length === 0;

/** The indexes along an axis that a choice names: of a period or of a list; all without a choice. */
function placesOf(axis, choice) {
    const all = choicesOf(axis);
    if (choice === undefined || choice === null) return all.map((_, at) => at);
    const list = [choice].flat();
    if (axis.unit && isPeriod(list)) {
        const [from, to] = endsOf(list);
        // A choice may be coarser than the labels: a month is in its year.
        const isIn = (label) => (!from || label >= from) && (!to || label.slice(0, to.length) <= to);
        // Times without a count of their own are before all others.
        return all.flatMap((label, at) => ((at < axis.values.length ? isIn(label) : label === otherValues && axis.other && !from) ? [at] : []));
    }
    const wanted = new Set(list.map(String));
    return all.flatMap((value, at) => (wanted.has(value) ? [at] : []));
}

/** The names that a selection chooses by. */
const namesOf = (selection) => Object.keys(selection ?? {}).filter((name) => selection[name] !== undefined && selection[name] !== null);

/** How fine the times of a facet are, summed over its axes. */
const finenessOf = (facet) => facet.axes.reduce((sum, axis) => sum + (axis.unit ? timeUnits.indexOf(axis.unit) : 0), 0);

/** The smallest facet that has an axis with sufficient counts for each name; of several, that with the coarsest times. */
const facetOf = (facets, names, selection, sum) => (facets ?? [])
    .filter((facet) => facet.sum === sum
        && names.every((name) => facet.axes.some((axis) => isAxisNamed(axis, name) && canTell(axis, selection?.[name]))))
    .sort((a, b) => a.axes.length - b.axes.length || finenessOf(a) - finenessOf(b))[0];

/** Throws if no axis of this name has all values of a choice. */
function checkValues(facets, name, choice) {
    const axes = (facets ?? []).flatMap((facet) => facet.axes).filter((axis) => isAxisNamed(axis, name));
    const strangers = axes.map((axis) => strangersOf(axis, choice));
    if (axes.length === 0 || strangers.some((list) => list.length === 0)) return;
    const all = choicesOf(axes[0]);
    const shown = all.slice(0, 12).map((one) => JSON.stringify(one)).join(", ");
    throw new Error(`${name} has no value ${JSON.stringify(String(strangers[0][0]))}: choose from ${shown}${all.length > 12 ? ` and ${all.length - 12} more` : ""}`
        + (axes[0].other ? `; "${otherValues}" stands for those that are too rare to be counted by themselves` : ""));
}

/** The rule of a facet that a choice would need, if it is known. */
function ruleFor(facets, name, choice) {
    const axis = (facets ?? []).flatMap(({ axes }) => axes).find((one) => one.unit && isAxisNamed(one, name));
    if (!axis) return name;
    const times = [choice].flat().filter((one) => one && !isUncounted(one));
    const odd = times.find((one) => !unitOf(one));
    if (odd !== undefined) throw new Error(`${odd} is no time that facets tell: write 2024, 2024-Q1, 2024-02, 2024-W05, 2024-02-29 or 2024-02-29T12`);
    const finest = Math.max(-1, ...times.map((one) => timeUnits.indexOf(unitOf(one))));
    return finest < 0 ? name : `${axis.of}:${timeUnits[finest]}`;
}

/**
 * The facet for a selection: the smallest one with an axis for each name. `sum` is the attribute to sum up instead of
 * counting points.
 */
export function facetFor(facets, selection, sum) {
    const names = namesOf(selection);
    const best = facetOf(facets, names, selection, sum);
    if (!best) {
        for (const name of names) checkValues(facets, name, selection[name]);
        const known = (facets ?? []).map(({ name }) => name).join(", ") || "none";
        const early = (facets ?? []).flatMap(({ axes }) => axes).find((axis) => names.some((name) => isAxisNamed(axis, name)
            && isFineEnough(axis, selection[name]) && isTooEarly(axis, selection[name])));
        if (early) {
            throw new Error(`the archive counts each ${early.unit} of ${early.of} from ${early.values[0]} on, and all before together: `
                + "choose from then on, or leave the start open (null); facets of longer units reach further back");
        }
        const rules = names.map((name) => ruleFor(facets, name, selection[name]));
        throw new Error(`no facet tells ${rules.join(" and ")}${sum ? ` by the sum of ${sum}` : ""}: the archive has ${known}; `
            + `build it with --facet '${rules.join("*")}${sum ? `=sum:${sum}` : ""}'`);
    }
    return best;
}

/** The chosen indexes of each axis. */
const chosenPlaces = (facet, selection) => facet.axes.map((axis) => {
    const name = Object.keys(selection).find((one) => isAxisNamed(axis, one));
    return placesOf(axis, name === undefined ? undefined : selection[name]);
});

/** The runs of consecutive numbers in an ascending list. */
function runsOf(places) {
    const runs = [];
    for (const place of places) {
        if (runs.length > 0 && runs.at(-1)[1] === place - 1) runs.at(-1)[1] = place;
        else runs.push([place, place]);
    }
    return runs;
}

const sizeOf = (facet) => facet.axes.reduce((size, axis) => size * choicesOf(axis).length, 1);

/** The indexes in the text of a cluster whose numbers are added, and those that are subtracted. */
function termsOf(facet, selection) {
    const places = chosenPlaces(facet, selection);
    const last = choicesOf(facet.axes.at(-1)).length;
    const rows = facet.axes.length === 1 ? [0] : places[0];
    const terms = { plus: [], minus: [] };
    for (const row of rows) {
        if (!facet.running) terms.plus.push(...places.at(-1).map((place) => row * last + place));
        else for (const [from, to] of runsOf(places.at(-1))) {
            terms.plus.push(row * last + to);
            if (from > 0) terms.minus.push(row * last + from - 1);
        }
    }
    return terms;
}

/** Whether a point is among those chosen along an axis, as an expression. */
export function pointTest(axis, places) {
    const all = choicesOf(axis);
    if (places.length === all.length) return true;
    const value = ["get", axis.attribute];
    const isThere = axis.breaks ? ["==", ["typeof", value], "number"] : ["has", axis.attribute];
    const tests = [];
    const texts = axis.breaks ? [] : places.filter((place) => place < axis.values.length).map((place) => axis.values[place]);
    const isAmong = (list) => (axis.numbers ? ["in", value, ["literal", list.map(Number)]] : ["in", ["to-string", value], ["literal", list]]);
    if (axis.breaks) {
        for (const place of places.filter((one) => one <= axis.breaks.length)) {
            const bounds = [...(place > 0 ? [[">=", ["to-number", value], axis.breaks[place - 1]]] : []),
                ...(place < axis.breaks.length ? [["<", ["to-number", value], axis.breaks[place]]] : [])];
            tests.push(["all", isThere, ...bounds]);
        }
    } else if (texts.length > 0) tests.push(["all", isThere, isAmong(texts)]);
    for (const place of places) {
        if (all[place] === otherValues && axis.other) tests.push(["all", isThere, ["!", isAmong(axis.values)]]);
        if (all[place] === noValue && place === all.length - 1 && axis.none) tests.push(["!", isThere]);
    }
    return tests.length === 0 ? false : tests.length === 1 ? tests[0] : ["any", ...tests];
}

/** The number of digits of each number in a cluster's text. */
const widthOf = (facet) => ["/", ["length", ["get", facet.attribute]], sizeOf(facet)];

/** The chosen points of a cluster, for a number of digits. */
function totalOf(facet, selection) {
    const { plus, minus } = termsOf(facet, selection);
    const width = ["var", "covey_width"];
    const number = (place) => ["to-number", ["slice", ["get", facet.attribute], ["*", width, place], ["*", width, place + 1]], 0];
    const added = plus.length === 0 ? 0 : ["+", ...plus.map(number)];
    return minus.length === 0 ? added : ["-", added, ["+", ...minus.map(number)]];
}

/**
 * The number of chosen points of a marker, as an expression for any MapLibre: clusters have a text in which all counts
 * have the same number of digits, and single points have the values.
 */
export function countExpression(facets, selection, { sum } = {}) {
    const facet = facetFor(facets, selection, sum);
    const ofCluster = ["let", "covey_width", widthOf(facet), totalOf(facet, selection)];
    const places = chosenPlaces(facet, selection);
    const tests = facet.axes.map((axis, at) => pointTest(axis, places[at])).filter((test) => test !== true);
    const ofPoint = facet.sum ? ["to-number", ["get", facet.sum], 0] : 1;
    const ofChosen = tests.length === 0 ? ofPoint : tests.includes(false) ? 0 : ["case", tests.length === 1 ? tests[0] : ["all", ...tests], ofPoint, 0];
    return ["case", ["has", facet.attribute], ofCluster, ["has", "point_count"], 0, ofChosen];
}

/**
 * The counts of a cluster for each of some lists of choices along an attribute, among the points of a selection: expressions,
 * and the expression of the number of digits, which is `covey_width` in them. Null if no facet counts both.
 */
export function partCounts(facets, attribute, lists, selection) {
    const own = namesOf(selection);
    const facet = facetOf(facets, [...own, attribute], selection);
    if (!facet) return null;
    const axis = facet.axes.find((one) => isAxisNamed(one, attribute));
    const name = own.find((one) => isAxisNamed(axis, one));
    const chosen = new Set(choicesOf(axis, name && selection[name]));
    const others = Object.fromEntries(own.filter((one) => one !== name).map((one) => [one, selection[one]]));
    const numbers = lists.map((list) => totalOf(facet, { ...others, [attribute]: list.filter((one) => chosen.has(one)) }));
    return { numbers, width: widthOf(facet) };
}

/** The counts of a marker for each index of a facet, from its properties. */
export function countsOf(facet, properties) {
    const size = sizeOf(facet);
    const text = properties[facet.attribute];
    if (text === undefined) {
        const counts = new Array(size).fill(0);
        const place = properties.point_count === undefined ? placeOfPoint(facet, properties) : -1;
        if (place >= 0) counts[place] = facet.sum ? Number(properties[facet.sum]) || 0 : 1;
        return counts;
    }
    const width = text.length / size;
    const numbers = Array.from({ length: size }, (_, at) => Number(text.slice(at * width, (at + 1) * width)));
    const last = choicesOf(facet.axes.at(-1)).length;
    return facet.running ? numbers.map((number, at) => (at % last === 0 ? number : number - numbers[at - 1])) : numbers;
}

/** The index of a point with some attributes along an axis, or -1. */
function placeOn(axis, properties) {
    const all = choicesOf(axis);
    // Inherited members, such as constructor, are no attributes of the point.
    const value = Object.hasOwn(properties, axis.attribute) ? properties[axis.attribute] : undefined;
    if (axis.breaks) {
        if (typeof value !== "number") return axis.none ? all.length - 1 : -1;
        const above = axis.breaks.findIndex((one) => value < one);
        return above < 0 ? axis.breaks.length : above;
    }
    if (value === undefined || value === null) return axis.none ? all.length - 1 : -1;
    const place = axis.numbers ? axis.values.findIndex((one) => Number(one) === value) : axis.values.indexOf(String(value));
    return place < 0 && axis.other ? axis.values.length : place;
}

function placeOfPoint(facet, properties) {
    let place = 0;
    for (const axis of facet.axes) {
        const own = placeOn(axis, properties);
        if (own < 0) return -1;
        place = place * choicesOf(axis).length + own;
    }
    return place;
}

/** Whether points are chosen: a function of their attributes. */
export function matcher(facets, selection) {
    const facet = facetFor(facets, selection);
    const places = chosenPlaces(facet, selection).map((list) => new Set(list));
    return (properties) => facet.axes.every((axis, at) => places[at].has(placeOn(axis, properties)));
}

/** The abbreviations of a locale for large numbers: from which number on, the unit, and the text around it. */
function lettersOf(locale) {
    const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 1, numberingSystem: "latn" });
    const letters = [];
    for (let power = 3; power < 16; power++) {
        const parts = compact.formatToParts(10 ** power);
        const isFigure = ({ type }) => type === "integer" || type === "group";
        const [first, last] = [parts.findIndex(isFigure), parts.findLastIndex(isFigure)];
        const shown = Number(parts.filter(({ type }) => type === "integer").map(({ value }) => value).join(""));
        const textOf = (some) => some.map(({ value }) => value).join("");
        const [before, behind] = [textOf(parts.slice(0, first)), textOf(parts.slice(last + 1))];
        const unit = 10 ** power / shown;
        if ((before || behind) && letters.at(-1)?.unit !== unit) letters.push({ from: 10 ** power, unit, before, behind });
    }
    return letters;
}

const ownLetters = [[1e3, "k"], [1e6, "M"], [1e9, "G"]].map(([unit, behind]) => ({ from: unit, unit, before: "", behind }));

/**
 * A number in the short notation of a locale (1.2K, 1,2 Mio., 1.2万), as an expression; without a locale in that of
 * Covey's short counts (1.2k).
 */
export function shortCount(count, locale) {
    const value = ["var", "covey_count"];
    const written = (unit, digits) => {
        const number = unit === 1 ? value : ["/", ["round", ["/", value, unit / 10 ** digits]], 10 ** digits];
        return locale === undefined ? ["to-string", number] : ["number-format", number, { locale, "max-fraction-digits": digits }];
    };
    const letters = locale === undefined ? ownLetters : lettersOf(locale);
    // A number that is rounded up to a unit is written with it.
    const starts = letters.map(({ from }, at) => (at === 0 ? from : Math.max(from - letters[at - 1].unit / 2, 9.95 * letters[at - 1].unit)));
    const branches = letters.flatMap(({ unit, before, behind }, at) => {
        const text = (digits) => ["concat", before, written(unit, digits), behind].filter((part) => part !== "");
        const [start, whole, end] = [starts[at], Math.max(starts[at], 9.95 * unit), starts[at + 1] ?? Infinity];
        return [...(start < whole ? [start, text(1)] : []), ...(whole < end ? [whole, text(0)] : [])];
    });
    return ["let", "covey_count", count, ["step", value, written(1, 0), ...branches]];
}
