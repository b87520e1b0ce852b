// The dialog “Use this map”: an example, and the addresses of style and TileJSON.
import { element } from "./dom.js";

function example(name, archive, style, script) {
    return `<!doctype html>
<meta charset="utf-8">
<title>${name.replace(/[<&]/g, "")}</title>
<link rel="stylesheet" href="https://unpkg.com/maplibre-gl@5.3.0/dist/maplibre-gl.css">
<script src="https://unpkg.com/maplibre-gl@5.3.0/dist/maplibre-gl.js"></script>
<style>html, body, #map { height: 100%; margin: 0 }</style>
<div id="map"></div>
<script type="module">
import { clusters } from "${script}";

const map = new maplibregl.Map({ container: "map", style: "${style}" });
const answers = clusters("${archive}");
map.on("click", async ({ point }) => {
    const [feature] = map.queryRenderedFeatures(point)
        .filter((one) => one.properties.cluster_id !== undefined);
    if (!feature) return;
    const { features } = await answers.leaves(feature, 10);
    console.log(features.map((leaf) => leaf.properties));
    map.easeTo({ center: feature.geometry.coordinates,
                 zoom: await answers.expansionZoom(feature) });
});
</script>
`;
}

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return "Copied.";
    } catch {
        // A page without HTTPS may not copy; the user can select the text.
        getSelection().selectAllChildren(element("take-example"));
        return "This page may not use the clipboard; copy what is marked.";
    }
}

/** Fills the dialog behind “Use this map” for the archive at an address. */
export function offerToUse(archive, url) {
    const isFolder = url.endsWith("/");
    const style = isFolder ? `${url}style.json` : `${url}/style.json`;
    const script = new URL("../covey.js", import.meta.url).href;
    const texts = { style, tilejson: isFolder ? `${url}tiles.json` : url,
                    example: example(archive.name || archive.id, url, style, script) };
    element("take-example").textContent = texts.example;
    element("use").onclick = () => {
        element("take-said").textContent = "";
        element("take").showModal();
    };
    element("take-close").onclick = () => element("take").close();
    for (const one of document.querySelectorAll("[data-copy]")) {
        one.onclick = async () => {
            const text = texts[one.dataset.copy];
            if (one.dataset.copy !== "example") element("take-example").textContent = text;
            element("take-said").textContent = await copy(text);
        };
    }
}
