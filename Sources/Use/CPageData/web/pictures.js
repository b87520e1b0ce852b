// Small pictures for the list of archives: one hidden map draws them, one after another.
import { basemap, glyphs } from "./basemap.js";
import { make } from "./dom.js";
import { dataOf } from "./map.js";

// Twice as large as it is shown, so that markers are half as large and more of the land is visible.
const [width, height] = [640, 300];

export class Pictures {
    constructor(root) {
        this.root = root;
        this.waiting = [];
        this.stopped = new AbortController();
        this.sight = new IntersectionObserver((entries) => {
            for (const { isIntersecting, target } of entries) {
                if (!isIntersecting) continue;
                this.sight.unobserve(target);
                this.waiting.push(target);
            }
            this.draw();
        });
        this.archives = new Map();
    }

    /** Draws the picture of an archive when its element becomes visible. */
    watch(element, archive) {
        this.archives.set(element, archive);
        this.sight.observe(element);
    }

    async draw() {
        if (this.isDrawing) return;
        this.isDrawing = true;
        while (this.waiting.length > 0 && !this.stopped.signal.aborted) {
            const element = this.waiting.shift();
            // An archive that cannot be drawn has no picture; its map shows the error.
            const picture = await this.picture(this.archives.get(element)).catch(() => null);
            if (picture && !this.stopped.signal.aborted) element.replaceWith(picture);
        }
        this.isDrawing = false;
    }

    async picture(archive) {
        const { signal } = this.stopped;
        const url = this.root + encodeURIComponent(archive.id);
        const [style, described] = await Promise.all(
            [`${url}/style.json`, url].map(async (address) => (await fetch(address, { signal })).json()));
        const { name, source, layers } = dataOf(style, described, url);
        const world = basemap(matchMedia("(prefers-color-scheme: dark)").matches).first;
        const map = this.mapOf({
            version: 8, glyphs, sources: { ...world.sources, [name]: source }, layers: [...world.layers, ...layers],
        }, described.bounds ?? [-180, -80, 180, 80]);
        // Tiles that do not load in time are missing in the picture.
        await Promise.race([map.once("idle"), new Promise((done) => setTimeout(done, 8000))]);
        if (signal.aborted) return null;
        const blob = await new Promise((done) => map.getCanvas().toBlob(done, "image/webp", 0.8));
        const picture = make("img");
        picture.alt = "";
        picture.src = URL.createObjectURL(blob);
        return picture;
    }

    /** The map with a style, in the view of its data. */
    mapOf(style, [west, south, east, north]) {
        const bounds = [[west, Math.max(south, -75)], [east, Math.min(north, 80)]];
        if (this.map) {
            this.map.setStyle(style, { diff: false });
            this.map.fitBounds(bounds, { padding: 16, maxZoom: 12, duration: 0 });
            return this.map;
        }
        this.container = make("div", "", "unseen");
        this.container.style.cssText = `width: ${width}px; height: ${height}px`;
        document.body.append(this.container);
        return this.map = new maplibregl.Map({
            container: this.container, style, bounds, fitBoundsOptions: { padding: 16, maxZoom: 12 }, minZoom: -2,
            interactive: false, attributionControl: false, fadeDuration: 0, pixelRatio: 1,
            canvasContextAttributes: { preserveDrawingBuffer: true }, preserveDrawingBuffer: true,
        });
    }

    stop() {
        this.stopped.abort();
        this.sight.disconnect();
        this.map?.remove();
        this.container?.remove();
    }
}
