// One archive on a map: drawing, features under the pointer, selection.
import { addFilters, animate, clusters, drawCounts, follow, protocol, refresh, spiderfy, unspiderfy } from "../covey.js";
import { basemap, foreignBasemap, glyphs, lastZoom, paint } from "./basemap.js";
import { button, corners, count, element, make, notice } from "./dom.js";
import { Filters } from "./filters.js";
import { Layers, nameOf } from "./layers.js";
import { isBinOf, Panel } from "./panel.js";
import { rooms, roomImage } from "./rooms.js";
import { TileInspector } from "./tile.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const empty = { type: "FeatureCollection", features: [] };
const accent = "#c2571a";
/** The most points of a fan. */
const mostFanned = 200;
/** The time until a request to a server that does not answer is repeated. */
const patience = 2000;

/** The layers over the data: a hull, a ring around the selection, a mark for a point of a list. */
const ownLayers = [
    { id: "covey-hull-area", type: "fill", source: "covey-hull", filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "fill-color": accent, "fill-opacity": 0.12 } },
    { id: "covey-hull-line", type: "line", source: "covey-hull", layout: { "line-join": "round" },
      paint: { "line-color": accent, "line-width": 2, "line-dasharray": [2, 1.5] } },
];
const markLayers = [
    { id: "covey-ring", type: "circle", source: "covey-ring",
      paint: { "circle-radius": ["get", "radius"], "circle-color": "rgba(0,0,0,0)", "circle-stroke-color": accent, "circle-stroke-width": 3 } },
    { id: "covey-mark", type: "circle", source: "covey-mark",
      paint: { "circle-radius": 7, "circle-color": accent, "circle-stroke-color": "#fff", "circle-stroke-width": 2.5 } },
];

/** A button that shows all data, and the zoom of the map. */
class FitControl {
    constructor(view) { this.view = view; }

    onAdd(map) {
        const group = make("div", "", "maplibregl-ctrl maplibregl-ctrl-group");
        const fit = button("", () => this.view.fit(), { label: "Fit to data", className: "fit" });
        fit.title = "Fit to data";
        fit.append(corners());
        const zoom = make("output", "", "zoom");
        zoom.setAttribute("aria-label", "Zoom");
        const tell = () => { zoom.textContent = map.getZoom().toFixed(1); };
        map.on("zoom", tell);
        tell();
        group.append(fit, zoom);
        this.group = group;
        return group;
    }

    onRemove() { this.group.remove(); }
}

/** The source and the layers of the archive's style, for a page that reads it at `url`. */
export function dataOf(style, described, url) {
    const { minzoom, maxzoom, bounds, attribution, format } = described;
    const isFolder = url.endsWith("/");
    const [name, source] = Object.entries(style.sources)[0];
    delete source.url;
    Object.assign(source, { minzoom, maxzoom, ...(bounds && { bounds }), ...(attribution && { attribution }) });
    // A static host may not declare the compression of tiles, and does not know which were left out.
    if (isFolder) maplibregl.addProtocol("covey", protocol);
    // The page may have another host name than the addresses in documents.
    const [tile] = described.tiles;
    const tileURL = `${url.replace(/\/$/, "")}/${tile.slice(tile.lastIndexOf("{z}"))}`;
    source.tiles = [isFolder ? `covey://${tileURL}` : tileURL];
    if ((format ?? "pbf") === "pbf") {
        return { name, source, tileURL, layers: style.layers.filter((layer) => layer.source === name) };
    }
    Object.assign(source, { type: "raster", tileSize: 256 });
    return { name, source, tileURL, layers: [{ id: "raster", type: "raster", source: name }] };
}

/** Whether two features are the same cluster or point. */
const isSame = (a, b) => a.properties.cluster_id === undefined ? keyOf(a) === keyOf(b)
    : a.properties.cluster_id === b.properties.cluster_id;

export class MapView {
    /** `foreign` is the address of a style that is drawn under the data instead of land. */
    constructor(archive, url, place, foreign) {
        this.archive = archive;
        this.foreign = foreign;
        this.url = url;
        this.place = place;
        this.stop = new AbortController();
        this.answers = clusters(url, { signal: this.stop.signal });
        this.isFolder = url.endsWith("/");
    }

