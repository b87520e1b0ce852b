// Evaluates the paint properties of a layer for a feature: the part of MapLibre's expressions that markers need.

const toNumber = (value) => (typeof value === "number" ? value : Number(value) || 0);

const mixed = (a, b, share) => {
    if (typeof a === "number") return a + (b - a) * share;
    return share < 0.5 ? a : b;
};

const operators = {
    literal: ([value]) => value,
    get: ([name], { properties }) => (Object.hasOwn(properties, name) ? properties[name] : null),
    has: ([name], { properties }) => Object.hasOwn(properties, name),
    zoom: (_, { zoom }) => zoom,
    "!": ([one], at) => !evaluate(one, at),
    all: (list, at) => list.every((one) => evaluate(one, at)),
    any: (list, at) => list.some((one) => evaluate(one, at)),
    "==": ([a, b], at) => evaluate(a, at) === evaluate(b, at),
    "!=": ([a, b], at) => evaluate(a, at) !== evaluate(b, at),
    ">": ([a, b], at) => evaluate(a, at) > evaluate(b, at),
    ">=": ([a, b], at) => evaluate(a, at) >= evaluate(b, at),
    "<": ([a, b], at) => evaluate(a, at) < evaluate(b, at),
    "<=": ([a, b], at) => evaluate(a, at) <= evaluate(b, at),
    "+": (list, at) => list.reduce((sum, one) => sum + toNumber(evaluate(one, at)), 0),
    "*": (list, at) => list.reduce((product, one) => product * toNumber(evaluate(one, at)), 1),
    "-": ([a, b], at) => (b === undefined ? -toNumber(evaluate(a, at)) : toNumber(evaluate(a, at)) - toNumber(evaluate(b, at))),
    "/": ([a, b], at) => toNumber(evaluate(a, at)) / toNumber(evaluate(b, at)),
    ln: ([one], at) => Math.log(toNumber(evaluate(one, at))),
    sqrt: ([one], at) => Math.sqrt(toNumber(evaluate(one, at))),
    round: ([one], at) => Math.round(toNumber(evaluate(one, at))),
    length: ([one], at) => evaluate(one, at)?.length ?? 0,
    slice: ([one, from, to], at) => String(evaluate(one, at) ?? "").slice(evaluate(from, at), to === undefined ? undefined : evaluate(to, at)),
    in: ([one, list], at) => evaluate(list, at).includes(evaluate(one, at)),
    typeof: ([one], at) => typeof evaluate(one, at),
    let: (list, at) => {
        const bound = { ...at.bound };
        for (let index = 0; index + 1 < list.length; index += 2) bound[list[index]] = evaluate(list[index + 1], at);
        return evaluate(list.at(-1), { ...at, bound });
    },
    var: ([name], { bound }) => bound[name],
    "number-format": ([one, { locale, "max-fraction-digits": maximumFractionDigits }], at) =>
        new Intl.NumberFormat(locale, { maximumFractionDigits }).format(toNumber(evaluate(one, at))),
    concat: (list, at) => list.map((one) => evaluate(one, at) ?? "").join(""),
    coalesce: (list, at) => list.map((one) => evaluate(one, at)).find((value) => value !== null && value !== undefined) ?? null,
    "to-string": ([one], at) => String(evaluate(one, at) ?? ""),
    "to-number": (list, at) => list.map((one) => Number(evaluate(one, at))).find((value) => !Number.isNaN(value)) ?? 0,
    case(list, at) {
        for (let index = 0; index + 1 < list.length; index += 2) if (evaluate(list[index], at)) return evaluate(list[index + 1], at);
        return evaluate(list.at(-1), at);
    },
    match([input, ...list], at) {
        const value = evaluate(input, at);
        for (let index = 0; index + 1 < list.length; index += 2) {
            if ([list[index]].flat().includes(value)) return evaluate(list[index + 1], at);
        }
        return evaluate(list.at(-1), at);
    },
    step([input, first, ...stops], at) {
        const value = toNumber(evaluate(input, at));
        let found = first;
        for (let index = 0; index < stops.length; index += 2) if (value >= stops[index]) found = stops[index + 1];
        return evaluate(found, at);
    },
    interpolate([[kind, base], input, ...stops], at) {
        const value = toNumber(evaluate(input, at));
        const next = stops.findIndex((stop, index) => index % 2 === 0 && stop > value);
        if (next === 0) return evaluate(stops[1], at);
        if (next < 0) return evaluate(stops.at(-1), at);
        const [low, high] = [stops[next - 2], stops[next]];
        const share = kind !== "exponential" || base === 1 ? (value - low) / (high - low)
            : (base ** (value - low) - 1) / (base ** (high - low) - 1);
        return mixed(evaluate(stops[next - 1], at), evaluate(stops[next + 1], at), share);
    },
};

/** The value of an expression for a feature at a zoom; undefined if an operator is not supported. */
export function evaluate(expression, at) {
    if (!Array.isArray(expression)) return expression;
    const [operator, ...list] = expression;
    return operators[operator]?.(list, at);
}
