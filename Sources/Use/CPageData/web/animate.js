// Animates clusters that split and join: markers move from and to the markers of the other zoom, and fade.
import { StyleChanges } from "./changes.js";
import { evaluate } from "./paint.js";

/** A marker: a cluster or a point at a zoom. */
function markerOf({ id, sourceLayer, properties, geometry }, layer) {
    const name = sourceLayer ?? layer;
    const count = properties.point_count ?? 1;
    const place = geometry.coordinates;
    if (properties.cluster_id === undefined) {
        const own = id ?? place.map((degrees) => degrees.toFixed(5)).join() + JSON.stringify(properties);
        return { key: `${name}/point/${own}`, layer: name, properties, place, count };
    }
    return { key: `${name}/${properties.cluster_id}`, layer: name, properties, place, count, isCluster: true };
}

/** Whether a cluster is the parent that a marker names. */
const isNamed = (outer, inner) => outer.isCluster && outer.properties.cluster_id === inner.properties.parent;

const smooth = (share) => share * share * (3 - 2 * share);

/** A longitude in the copy of the world in which it is nearest to another. */
const beside = (longitude, middle) => longitude + 360 * Math.round((middle - longitude) / 360);

/** The properties that move the layers of each type. */
const translations = { circle: ["circle-translate"], symbol: ["text-translate", "icon-translate"] };

/** A marker's opacity: from one value to another between two moments of an animation. */
const fades = {
    stays: [1, 1, 0, 1], comesOut: [0, 1, 0, 0.35], comesApart: [1, 0, 0.15, 0.7], goesIn: [1, 0, 0.6, 1], comesTogether: [0, 1, 0.35, 0.8],
};

function opacityAt(share, [start, end, from, to]) {
    return start + (end - start) * Math.min(Math.max((share - from) / (to - from), 0), 1);
}

/** The layers of a style by role. */
function layersByRole(layers, source) {
    const found = {};
    for (const layer of layers) {
        const role = layer.metadata?.["covey:role"];
        if (!["clusters", "donuts", "counts", "points"].includes(role) || (source && layer.source !== source)) continue;
        if (layer.layout?.visibility !== "none") (found[role] ??= []).push(layer);
    }
    return found;
}

class Animation {
    constructor(map, { source, duration = 350, now = () => performance.now(), always = false } = {}) {
        Object.assign(this, { map, source, duration, now, always });
        this.canvas = document.createElement("canvas");
        this.canvas.className = "covey-motion";
        this.canvas.style.cssText = "position:absolute;inset:0;width:100%;height:100%;pointer-events:none";
        map.getCanvasContainer().append(this.canvas);
        this.calm = matchMedia("(prefers-reduced-motion: reduce)");
        this.moves = null;
        this.changes = new StyleChanges(map);
        this.look = () => this.update();
        map.on("render", this.look);
    }

    stop() {
        this.map.off("render", this.look);
        this.settle();
        this.canvas.remove();
    }

    get level() {
        const source = this.map.getSource(this.source ?? this.layers.clusters?.[0]?.source);
        return Math.min(Math.max(Math.floor(this.map.getZoom()), source?.minzoom ?? 0), source?.maxzoom ?? 22);
    }

    /** The visible copies of the world, as turns from the copy in the middle. */
    get copies() {
        const bounds = this.map.getBounds();
        const most = Math.max(Math.ceil((bounds.getEast() - bounds.getWest() - 360) / 720), 0);
        return Array.from({ length: 2 * most + 1 }, (_, at) => at - most);
    }

    /** The pixel of a place: of its copy nearest to a longitude, or so many turns from that. */
    at([longitude, latitude], turns = 0, middle = this.map.getCenter().lng) {
        return this.map.project([beside(longitude, middle) + 360 * turns, latitude]);
    }

    /** Whether a place is on the far side of a globe. */
    isBehind([lng, lat]) { return Boolean(this.map.transform.isLocationOccluded?.({ lng, lat })); }