    async open() {
        const base = this.url.replace(/\/$/, "");
        const signal = this.stop.signal;
        const { foreign } = this;
        const [response, described, world] = await Promise.all([
            fetch(`${base}/style.json`, { signal }), this.answers.tileJSON(),
            foreign ? foreignBasemap(foreign, signal) : basemap(dark.matches).first,
        ]);
        const style = await response.json();
        if (!response.ok) throw new Error(style.error);
        signal.throwIfAborted();
        this.described = described;
        const data = dataOf(style, described, this.url);
        Object.assign(this, { tileURL: data.tileURL, sourceName: data.name, dataLayers: data.layers });
        if (foreign) this.drawCountsAsIcons();
        this.map = new maplibregl.Map({
            container: "map", hash: false, maxZoom: 22, attributionControl: false, dragRotate: false,
            style: {
                version: 8, ...(foreign ? { ...world } : { glyphs }),
                sources: { ...world.sources, [data.name]: data.source },
                layers: [...world.layers, ...this.dataLayers],
            },
            // Without fading, the first view is complete some frames earlier.
            ...this.opening(), fadeDuration: 0,
        });
        this.map.on("error", ({ error, sourceId }) => this.tellError(error, sourceId));
        await this.furnish();
    }

    /** Shows what could not be drawn. Tiles are requested again as soon as the server answers again. */
    async tellError(error, sourceId) {
        console.error(error);
        // Without a valid style there is no map.
        if (!sourceId && !document.body.dataset.map) return notice(`The style of the map has a fault: ${error.message}`);
        const isAway = !error.status || error.status > 500;
        if (sourceId !== this.sourceName || this.isAway || (this.hasTold && !isAway)) return;
        Object.assign(this, { isAway, hasTold: true });
        notice(isAway ? "Tiles could not be loaded, as the server does not answer. They come when it does." : `Tiles could not be loaded: ${error.message}`);
        if (!isAway) return;
        const { signal } = this.stop;
        const answers = () => fetch(`${this.url.replace(/\/$/, "")}/style.json`, { cache: "no-store", signal }).then(({ ok }) => ok, () => false);
        do await new Promise((done) => setTimeout(done, patience)); while (!signal.aborted && !await answers());
        this.isAway = false;
        if (signal.aborted) return;
        notice("");
        refresh(this.map, this.sourceName);
    }

    /** Another style's glyphs may lack digits. */
    drawCountsAsIcons() {
        for (const { layout } of this.dataLayers) {
            if (!layout?.["text-field"]) continue;
            layout["icon-image"] = ["concat", "covey-count:", layout["text-field"]];
            layout["icon-allow-overlap"] = layout["icon-ignore-placement"] = true;
            for (const key of Object.keys(layout)) if (key.startsWith("text-")) delete layout[key];
        }
    }

    /** Adds layers that the first view does not need: the rest of the world, and the layers of a selection. */
    addLater() {
        const { map } = this;
        const world = this.foreign ? { sources: {}, layers: [] } : basemap(dark.matches).later;
        for (const [name, source] of Object.entries(world.sources)) map.addSource(name, source);
        for (const name of ["hull", "ring", "mark"]) map.addSource(`covey-${name}`, { type: "geojson", data: empty });
        for (const layer of [...world.layers, ...ownLayers]) map.addLayer(layer, this.dataLayers[0]?.id);
        map.addImage("covey-room", roomImage);
        const taken = rooms(this.dataLayers);
        for (const layer of [...taken, ...markLayers]) map.addLayer(layer);
        this.dataLayers.push(...taken);
    }

    /** The view of the address, or all data, but no wider than the world. */
    opening() {
        const worlds = Math.max(Math.log2(element("map").clientWidth / 512), 0);
        const placed = placeOf(this.place);
        if (placed) return placed;
        return { bounds: this.bounds, fitBoundsOptions: { padding: 48, maxZoom: 14 }, minZoom: Math.min(worlds, 1) - 1 };
    }

    /** The bounds of all data. */
    get bounds() {
        const { bounds: [west, south, east, north] = [-180, -85, 180, 85] } = this.described;
        return [[west, Math.max(south, -80)], [east, Math.min(north, 84)]];
    }

    /** The view in the notation of the address. */
    get here() {
        const { lng, lat } = this.map.getCenter();
        return `${this.map.getZoom().toFixed(2)}/${lat.toFixed(5)}/${lng.toFixed(5)}`;
    }

    fit() {
        this.map.fitBounds(this.bounds, { padding: 48, maxZoom: 14, duration: calm.matches ? 0 : 700 });
    }

