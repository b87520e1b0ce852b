/** The element of the page with that id. */
export const element = (id) => document.getElementById(id);

/** A new element with text; text is never taken for markup. */
export function make(tag, text = "", className = "") {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.textContent = text;
    return made;
}
