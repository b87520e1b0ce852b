// Addresses of archives: their kind, their path, and their query, which each request has at its end.

/**
 * The kind of an archive, `pmtiles`, `folder` or, if the address does not show it, `other`; the path of its parts, which
 * ends with a slash for a folder; and its query.
 */
export function addressOf(text, { kind, other = "served" } = {}) {
    let url;
    try {
        url = new URL(text, globalThis.location?.href);
    } catch {
        throw new TypeError(`"${text}" is no whole address, such as https://example.org/places.pmtiles`);
    }
    const [path, query] = [url.href.split(/[?#]/)[0], url.search];
    const isFolder = path.endsWith("/") || path.endsWith("/tiles.json");
    const own = kind ?? (path.endsWith(".pmtiles") ? "pmtiles" : isFolder ? "folder" : other);
    return { kind: own, path: own === "folder" ? path.replace(/\/([^/]*\.json)?$|$/, "/") : path, query };
}

/** An address with a query added to its own, if it has one. */
export function withQuery(address, query) {
    return query && address.includes("?") ? `${address}&${query.slice(1)}` : address + query;
}