    goTo(place) {
        const placed = placeOf(place);
        if (placed) this.map.jumpTo(placed);
        this.filters?.read(place);
    }

    async furnish() {
        const map = this.map;
        map.getCanvas().setAttribute("aria-label",
            `Map of ${this.archive.name}. Arrow keys move, plus and minus zoom, Enter selects what is in the middle and with Shift takes it apart, N and P go from marker to marker.`);
        map.addControl(new maplibregl.AttributionControl({ compact: true }), "bottom-right");
        map.addControl(new maplibregl.NavigationControl({ showCompass: false }), "bottom-right");
        map.addControl(new FitControl(this), "bottom-right");
        map.addControl(new maplibregl.ScaleControl(), "bottom-left");
        drawCounts(map);
        this.panel = new Panel(this);
        this.inspector = new TileInspector(map, this.tileURL, this.described, this.isFolder ? this.answers : null);
        // After everything of the first view is drawn.
        await new Promise((done) => map.once("load", done));
        this.addLater();
        this.legend = new Layers(this);
        await addFilters(map, { facets: facetsOf(this.described), source: this.sourceName });
        this.filters = new Filters(this, facetsOf(this.described));
        this.legend.offer();
        this.listen();
        this.applySwitches();
        this.motion = animate(map, { source: this.sourceName });
        if (this.described.events) {
            follow(map, this.sourceName, { url: this.url, changed: (_, described) => this.renew(described), overridesStyle: true });
        }
        document.body.dataset.map = this.archive.id;
    }

    listen() {
        const signal = this.stop.signal;
        const map = this.map;
        dark.addEventListener("change", () => {
            paint(map, dark.matches);
            if (this.legend.isDonuts) this.legend.choose(this.legend.by);
        }, { signal });
        element("switches").addEventListener("change", () => this.applySwitches(), { signal });
        element("switches").addEventListener("submit", (event) => event.preventDefault(), { signal });
        map.on("click", (event) => this.pick(this.featuresAt(event.point)));
        map.on("dblclick", (event) => {
            const [feature] = this.featuresAt(event.point);
            if (!feature || !this.canExpand(feature)) return;
            event.preventDefault();
            this.expand(feature);
        });
        map.on("mousemove", (event) => {
            map.getCanvas().style.cursor = this.featuresAt(event.point).length > 0 ? "pointer" : "";
        });
        map.on("moveend", () => this.tellPlace());
        map.on("zoom", () => this.tellGround());
        this.tellGround();
        // Enter selects the feature that is nearest to the middle.
        map.getCanvas().addEventListener("keydown", (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            if (event.key === "n" || event.key === "p") return this.step(event.key === "n" ? 1 : -1);
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            // The marker that a key has led to, or the one in the middle.
            const feature = this.panel.feature && this.stepped === this.panel.feature ? this.stepped : this.inOrder()[0];
            if (feature && event.shiftKey && this.canExpand(feature)) this.expand(feature);
            this.pick(feature ? [feature] : []);
        }, { signal });
        addEventListener("keydown", (event) => {
            if (event.key === "Escape" && !element("take").open) this.panel.close();
        }, { signal });
        map.on("idle", () => this.announce());
        map.on("movestart", (event) => { this.isStepping &&= Boolean(event.isReveal); });
        map.on("idle", () => this.filters.look());
    }

    /** Announces new data, and updates the selection. */
    async renew(described) {
        if (described) await this.renewFilters(described);
        element("fresh").hidden = false;
        clearTimeout(this.freshening);
        this.freshening = setTimeout(() => { element("fresh").hidden = true; }, 4000);
        const { feature } = this.panel;
        if (feature?.properties.cluster_id === undefined) return;
        const now = await this.answers.cluster(feature).catch((error) => (error.status === 404 ? null : feature));
        if (this.panel.feature !== feature || now === feature) return;
        if (!now) return void (element("panel-lead").textContent = "This cluster is no more: its points have changed.");
        const { sourceLayer, layer } = feature;
        await this.panel.show(Object.assign(now, { sourceLayer, layer }), [], { keepsFocus: true });
    }

    /** Adds values to the filter that were not counted before. */
    async renewFilters(described) {
        const [before, now] = [this.described, described].map(facetsOf);
        this.described = described;
        if (this.filters.controls.length === 0 || JSON.stringify(before) === JSON.stringify(now)) return;
        this.place = `${this.here}${this.filters.address}`;
        const { by } = this.legend;
        this.legend.choose("");
        this.filters.lift();
        this.filters.close();
        await addFilters(this.map, { facets: now, source: this.sourceName });
        this.filters = new Filters(this, now);
        // The new archive may not count the chosen values.
        this.legend.choose(by.startsWith("#") && !this.legend.donuts.includes(by) ? "" : by);
    }

