// Follows an archive behind `covey serve` that may change while it is looked at.
import { addressOf } from "./address.js";
import { doubtSource } from "./protocol.js";
import { Served } from "./served.js";

/** Takes bounds and zooms from new TileJSON: a map asks for no tile outside of them. What is stated otherwise stays. */
function takeExtent(source, tileJSON, stated) {
    const { bounds, minzoom, maxzoom } = { ...tileJSON, ...stated };
    Object.assign(source, { bounds, minzoom, maxzoom });
    const { tileBounds } = source;
    if (tileBounds) source.tileBounds = new tileBounds.constructor(bounds, minzoom, maxzoom);
}

/** Has the tiles of a source asked for again. Those out of sight are forgotten; those in sight stay until the new ones are there. */
export function refresh(map, sourceId) {
    const source = map.getSource(sourceId);
    if (!source) throw new TypeError(`the map has no source "${sourceId}"`);
    doubtSource(source);
    if (map.refreshTiles) return map.refreshTiles(sourceId);
    // Early versions 5 of MapLibre GL JS have no public way to that.
    const kept = map.style?.sourceCaches?.[sourceId];
    if (!kept?._reloadTile) return source.setTiles(source.tiles);
    kept._cache.reset();
    for (const tile of Object.keys(kept._tiles)) kept._reloadTile(tile, "expired");
}

/**
 * Has the tiles of a source asked for again whenever its archive has changed. `url` is the address of the archive where the
 * source does not have it. `changed` is told of each change, with the tiles that are others as "z/x/y", or null where all may be, and
 * with the TileJSON as it is now. `overridesStyle` takes new bounds and zooms even where the style states its own.
 * The answer's `stop()` ends it, and so does the end of the map.
 */
export function follow(map, sourceId, { url, changed = () => {}, overridesStyle = false } = {}) {
    const address = url ?? map.getSource(sourceId)?.url;
    if (!address) throw new TypeError(`the map has no source "${sourceId}" with a TileJSON url`);
    if (/^pmtiles:|\.pmtiles$/.test(address)) throw new TypeError(`only covey serve tells of changes; of ${address}, refresh(map, "${sourceId}") reads tiles again`);
    const ending = new AbortController();
    const archive = () => new Served(addressOf(address, { kind: "served" }), ending.signal);
    const events = new EventSource(archive().at("/events"));
    const stop = () => {
        map.off("remove", stop);
        events.close();
        ending.abort();
    };
    events.addEventListener("replaced", async ({ data }) => {
        const tileJSON = await archive().tileJSON().catch(() => null);
        const source = !ending.signal.aborted && map.getSource(sourceId);
        if (!source) return;
        if (tileJSON) takeExtent(source, tileJSON, overridesStyle ? {} : source.serialize());
        refresh(map, sourceId);
        // Has the map look for tiles that it had not before.
        source.fire({ type: "data", dataType: "source", sourceDataType: "metadata" });
        changed(JSON.parse(data).tiles, tileJSON);
    });
    map.on("remove", stop);
    return { stop };
}
