// The side panel: what was clicked, its numbers, its points page by page, its hull.
import { element, make } from "./dom.js";

const pageSize = 10;
/** What every cluster carries for machines; the panel says it in its own way. */
const plumbing = new Set([
    "cluster", "cluster_id", "point_count", "point_count_abbreviated", "expansion_zoom",
    "sqrt_point_count", "bbox",
]);
const count = new Intl.NumberFormat("en");

function value(thing) {
    if (typeof thing === "number") return count.format(thing);
    return typeof thing === "object" ? JSON.stringify(thing) : String(thing);
}

function facts(properties, leaveOut = new Set()) {
    const list = make("dl", "", "facts");
    for (const [name, thing] of Object.entries(properties)) {
        if (!leaveOut.has(name)) list.append(make("dt", name), make("dd", value(thing)));
    }
    return list;
}

/** A name for a point: a text that looks like one, or else its id. */
function title(feature, index) {
    const { properties } = feature;
    const key = Object.keys(properties).find((one) => /^(name|title|label)/i.test(one) && properties[one]);
    if (key) return String(properties[key]);
    const text = Object.values(properties).find((one) => typeof one === "string" && one);
    return text ?? `Point ${feature.id ?? index + 1}`;
}

export class Panel {
    constructor(view) {
        this.view = view;
        element("panel-close").onclick = () => {
            this.close();
            view.map.getCanvas().focus();
        };
    }

    async show(feature) {
        this.feature = feature;
        const { properties } = feature;
        const isCluster = properties.point_count > 1;
        element("panel-title").textContent = isCluster
            ? `${count.format(properties.point_count)} points` : title(feature, 0);
        const body = element("panel-body");
        const known = facts(properties, isCluster ? plumbing : new Set());
        body.replaceChildren(...(known.children.length > 0 ? [known] : []));
        element("panel").hidden = false;
        element("panel-title").focus({ preventScroll: true });
        if (isCluster && properties.cluster_id !== undefined && this.view.archive.clusters) {
            body.append(this.actions(feature));
            this.list = make("div");
            body.append(this.list);
            await Promise.all([this.showLeaves(0), this.showHull()]);
        }
    }

    actions(feature) {
        const row = make("div", "", "actions");
        const zoom = make("button", "Zoom to split", "primary");
        zoom.type = "button";
        zoom.onclick = () => this.view.fly(feature.geometry.coordinates, feature.properties.expansion_zoom);
        const up = make("button", "Parent");
        up.type = "button";
        up.onclick = () => this.showParent(feature);
        row.append(zoom, up);
        return row;
    }

    async showParent(feature) {
        const parent = await this.view.answers.parent(feature).catch((error) => this.fail(error));
        if (!parent || this.feature !== feature) return;
        await this.show(parent);
        this.view.fly(parent.geometry.coordinates, parent.properties.expansion_zoom - 1);
    }

    async showHull() {
        const feature = this.feature;
        const hull = await this.view.answers.hull(feature).catch((error) => this.fail(error));
        if (hull && this.feature === feature) this.view.showHull(hull);
    }

    async showLeaves(offset) {
        const feature = this.feature;
        const found = await this.view.answers.leaves(feature, pageSize, offset)
            .catch((error) => this.fail(error));
        if (!found || this.feature !== feature) return;
        const list = make("ul", "", "leaves");
        found.features.forEach((leaf, index) => {
            const item = make("li");
            const details = make("details");
            details.append(make("summary", title(leaf, offset + index)), facts(leaf.properties));
            item.append(details);
            list.append(item);
        });
        this.list.replaceChildren(make("h3", "Points"), list, this.pages(offset, found));
    }

    pages(offset, { numberMatched, numberReturned }) {
        const row = make("nav", "", "pages");
        row.setAttribute("aria-label", "Pages of points");
        const button = (text, label, target, isOff) => {
            const made = make("button", text);
            made.type = "button";
            made.setAttribute("aria-label", label);
            made.disabled = isOff;
            made.onclick = () => this.showLeaves(target);
            return made;
        };
        const end = offset + numberReturned;
        row.append(
            button("‹", "Previous points", Math.max(offset - pageSize, 0), offset === 0),
            make("span", `${count.format(offset + 1)}–${count.format(end)} of ${count.format(numberMatched)}`),
            button("›", "Next points", offset + pageSize, end >= numberMatched));
        return row;
    }

    fail(error) {
        if (error.name === "AbortError") return;
        element("panel-body").append(make("p", error.message, "error"));
    }

    close() {
        this.feature = null;
        element("panel").hidden = true;
        this.view.showHull({ type: "FeatureCollection", features: [] });
    }
}