    /** The layers of the style that have one of these roles. */
    layers(...roles) {
        return this.dataLayers.filter((layer) => roles.includes(layer.metadata?.["covey:role"])).map((layer) => layer.id);
    }

    drawn() {
        const layers = this.layers("clusters", "points", "raw")
            .filter((id) => this.map.getLayoutProperty(id, "visibility") !== "none");
        if (this.map.getLayer("covey-spider-points")) layers.push("covey-spider-points");
        return { layers };
    }

    /** The pixel of a place: of its copies in each world, that of the one nearest to the middle. */
    project([longitude, latitude]) {
        const turns = Math.round((this.map.getCenter().lng - longitude) / 360);
        return this.map.project([longitude + 360 * turns, latitude]);
    }

    /** All features at a pixel, each once, the uppermost first. */
    featuresAt(point) {
        const reach = 3;
        const box = [[point.x - reach, point.y - reach], [point.x + reach, point.y + reach]];
        const found = onceEach(this.map.queryRenderedFeatures(box, this.drawn()));
        return found.length > 0 ? found : this.binsAt(point).slice(0, 1);
    }

    /** The bins at a pixel, or all visible ones. */
    binsAt(place) {
        const layers = this.layers("bins");
        return layers.length > 0 ? this.map.queryRenderedFeatures(place, { layers }) : [];
    }

    /** The visible features, each once, from the middle outwards. */
    inOrder() {
        const { clientWidth, clientHeight } = this.map.getCanvas();
        const distance = (feature) => {
            if (feature.geometry.type !== "Point") return Infinity;
            const at = this.project(feature.geometry.coordinates);
            return Math.hypot(at.x - clientWidth / 2, at.y - clientHeight / 2);
        };
        return onceEach(this.map.queryRenderedFeatures(this.drawn())).sort((a, b) => distance(a) - distance(b));
    }

    /** Moves with the keyboard from one marker to the next; the focus stays on the map. */
    async step(by) {
        const all = this.inOrder();
        if (all.length === 0) return;
        const before = this.stepped ? all.findIndex((one) => keyOf(one) === keyOf(this.stepped)) : -1;
        const next = before < 0 ? (by > 0 ? 0 : all.length - 1) : (before + by + all.length) % all.length;
        this.stepped = all[next];
        this.isStepping = true;
        const shown = this.panel.show(all[next], [], { keepsFocus: true });
        element("announcer").textContent = `${element("panel-title").textContent}, ${next + 1} of ${all.length} in view`;
        this.reveal(all[next]);
        await shown;
    }

    /** Shows the features at a pixel; the map does not move. */
    async pick(features) {
        const isFanned = features.some((one) => one.layer?.id === "covey-spider-points");
        const fanned = isFanned ? 0 : this.fanOutPoints(features);
        if (features.length === 0) return this.panel.close();
        // The second click of a double click must not hit the panel.
        clearTimeout(this.revealing);
        this.revealing = setTimeout(() => this.reveal(features[0]), 400);
        const shown = this.panel.show(features[0], features);
        this.tellFan(fanned);
        await shown;
    }

    /** Moves the map only so far that a feature is not behind the panel. */
    reveal({ geometry }) {
        if (geometry.type !== "Point") return;
        const view = element("view").getBoundingClientRect();
        const panel = element("panel").getBoundingClientRect();
        const at = this.project(geometry.coordinates);
        const [x, y] = [at.x + view.left, at.y + view.top];
        const margin = 64;
        if (x < panel.left - margin || y < panel.top - margin || y > panel.bottom + margin) return;
        const by = panel.width < view.width / 2 ? [x - panel.left + margin, 0] : [0, y - panel.top + margin];
        this.map.panBy(by, { duration: calm.matches ? 0 : 300 }, { isReveal: true });
    }

    /** Whether a feature is a cluster with an expansion zoom. */
    canExpand({ properties }) {
        return properties.expansion_zoom !== undefined || (properties.cluster_id !== undefined && this.archive.clusters);
    }

