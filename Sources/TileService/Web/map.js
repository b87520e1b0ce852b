// One archive on a map: switches, selection, the hull of a cluster, tile borders, the inspector.
import { clusters, drawCounts, protocol } from "../covey.js";
import { element, make } from "./dom.js";
import { Panel } from "./panel.js";
import { TileInspector } from "./tile.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const empty = { type: "FeatureCollection", features: [] };

/** Meridians and parallels, for some hold in a map without land. */
function graticule() {
    const lines = [];
    for (let lon = -180; lon <= 180; lon += 30) lines.push([[lon, -85], [lon, 85]]);
    for (const lat of [-60, -30, 0, 30, 60]) lines.push([[-180, lat], [0, lat], [180, lat]]);
    return { type: "Feature", properties: {}, geometry: { type: "MultiLineString", coordinates: lines } };
}

export class MapView {
    constructor(archive, url) {
        this.archive = archive;
        this.url = url;
        this.stop = new AbortController();
        this.answers = clusters(url, { signal: this.stop.signal });
        this.isFolder = url.endsWith("/");
    }

    async open() {
        const base = this.url.replace(/\/$/, "");
        const response = await fetch(`${base}/style.json`, { signal: this.stop.signal });
        const style = await response.json();
        if (!response.ok) throw new Error(style.error);
        // The page may be reached by another name than the one that documents give.
        const { tiles: [tile], ...rest } = await this.answers.tileJSON();
        this.tileURL = base + tile.slice(tile.lastIndexOf("/{z}"));
        const source = Object.values(style.sources)[0];
        delete source.url;
        for (const key of ["minzoom", "maxzoom", "bounds", "attribution"]) {
            if (rest[key] !== undefined) source[key] = rest[key];
        }
        // A host of files need not know that tiles are packed.
        if (this.isFolder) maplibregl.addProtocol("covey", protocol);
        source.tiles = [this.isFolder ? `covey://${this.tileURL}` : this.tileURL];
        if (rest.format !== "pbf") this.showRaster(style, source);
        this.map = new maplibregl.Map({
            container: "map", style, hash: false, maxZoom: 22, attributionControl: false,
            center: rest.center.slice(0, 2), zoom: this.openingZoom(rest),
            renderWorldCopies: true, fadeDuration: calm.matches ? 0 : 150,
        });
        this.map.getCanvas().setAttribute("aria-label",
            `Map of ${this.archive.name}. Arrow keys move, plus and minus zoom.`);
        this.map.addControl(new maplibregl.NavigationControl({ showCompass: false }), "bottom-right");
        this.map.addControl(new maplibregl.AttributionControl({ compact: true }), "bottom-right");
        this.map.addControl(new maplibregl.ScaleControl(), "bottom-left");
        drawCounts(this.map);
        this.panel = new Panel(this);
        this.inspector = new TileInspector(this.map, this.tileURL, rest);
        await new Promise((done) => this.map.once("load", done));
        this.addOwnLayers();
        this.showLegend();
        this.listen();
        this.applySwitches();
        document.body.dataset.map = this.archive.id;
    }

    /** As the archive says, but no wider than the world. */
    openingZoom({ center }) {
        const worlds = element("map").clientWidth / 512;
        return Math.max(center[2], Math.log2(worlds), 0);
    }

    showRaster(style, source) {
        source.type = "raster";
        source.tileSize = 256;
        style.layers = [style.layers[0], { id: "raster", type: "raster", source: "points" }];
    }

    addOwnLayers() {
        const map = this.map;
        const first = map.getStyle().layers[1]?.id;
        map.addSource("covey-graticule", { type: "geojson", data: graticule() });
        map.addLayer({
            id: "covey-graticule", type: "line", source: "covey-graticule",
            paint: { "line-width": 1 },
        }, first);
        map.addSource("covey-hull", { type: "geojson", data: empty });
        map.addLayer({
            id: "covey-hull-area", type: "fill", source: "covey-hull",
            paint: { "fill-color": "#c2571a", "fill-opacity": 0.12 },
        }, first);
        map.addLayer({
            id: "covey-hull-line", type: "line", source: "covey-hull",
            paint: { "line-color": "#c2571a", "line-width": 2, "line-dasharray": [2, 1.5] },
        }, first);
        this.paintTheme();
    }

    /** Names the colours where they stand for categories. */
    showLegend() {
        let color = this.map.getStyle().layers
            .find((layer) => layer.metadata?.["covey:role"] === "clusters")?.paint["circle-color"];
        // Groups are coloured where clusters say theirs.
        if (color?.[0] === "case") color = color[2];
        const entries = [];
        if (color?.[0] === "match") {
            for (let at = 2; at + 1 < color.length; at += 2) entries.push([color[at], color[at + 1]]);
            entries.push(["other", color.at(-1)]);
        }
        element("legend").replaceChildren(...entries.map(([name, paint]) => {
            const item = make("li");
            const dot = document.createElementNS("http://www.w3.org/2000/svg", "svg");
            dot.setAttribute("width", "12");
            dot.setAttribute("height", "12");
            dot.setAttribute("aria-hidden", "true");
            const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
            for (const [key, value] of Object.entries({ cx: 6, cy: 6, r: 6, fill: paint })) {
                circle.setAttribute(key, value);
            }
            dot.append(circle);
            item.append(dot, make("span", name));
            return item;
        }));
        this.hasLegend = entries.length > 0;
    }

