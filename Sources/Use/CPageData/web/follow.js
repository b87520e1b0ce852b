// Updates a map when the archive at `covey serve` changes.
import { addressOf } from "./address.js";
import { doubtSource } from "./protocol.js";
import { Served } from "./served.js";

/** Sets bounds and zooms from new TileJSON, because a map requests no tiles outside of them. Those of the style are kept. */
function takeExtent(source, tileJSON, stated) {
    const { bounds, minzoom, maxzoom } = { ...tileJSON, ...stated };
    Object.assign(source, { bounds, minzoom, maxzoom });
    const { tileBounds } = source;
    if (tileBounds) source.tileBounds = new tileBounds.constructor(bounds, minzoom, maxzoom);
}

/** Requests the tiles of a source again. Tiles that are not visible are dropped; the others stay until the new ones are loaded. */
export function refresh(map, sourceId) {
    const source = map.getSource(sourceId);
    if (!source) throw new TypeError(`the map has no source "${sourceId}"`);
    doubtSource(source);
    if (map.refreshTiles) return map.refreshTiles(sourceId);
    // Early versions 5 of MapLibre GL JS have no public method for that.
    const kept = map.style?.sourceCaches?.[sourceId];
    if (!kept?._reloadTile) return source.setTiles(source.tiles);
    kept._cache.reset();
    for (const tile of Object.keys(kept._tiles)) kept._reloadTile(tile, "expired");
}

/**
 * Requests the tiles of a source again whenever its archive has changed. `url` is the address of the archive, if the source
 * does not have it. `changed` is called for each change, with the changed tiles as "z/x/y", or null if all may have changed,
 * and with the new TileJSON. `overridesStyle` sets new bounds and zooms even if the style states its own. The `stop()` of the
 * result ends it, and so does the removal of the map.
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
        // The map requests tiles that did not exist before.
        source.fire({ type: "data", dataType: "source", sourceDataType: "metadata" });
        changed(JSON.parse(data).tiles, tileJSON);
    });
    map.on("remove", stop);
    return { stop };
}
