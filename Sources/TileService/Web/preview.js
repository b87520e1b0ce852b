// The preview page: a list of archives, and a map of the one that the address names (#id@zoom/lat/lon).
import { clusters } from "../covey.js";
import { element, make, makeLinked, setting } from "./dom.js";
import { MapView } from "./map.js";
import { offerToUse } from "./take.js";

/** Below it lie the archives of a server, or the files of the folder that the page is part of. */
const root = new URL(setting("root"), document.baseURI).href;
const isFolder = setting("kind") === "folder";
const number = new Intl.NumberFormat("en");
let archives = [];
let problems = [];
let view = null;

function card(archive) {
    const item = make("li", "", "card");
    const heading = make("h2");
    const link = make("a", archive.name || archive.id);
    link.href = "#" + encodeURIComponent(archive.id);
    heading.append(link);
    item.append(heading);
    if (archive.description && archive.description !== archive.name) {
        item.append(makeLinked("p", archive.description));
    }
    const tags = make("ul", "", "tags");
    if (archive.id !== archive.name) tags.append(make("li", archive.id));
    if (archive.points !== undefined) tags.append(make("li", `${number.format(archive.points)} points`));
    tags.append(make("li", `zoom ${archive.minzoom} to ${archive.maxzoom}`));
    if (archive.clusters) tags.append(make("li", "clusters"));
    if (archive.format !== "pbf") tags.append(make("li", archive.format));
    item.append(tags);
    return item;
}

function trouble({ id, problem }) {
    const item = make("li", "", "card trouble");
    item.append(make("h2", id), make("p", problem));
    return item;
}

function showCatalog() {
    element("lead").textContent = archives.length === 1
        ? "One archive is served here. Open it to see its map."
        : `${archives.length} archives are served here. Open one to see its map.`;
    element("cards").replaceChildren(...archives.map(card), ...problems.map(trouble));
    element("picker").replaceChildren(...archives.map((archive) => {
        const option = make("option", archive.name || archive.id);
        option.value = archive.id;
        return option;
    }));
}

function notice(text) {
    element("notice").textContent = text;
    element("notice").hidden = !text;
}

/** The archive and the place that the address names; of a single archive there is nothing to choose. */
function addressed() {
    const [name, place] = location.hash.slice(1).split("@");
    const id = decodeURIComponent(name);
    const isAlone = archives.length === 1 && problems.length === 0 && (isFolder || !id || id === "main");
    return { id, place, archive: isAlone ? archives[0] : archives.find((one) => one.id === id) };
}

async function route() {
    const { id, place, archive } = addressed();
    if (view && archive === view.archive) return view.goTo(place);
    view?.close();
    view = null;
    element("catalog").hidden = Boolean(archive);
    element("view").hidden = element("use").hidden = !archive;
    element("picker").closest("label").hidden = !archive || archives.length < 2;
    element("title").textContent = archive ? archive.name || archive.id : "Archives";
    document.title = archive ? `${archive.name || archive.id} – Covey` : "Covey";
    if (!archive) {
        if (id && id !== "main") notice(`No archive has the id “${id}”.`);
        return;
    }
    element("picker").value = archive.id;
    if (typeof maplibregl === "undefined") {
        notice("MapLibre GL JS could not be loaded, so there is no map. See covey serve --maplibre.");
        return;
    }
    const url = isFolder ? root : root + encodeURIComponent(archive.id);
    offerToUse(archive, url);
    view = new MapView(archive, url, place);
    // For tests and the curious.
    window.coveyView = view;
    await view.open().catch((error) => notice(error.message));
}

async function catalog() {
    return (await fetch(`${root}catalog`)).json();
}

/** The folder as a catalog of one. */
async function folder() {
    const described = await clusters(root).tileJSON();
    return { archives: [{ id: "map", ...described, clusters: Boolean(described.covey?.blocks) }], problems: [] };
}

async function start() {
    // Workers start while the archive is asked for.
    globalThis.maplibregl?.prewarm();
    if (setting("maplibre") === "network") {
        notice("MapLibre GL JS comes from the network: none is installed here (covey serve --maplibre DIR).");
    }
    ({ archives, problems } = await (isFolder ? folder() : catalog()));
    showCatalog();
    element("picker").addEventListener("change", (event) => {
        location.hash = encodeURIComponent(event.target.value);
    });
    addEventListener("hashchange", route);
    await route();
    performance.mark("covey-ready");
    document.body.dataset.ready = "yes";
}

start().catch((error) => notice(`The list of archives could not be read: ${error.message}`));
