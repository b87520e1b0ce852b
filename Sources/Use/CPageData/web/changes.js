// Temporary changes of a map's style.

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** A value of a layer: its filter, its minimum zoom, or a property of paint or layout. */
const valueAt = (layer, [part, key]) => (key === undefined ? layer[part] : layer[part]?.[key]);

/** The members of a layer that have values. */
const placesIn = (...layers) => [["filter"], ["minzoom"], ...["paint", "layout"].flatMap((part) =>
    [...new Set(layers.flatMap((layer) => Object.keys(layer[part] ?? {})))].map((key) => [part, key]))];

/**
 * The changes of a style's layers, with the earlier values. A change is undone only if the style still has it, because the
 * page may set values or another style.
 */
export class StyleChanges {
    constructor(map, options) {
        Object.assign(this, { map, options, known: new Map(), sheet: undefined });
    }

    /** The layers of the style; none while it is loaded. */
    get layers() {
        const style = this.map.getStyle();
        if (!style) return [];
        // Not all versions of MapLibre report a new style. A new style may be made from the old one, with the changes in it.
        const { stylesheet } = this.map.style;
        if (stylesheet !== this.sheet) {
            const there = new Map(style.layers.map((layer) => [layer.id, layer]));
            for (const [id, list] of this.known) if (!there.has(id) || this.of(there.get(id)).length < list.length) this.known.delete(id);
            this.sheet = stylesheet;
        }
        return style.layers;
    }

    /** The changes of a layer that are still there. */
    of(layer) {
        return (this.known.get(layer.id) ?? []).filter(({ place, made }) => isSame(valueAt(layer, place), made));
    }

    /** A layer without its changes. */
    without(layer) {
        const own = { ...layer, paint: { ...layer.paint }, layout: { ...layer.layout } };
        for (const { place: [part, key], before } of this.of(layer)) {
            if (key === undefined) own[part] = before;
            else own[part][key] = before;
        }
        return own;
    }

    /** Replaces the values of a layer at once: the map lays out its tiles again at the next frame, without a request. */
    write(layer, made) {
        const own = this.without(layer);
        const list = [];
        for (const place of placesIn(layer, own, made)) {
            const [before, now, wanted] = [own, layer, made].map((one) => valueAt(one, place));
            if (!isSame(now, wanted)) this.set(layer, place, wanted);
            if (!isSame(before, wanted)) list.push({ place, before, made: wanted });
        }
        if (list.length > 0) this.known.set(layer.id, list);
        else this.known.delete(layer.id);
    }

    undo() {
        for (const layer of this.layers) if (this.known.has(layer.id)) this.write(layer, this.without(layer));
    }

    set({ id, maxzoom }, [part, key], value) {
        if (part === "filter") this.map.setFilter(id, value ?? null, this.options);
        else if (part === "minzoom") this.map.setLayerZoomRange(id, value, maxzoom);
        else this.map[part === "paint" ? "setPaintProperty" : "setLayoutProperty"](id, key, value, this.options);
    }
}
