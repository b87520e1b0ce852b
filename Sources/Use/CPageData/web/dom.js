/** The element of the page with that id. */
export const element = (id) => document.getElementById(id);

/** A new element with text, which is never parsed as markup. */
export function make(tag, text = "", className = "") {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.textContent = text;
    return made;
}

/** A new element with the text and the links of markup that the server has cleaned. */
export function makeLinked(tag, markup) {
    const made = make(tag);
    const read = new DOMParser().parseFromString(markup, "text/html");
    for (const node of read.body.childNodes) {
        const link = node.nodeName === "A" ? node.getAttribute("href") ?? "" : "";
        if (/^(https?:\/\/|mailto:)/i.test(link)) {
            const anchor = make("a", node.textContent);
            anchor.href = link;
            made.append(anchor);
        } else {
            made.append(node.textContent);
        }
    }
    return made;
}

/** The content of a `meta` element of the document. */
export const setting = (name) => document.querySelector(`meta[name=covey-${name}]`).content;

/** A button with text; `label` explains what it does if the text does not. */
export function button(text, act, { label, className = "" } = {}) {
    const made = make("button", text, className);
    made.type = "button";
    if (label) made.setAttribute("aria-label", label);
    made.onclick = act;
    return made;
}

/** Sets a button's text and label. */
export function rename(button, text, label) {
    button.textContent = text;
    button.setAttribute("aria-label", label);
}

/** Shows a notice above the page; an empty text hides it. */
export function notice(text) {
    element("notice").textContent = text;
    element("notice").hidden = !text;
}

/** A small drawing of one shape. */
function drawing(size, shape, attributes) {
    const [svg, inner] = ["svg", shape].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
    for (const [key, value] of Object.entries({ width: size, height: size, "aria-hidden": true })) svg.setAttribute(key, value);
    for (const [key, value] of Object.entries(attributes)) inner.setAttribute(key, value);
    svg.append(inner);
    return svg;
}

/** A coloured dot. */
export const dot = (color, radius = 6) => drawing(14, "circle", { cx: 7, cy: 7, r: radius, fill: color });

/** The corners of a picture that fills its frame. */
export const corners = () => drawing(16, "path", {
    d: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4", fill: "none", stroke: "currentColor", "stroke-width": 2,
});

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** A count, in groups of three digits. */
export const count = (number) => grouped.format(number);

const fine = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** A value in the notation of the locale; years and other short whole numbers are not changed. */
export function shown(thing) {
    if (typeof thing === "number") {
        if (Number.isInteger(thing)) return Math.abs(thing) < 10000 ? String(thing) : grouped.format(thing);
        return Math.abs(thing) < 1000 ? fine.format(thing) : grouped.format(Math.round(thing * 10) / 10);
    }
    if (typeof thing === "boolean") return thing ? "yes" : "no";
    return thing !== null && typeof thing === "object" ? JSON.stringify(thing) : String(thing);
}