    /** Moves the map to the expansion zoom of a cluster. */
    async expand(cluster) {
        clearTimeout(this.revealing);
        const zoom = await this.answers.expansionZoom(cluster).catch((error) => this.panel.fail(error));
        if (zoom === undefined) return;
        if (zoom > this.described.maxzoom) return this.fanOut(cluster);
        this.fly(cluster.geometry.coordinates, zoom);
    }

    /** Shows the points of a cluster that does not split at any zoom. */
    async fanOut(cluster) {
        const { features, numberMatched } = await this.answers.leaves(cluster, mostFanned).catch((error) => this.panel.fail(error)) ?? {};
        if (!features) return;
        const center = cluster.geometry.coordinates;
        // Below the deepest zoom of tiles it may still be drawn with others.
        if (this.map.getZoom() < this.described.maxzoom) {
            this.fly(center, this.described.maxzoom);
            await this.map.once("moveend");
        }
        this.showRing(null);
        spiderfy(this.map, center, features, { most: mostFanned });
        this.tellFan(numberMatched);
    }

    /** Shows in the panel that a place has more points than the fan. */
    tellFan(total) {
        if (total > mostFanned) element("panel-lead").textContent = `The first ${mostFanned} of ${count(total)} points are fanned out.`;
    }

    /** Fans out points that are drawn on one another, in place of an earlier fan. Returns their number. */
    fanOutPoints(features) {
        unspiderfy(this.map);
        const points = features.filter((one) => one.geometry.type === "Point" && !(one.properties.point_count > 1));
        if (points.length < 2) return 0;
        const [first, ...others] = points.map((one) => this.map.project(one.geometry.coordinates));
        const apart = others.some((at) => Math.hypot(at.x - first.x, at.y - first.y) > 1);
        if (apart) return 0;
        spiderfy(this.map, points[0].geometry.coordinates, points, { most: mostFanned });
        return points.length;
    }

    fly(center, zoom) {
        this.map.easeTo({ center, zoom, offset: this.freeMiddle(), duration: calm.matches ? 0 : 700 });
    }

    /** The middle of the map beside the panel, relative to the middle of the map. */
    freeMiddle() {
        const [view, panel] = ["view", "panel"].map((id) => element(id).getBoundingClientRect());
        if (panel.width === 0) return [0, 0];
        if (panel.width < view.width / 2) return [(panel.left - view.right) / 2, 0];
        return [0, (panel.top - view.bottom) / 2];
    }

    showHull(data) { this.map.getSource("covey-hull")?.setData(data ?? empty); }

    /** A ring around a selected feature, or around none. */
    showRing(feature) {
        if (feature?.geometry.type !== "Point") return this.map.getSource("covey-ring")?.setData(empty);
        const { properties, geometry } = feature;
        const radius = (properties.point_count > 1 ? this.legend?.radius(feature) ?? 18 : 6) + 5;
        this.map.getSource("covey-ring").setData({ type: "Feature", geometry, properties: { radius } });
    }

    /** A mark on a point of a list, or on none. */
    showMark(feature) { this.map.getSource("covey-mark")?.setData(feature ?? empty); }

    /** The zoom at which a point is drawn alone. */
    async zoomAlone([longitude, latitude], from) {
        let [low, high] = [from, this.described.maxzoom + 1];
        while (low < high) {
            const middle = (low + high) >> 1;
            const node = await this.answers.containing(longitude, latitude, middle);
            if (node.properties.point_count > 1) low = middle + 1;
            else high = middle;
        }
        return Math.min(low, this.described.maxzoom);
    }

