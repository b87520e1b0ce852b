// The preview page: a list of archives, and a map of the one that the address names (#id@zoom/lat/lon).
import { clusters } from "../covey.js";
import { element, make, makeLinked, notice, setting } from "./dom.js";
import { MapView } from "./map.js";
import { offerToUse } from "./take.js";

/** The base address of the archives of a server, or of the files of the folder with the page. */
const root = new URL(setting("root"), document.baseURI).href;
const isFolder = setting("kind") === "folder";
const number = new Intl.NumberFormat("en");
let archives = [];
let problems = [];
let view = null;
/** The style under the data, if it is not the land. */
let basemap = setting("basemap");
let pictures = null;

function card(archive) {
    const item = make("li", "", "card");
    const picture = make("div", "", "picture");
    picture.dataset.archive = archive.id;
    item.append(picture);
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
        const { id, name } = archive;
        const isTwice = archives.filter((one) => one.name === name).length > 1;
        const option = make("option", !name ? id : isTwice && name !== id ? `${name} (${id})` : name);
        option.value = id;
        return option;
    }));
}

/** A text without percent encoding; a text that is not encoded is returned unchanged. */
function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/** The archive and the view of the address; a single archive needs no name. */
function addressed() {
    const [name, place] = location.hash.slice(1).split(/@(.*)/s);
    const id = decoded(name);
    const isAlone = archives.length === 1 && problems.length === 0 && (isFolder || !id);
    return { id, place, archive: isAlone ? archives[0] : archives.find((one) => one.id === id) };
}

async function route() {
    const { id, place, archive } = addressed();
    if (view && archive === view.archive) return view.goTo(place);
    view?.close();
    view = null;
    pictures?.stop();
    pictures = null;
    element("catalog").hidden = Boolean(archive);
    element("view").hidden = element("use").hidden = !archive;
    element("search").hidden = !archive?.clusters;
    element("picker").closest("label").hidden = !archive || archives.length < 2;
    element("title").textContent = archive ? archive.name || archive.id : "Archives";
    document.title = archive ? `${archive.name || archive.id} – Covey` : "Covey";
    if (!archive) {
        if (id) notice(`No archive has the id “${id}”.`);
        return drawPictures();
    }
    element("picker").value = archive.id;
    if (typeof maplibregl === "undefined") {
        notice("MapLibre GL JS could not be loaded, so there is no map. See covey serve --maplibre.");
        return;
    }
    const url = isFolder ? root : root + encodeURIComponent(archive.id);
    offerToUse(archive, url);
    const streets = element("streets");
    streets.checked = Boolean(basemap);
    const opened = view = new MapView(archive, url, place, basemap);
    // For tests.
    window.coveyView = view;
    await opened.open().catch((error) => {
        // Another map has replaced it.
        if (view !== opened) return;
        if (!streets.value || !basemap) return notice(error.message);
        // If the streets cannot be loaded, the map does not change.
        notice(`The streets could not be loaded: ${error.message}`);
        return drawOver("");
    });
}

/** Draws the same view over another basemap, or over the land. */
async function drawOver(style) {
    basemap = style;
    const { archive, place, map } = view;
    const sight = map ? view.here + (view.filters?.address ?? "") : place;
    if (sight) history.replaceState(null, "", `#${encodeURIComponent(archive.id)}@${sight}`);
    view.close();
    view = null;
    await route();
}

/** The streets of another host are only requested when the user wants them. */
function offerStreets() {
    const streets = element("streets");
    streets.closest("label").hidden = !streets.value;
    const change = (isOn) => {
        notice("");
        const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "positron";
        return drawOver(isOn ? streets.value + theme : "");
    };
    streets.onchange = () => change(streets.checked);
    element("ground-streets").onclick = () => change(true);
}

/** Shows the list, and then draws its pictures one by one, if there is a map library. */
async function drawPictures() {
    if (typeof maplibregl === "undefined" || archives.length === 0) return;
    const { Pictures } = await import("./pictures.js");
    if (view || pictures) return;
    pictures = new Pictures(root);
    for (const element of document.querySelectorAll(".picture")) {
        pictures.watch(element, archives.find(({ id }) => id === element.dataset.archive));
    }
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
    // The workers of the map start during the request for the archive.
    globalThis.maplibregl?.prewarm();
    if (setting("maplibre") === "network") {
        notice("MapLibre GL JS comes from the network: none is installed here (covey serve --maplibre DIR).");
    }
    ({ archives, problems } = await (isFolder ? folder() : catalog()));
    showCatalog();
    element("picker").addEventListener("change", (event) => {
        location.hash = encodeURIComponent(event.target.value);
    });
    addEventListener("hashchange", () => {
        notice("");
        return route();
    });
    // The hash names an archive, and no element of the page.
    document.querySelector(".skip").onclick = (event) => {
        event.preventDefault();
        element("main").focus();
    };
    offerStreets();
    element("search").onclick = () => view?.panel?.showSearch();
    await route();
    performance.mark("covey-ready");
    document.body.dataset.ready = "yes";
}

start().catch((error) => notice(`The list of archives could not be read: ${error.message}`));