    /** All visible markers, from the loaded tiles. */
    markers() {
        const found = new Map();
        const { clientWidth: width, clientHeight: height } = this.map.getCanvas();
        const names = new Set([...this.layers.clusters ?? [], ...this.layers.points ?? []]
            .map((layer) => `${layer.source}\n${layer["source-layer"]}`));
        for (const name of names) {
            const [source, sourceLayer] = name.split("\n");
            for (const feature of this.map.querySourceFeatures(source, { sourceLayer })) {
                if (feature.geometry.type !== "Point") continue;
                const marker = markerOf(feature, sourceLayer);
                const isNear = this.copies.some((turns) => {
                    const at = this.at(marker.place, turns);
                    return at.x > -100 && at.y > -100 && at.x < width + 100 && at.y < height + 100;
                });
                if (isNear && !this.isBehind(marker.place) && !found.has(marker.key) && this.isDrawn(marker)) found.set(marker.key, marker);
            }
        }
        return found;
    }

    /** Whether the style draws a marker, which a filter may leave out. */
    isDrawn({ layer: name, properties, isCluster }) {
        const own = (this.layers[isCluster ? "clusters" : "points"] ?? []).filter((layer) => layer["source-layer"] === name);
        return own.length === 0 || own.some(({ filter }) => !filter || evaluate(filter, { properties, zoom: this.level }) !== false);
    }

    /** Checks in each frame whether the zoom has other markers. */
    update() {
        if (this.calm.matches && !this.always) return;
        this.layers = layersByRole(this.changes.layers, this.source);
        if (!this.layers.clusters) return this.settle();
        const sources = new Set(this.layers.clusters.map((layer) => layer.source));
        const isThere = [...sources].every((one) => this.map.isSourceLoaded(one));
        const level = this.level;
        if (this.shown && level !== this.shown.level) {
            if (isThere) this.begin(level);
            // The markers of the earlier zoom stay until the tiles of this zoom are loaded.
            else if (!this.moves) this.hold();
        } else if (!this.moves && isThere) {
            this.shown = { level, markers: this.markers() };
        }
        if (this.moves) this.frame();
    }

    hold() {
        this.moves = [...this.shown.markers.values()].map((marker) => ({ marker, from: marker.place, to: marker.place, fade: fades.stays }));
        this.started = Infinity;
        this.hide(true);
    }

    /** Finds the place from which or to which each marker moves. */
    begin(level) {
        const before = this.shown.markers;
        const after = this.markers();
        const gone = [...before.values()].filter(({ key }) => !after.has(key));
        const come = [...after.values()].filter(({ key }) => !before.has(key));
        const splits = level > this.shown.level;
        const wholes = splits ? this.wholes(come, gone) : this.wholes(gone, come);
        this.moves = [...after.values()].filter(({ key }) => before.has(key))
            .map((marker) => ({ marker, from: marker.place, to: marker.place, fade: fades.stays }));
        for (const marker of gone) {
            const end = splits ? undefined : wholes.get(marker.key);
            this.moves.push({ marker, from: marker.place, to: end?.place ?? marker.place, fade: splits ? fades.comesApart : fades.goesIn });
        }
        for (const marker of come) {
            const start = splits ? wholes.get(marker.key)?.place ?? this.parentPlace(marker, level) : undefined;
            this.moves.push({ marker, from: start ?? marker.place, to: marker.place, fade: splits ? fades.comesOut : fades.comesTogether });
        }
        this.shown = { level, markers: after };
        this.started = this.now();
        this.hide(true);
    }

    /**
     * The larger marker that each of the others belongs to: the parent that it names, or the nearest one that still lacks
     * so many points; for the rest, the nearest one within a limit.
     */
    wholes(parts, larger) {
        const pairs = [];
        for (const part of parts) {
            const at = this.at(part.place);
            for (const whole of larger) {
                if (whole.layer !== part.layer || whole.count <= part.count) continue;
                const place = this.at(whole.place);
                const distance = isNamed(whole, part) ? 0 : Math.hypot(place.x - at.x, place.y - at.y);
                if (distance < 200) pairs.push({ part, whole, distance });
            }
        }
        pairs.sort((a, b) => a.distance - b.distance);
        const room = new Map(larger.map(({ key, count }) => [key, count]));
        const found = new Map();
        for (const isSpare of [false, true]) {
            for (const { part, whole } of pairs) {
                if (found.has(part.key) || (!isSpare && room.get(whole.key) < part.count)) continue;
                room.set(whole.key, room.get(whole.key) - part.count);
                found.set(part.key, whole);
            }
        }
        return found;
    }

