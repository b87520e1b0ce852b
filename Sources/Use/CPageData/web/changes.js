// What is written into a map's style for a while, and taken out again.

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** A value of a layer: its filter or first zoom, or one of its paint or layout. */
const valueAt = (layer, [part, key]) => (key === undefined ? layer[part] : layer[part]?.[key]);

/** Where layers have values. */
const placesIn = (...layers) => [["filter"], ["minzoom"], ...["paint", "layout"].flatMap((part) =>
    [...new Set(layers.flatMap((layer) => Object.keys(layer[part] ?? {})))].map((key) => [part, key]))];

/**
 * What was written into the layers of a style, and what was there before. It is taken out only where the style still has
 * it: pages set values too, and other styles.
 */
export class StyleChanges {
    constructor(map, options) {
        Object.assign(this, { map, options, known: new Map(), sheet: undefined });
    }

    /** The layers of the style; none while it is loaded. */
    get layers() {
        const style = this.map.getStyle();
        if (!style) return [];
        // Not all versions of MapLibre tell of another style. It may be made of the one before, with all that was written into a layer.
        const { stylesheet } = this.map.style;
        if (stylesheet !== this.sheet) {
            const there = new Map(style.layers.map((layer) => [layer.id, layer]));
            for (const [id, list] of this.known) if (!there.has(id) || this.of(there.get(id)).length < list.length) this.known.delete(id);
            this.sheet = stylesheet;
        }
        return style.layers;
    }

    /** What was written into a layer and is still there. */
    of(layer) {
        return (this.known.get(layer.id) ?? []).filter(({ place, made }) => isSame(valueAt(layer, place), made));
    }

    /** A layer without what was written into it. */
    without(layer) {
        const own = { ...layer, paint: { ...layer.paint }, layout: { ...layer.layout } };
        for (const { place: [part, key], before } of this.of(layer)) {
            if (key === undefined) own[part] = before;
            else own[part][key] = before;
        }
        return own;
    }

    /** Makes a layer of the style another one, all at once: a map lays its tiles out anew when it draws next, without a request. */
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
