/** The element of the page with that id. */
export const element = (id) => document.getElementById(id);

/** A new element with text; text is never taken for markup. */
export function make(tag, text = "", className = "") {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.textContent = text;
    return made;
}

/** A new element with text and links, of markup that the server has cleaned; nothing else of it counts. */
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