    paintTheme() {
        this.map.setPaintProperty("background", "background-color", dark.matches ? "#161c23" : "#eef1f4");
        this.map.setPaintProperty("covey-graticule", "line-color", dark.matches ? "#242d37" : "#dfe5ea");
    }

    listen() {
        const signal = this.stop.signal;
        dark.addEventListener("change", () => this.paintTheme(), { signal });
        element("switches").addEventListener("change", () => this.applySwitches(), { signal });
        element("switches").addEventListener("submit", (event) => event.preventDefault(), { signal });
        this.map.on("click", (event) => this.select(this.featureAt(event.point)));
        this.map.on("mousemove", (event) => {
            this.map.getCanvas().style.cursor = this.featureAt(event.point) ? "pointer" : "";
        });
        // The keyboard's click: what lies nearest to the middle.
        this.map.getCanvas().addEventListener("keydown", (event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            this.select(this.nearestToMiddle());
        }, { signal });
        addEventListener("keydown", (event) => {
            if (event.key === "Escape") this.panel.close();
        }, { signal });
        this.map.on("idle", () => this.announce());
    }

    /** The layers of the style that have one of these roles. */
    layers(...roles) {
        return this.map.getStyle().layers
            .filter((layer) => roles.includes(layer.metadata?.["covey:role"])).map((layer) => layer.id);
    }

    drawn() {
        const layers = this.layers("clusters", "points", "raw")
            .filter((id) => this.map.getLayoutProperty(id, "visibility") !== "none");
        return { layers };
    }

    featureAt(point) {
        const reach = 3;
        const box = [[point.x - reach, point.y - reach], [point.x + reach, point.y + reach]];
        return this.map.queryRenderedFeatures(box, this.drawn())[0];
    }

    nearestToMiddle() {
        const { clientWidth, clientHeight } = this.map.getCanvas();
        const middle = { x: clientWidth / 2, y: clientHeight / 2 };
        const distance = (feature) => {
            if (feature.geometry.type !== "Point") return Infinity;
            const at = this.map.project(feature.geometry.coordinates);
            return Math.hypot(at.x - middle.x, at.y - middle.y);
        };
        return this.map.queryRenderedFeatures(this.drawn())
            .sort((a, b) => distance(a) - distance(b))[0];
    }

    async select(feature) {
        if (!feature) return this.panel.close();
        this.showHull(empty);
        await this.panel.show(feature);
        const zoom = feature.properties.expansion_zoom;
        if (feature.properties.point_count > 1 && zoom !== undefined) {
            this.fly(feature.geometry.coordinates, zoom);
        }
    }

    fly(center, zoom) {
        this.map.easeTo({ center, zoom, offset: this.freeMiddle(), duration: calm.matches ? 0 : 700 });
    }

    /** The middle of what panel and switches leave free, seen from the middle of the map. */
    freeMiddle() {
        const [view, panel, switches] = ["view", "panel", "switches"]
            .map((id) => element(id).getBoundingClientRect());
        if (panel.width === 0) return [0, 0];
        if (panel.width < view.width / 2) return [(panel.left - view.right) / 2, 0];
        return [0, (switches.bottom + panel.top - view.top - view.bottom) / 2];
    }

    showHull(data) {
        this.map.getSource("covey-hull")?.setData(data);
    }

    applySwitches() {
        const form = new FormData(element("switches"));
        const draw = form.get("draw");
        const shown = {
            clusters: ["clusters", "counts", "points"], heat: ["heat"], raw: ["raw"],
        }[draw];
        // An archive without clusters has bare features only.
        const known = this.layers("clusters").length > 0;
        element("switches").elements.draw.forEach((radio) => { radio.disabled = !known && radio.value !== "raw"; });
        for (const role of ["clusters", "counts", "points", "heat", "raw"]) {
            const isShown = known ? shown.includes(role) : role === "raw";
            for (const id of this.layers(role)) {
                this.map.setLayoutProperty(id, "visibility", isShown ? "visible" : "none");
            }
        }
        element("legend").hidden = !(this.hasLegend && draw === "clusters");
        this.map.showTileBoundaries = form.has("borders");
        this.inspector.enable(form.has("inspect"));
    }

    /** Tells who cannot see the map what is on it. */
    announce() {
        const features = this.map.queryRenderedFeatures(this.drawn());
        const groups = features.filter((feature) => feature.properties.point_count > 1).length;
        element("announcer").textContent =
            `Zoom ${this.map.getZoom().toFixed(1)}: ${groups} clusters and ${features.length - groups} points in view.`;
        document.body.dataset.idle = String(Number(document.body.dataset.idle ?? 0) + 1);
    }

    close() {
        this.stop.abort();
        this.panel?.close();
        this.inspector?.enable(false);
        this.map?.remove();
        delete document.body.dataset.map;
    }
}