    /** The place of a marker's parent, if the marker has the offset to it. */
    parentPlace({ place, properties: { parent_dx: dx, parent_dy: dy } }, level) {
        if (dx === undefined || dy === undefined) return undefined;
        const scale = 2 ** (this.map.getZoom() - level);
        const at = this.at(place);
        return this.map.unproject([at.x + dx * scale, at.y + dy * scale]).toArray();
    }

    /** Hides the style's own markers: it moves them out of the view, so that no tile is laid out again. */
    hide(isHidden) {
        if (!isHidden) this.changes.undo();
        else for (const layer of Object.values(this.layers).flat()) {
            const moved = (translations[layer.type] ?? []).map((property) => [property, [0, 1e5]]);
            this.changes.write(layer, { ...layer, paint: { ...layer.paint, ...Object.fromEntries(moved) } });
        }
        this.map.triggerRepaint();
    }

    settle() {
        if (!this.moves) return;
        this.moves = null;
        this.hide(false);
        this.draw([]);
    }

    /** Draws this frame, and returns its markers. */
    frame() {
        if (!this.moves) return [];
        const share = this.started === Infinity ? 0 : Math.min((this.now() - this.started) / this.duration, 1);
        const eased = smooth(share);
        const { copies } = this;
        const middle = this.map.getCenter().lng;
        const pictures = this.moves.filter(({ from, to }) => !this.isBehind(from) && !this.isBehind(to)).flatMap(({ marker, from, to, fade }) => copies.map((turns) => {
            const [a, b] = [this.at(from, turns), this.at(to, turns, beside(from[0], middle))];
            return { marker, x: a.x + (b.x - a.x) * eased, y: a.y + (b.y - a.y) * eased, opacity: opacityAt(share, fade) };
        }));
        this.draw(pictures);
        if (share < 1) this.map.triggerRepaint();
        else this.settle();
        return pictures;
    }

    draw(pictures) {
        const { canvas, map } = this;
        const ratio = map.getPixelRatio?.() ?? devicePixelRatio;
        const { clientWidth: width, clientHeight: height } = map.getCanvas();
        if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
            Object.assign(canvas, { width: width * ratio, height: height * ratio });
        }
        const context = canvas.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        for (const picture of pictures) if (picture.opacity > 0) this.drawMarker(context, picture);
    }

    drawMarker(context, { marker: { layer: name, properties, isCluster }, x, y, opacity }) {
        const at = { properties, zoom: this.map.getZoom() };
        const own = (role) => this.layers[role]?.find((layer) => layer["source-layer"] === name);
        const layer = own(isCluster ? "clusters" : "points");
        if (!layer) return;
        const paint = (property, usual) => evaluate(layer.paint?.[property], at) ?? usual;
        context.globalAlpha = opacity;
        context.beginPath();
        context.arc(x, y, paint("circle-radius", 5), 0, 2 * Math.PI);
        context.fillStyle = paint("circle-color", "#000");
        context.fill();
        context.lineWidth = 2 * paint("circle-stroke-width", 0);
        if (context.lineWidth > 0) {
            context.strokeStyle = paint("circle-stroke-color", "#000");
            context.globalCompositeOperation = "destination-over";
            context.stroke();
            context.globalCompositeOperation = "source-over";
        }
        const counts = isCluster ? own("counts") : undefined;
        const text = evaluate(counts?.layout?.["text-field"] ?? counts?.layout?.["icon-image"], at);
        if (text === undefined || text === null) return;
        context.fillStyle = evaluate(counts.paint?.["text-color"], at) ?? "#fff";
        context.font = `600 ${evaluate(counts.layout?.["text-size"], at) ?? 12}px "Open Sans", system-ui, sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(String(text).replace(/^covey-count:/, ""), x, y + 0.5);
    }
}

/**
 * Animates the markers of Covey's styles when clusters split or join at a zoom: of one source, or of all without `source`.
 * Returns an object whose `stop()` ends it. Nothing moves if the user prefers reduced motion, unless `always` is set;
 * `duration` is in milliseconds.
 */
export function animate(map, options) {
    return new Animation(map, options);
}
