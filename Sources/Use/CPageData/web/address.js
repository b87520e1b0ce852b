// Addresses of archives: of what kind they are, and their query, which stays behind whatever is asked for.

/**
 * The kind of an archive, `pmtiles`, `folder` or, where the address does not say, `other`; the path below which its parts
 * are, which ends with a slash for a folder; and its query.
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

/** An address with a query behind it, which may have one of its own. */
export function withQuery(address, query) {
    return query && address.includes("?") ? `${address}&${query.slice(1)}` : address + query;
}