    applySwitches() {
        const form = new FormData(element("switches"));
        // An archive without clusters and bins has only plain features.
        const can = (one) => one === "raw" || this.layers(one).length > 0;
        const draw = [form.get("draw"), "bins", "raw"].find(can);
        const nodes = ["clusters", "counts", "points", "legs", "room"];
        // A layer without clusters shows its bins or plain features together with the clusters of others.
        const shownOf = (name) => {
            const has = (role) => this.legend.drawnAs(name, role);
            const own = has("clusters") ? nodes : has("bins") ? ["bins", ...nodes] : ["raw", "legs"];
            return { clusters: own, bins: ["bins", ...own], heat: ["heat"], raw: own.includes("raw") ? own : ["raw"] }[draw];
        };
        element("dots").textContent = can("clusters") ? "Dots" : "Features";
        element("bins").hidden = !can("bins");
        if (draw === "heat") this.panel.close();
        for (const radio of element("switches").elements.draw) {
            radio.disabled = !can(radio.value);
            radio.checked = radio.value === draw;
        }
        for (const layer of this.dataLayers) {
            const { id, metadata } = layer;
            const role = metadata?.["covey:role"];
            if (!role) continue;
            const isShown = shownOf(nameOf(layer)).includes(role) && !this.legend.hidden.has(nameOf(layer));
            // If bins are shown, clusters begin after the last zoom with bins.
            const bins = draw === "bins" && nodes.includes(role) && this.legend.binsOf(nameOf(layer));
            const first = bins ? bins.maxzoom : layer.minzoom ?? 0;
            const wanted = isShown ? "visible" : "none";
            for (const one of [id, `${id}-donuts`].filter((name) => this.map.getLayer(name))) {
                // Setting the same value would load all tiles again.
                if (nodes.includes(role) && (this.map.getLayer(one).minzoom ?? 0) !== first) this.map.setLayerZoomRange(one, first, layer.maxzoom ?? 24);
                if ((this.map.getLayoutProperty(one, "visibility") ?? "visible") !== wanted) this.map.setLayoutProperty(one, "visibility", wanted);
            }
        }
        this.legend.draw = draw;
        this.legend.showLegend();
        this.map.showTileBoundaries = form.has("borders");
        this.inspector.enable(form.has("inspect"));
    }

    /** Shows a note where the map under the data has no more detail. */
    tellGround() {
        element("ground").hidden = Boolean(this.foreign) || !element("streets").value || this.map.getZoom() < lastZoom;
    }

    /** Writes the view to the address of the page, which can be shared. */
    tellPlace() {
        history.replaceState(null, "", `#${encodeURIComponent(this.archive.id)}@${this.here}${this.filters.address}`);
    }

    /** Announces the contents of the map to screen readers, except directly after a key has led to a marker. */
    announce() {
        const features = onceEach(this.map.queryRenderedFeatures(this.drawn()));
        const groups = features.filter((feature) => feature.properties.point_count > 1).length;
        if (!this.isStepping) element("announcer").textContent =
            `Zoom ${this.map.getZoom().toFixed(1)}: ${groups} clusters and ${features.length - groups} points in view.`;
        this.legend.look(features);
        this.keepSelection(features);
        document.body.dataset.idle = String(Number(document.body.dataset.idle ?? 0) + 1);
    }

    /** Clears a selection that is no longer drawn: a cluster that has split, or was joined to another. */
    keepSelection(features) {
        const { feature, isPinned } = this.panel;
        if (!feature || isPinned) return;
        const isBin = isBinOf(feature);
        if (!isBin && feature.geometry.type !== "Point") return;
        if ((isBin ? this.binsAt() : features).some((one) => isSame(feature, one))) return;
        // Outside of the view it may still exist.
        const { clientWidth, clientHeight } = this.map.getCanvas();
        const numbers = [feature.geometry.coordinates].flat(4);
        const places = numbers.flatMap((one, at) => (at % 2 ? [this.project([numbers[at - 1], one])] : []));
        const isWithin = (axis, length) => places.some((one) => one[axis] > 0) && places.some((one) => one[axis] < length);
        if (isWithin("x", clientWidth) && isWithin("y", clientHeight)) this.panel.close();
    }

    close() {
        clearTimeout(this.revealing);
        this.stop.abort();
        this.motion?.stop();
        this.filters?.close();
        this.panel?.close();
        this.inspector?.enable(false);
        this.map?.remove();
        delete document.body.dataset.map;
    }
}

const keyOf = (one) => (one.sourceLayer ?? "") + (one.id ?? JSON.stringify([one.properties, one.geometry.coordinates]));

/** Features without their copies in neighbouring tiles and worlds. */
function onceEach(features) {
    const seen = new Set();
    return features.filter((one) => !seen.has(keyOf(one)) && seen.add(keyOf(one)));
}

/** The facets of each layer, by its name. */
function facetsOf({ covey }) {
    return { __proto__: null, ...Object.fromEntries((covey?.layers ?? []).map(({ name, facets }) => [name, facets ?? []])) };
}

/** A view in the notation of the address, zoom/latitude/longitude, or null. */
function placeOf(text) {
    const [zoom, latitude, longitude] = (text ?? "").split("?")[0].split("/").map(Number);
    const isPlace = [zoom, latitude, longitude].every(Number.isFinite) && Math.abs(latitude) <= 90;
    return isPlace ? { zoom, center: [longitude, latitude] } : null;
}
