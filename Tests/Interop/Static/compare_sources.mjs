// Compares the answers of covey.js about the same clusters from each kind of archive.
//
//     node compare_sources.mjs COUNT SCRIPT KIND=ADDRESS KIND=ADDRESS…
//
// SCRIPT is the served covey.js; the clusters are read from the first address. Answers must be equal except for the
// last digit of a coordinate, because the sines of the program and of JavaScript may differ.
import assert from "node:assert/strict";

const [count, script, ...addresses] = process.argv.slice(2);
const { clusters } = await import(script);
const sources = addresses.map((one) => {
    const [kind, url] = [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)];
    const open = () => clusters(url, { kind: kind.split("-")[0] });
    return { kind, open, answers: open() };
});

/** A generator of numbers in 0 ..< 1, the same in every run. */
function random(state) {
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

/** Numbers to seven places, keys in order. */
function plain(value) {
    if (typeof value === "number") return Number.isInteger(value) ? value : Math.round(value * 1e6) / 1e6 || 0;
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, plain(one)]));
}

/** What a source says to a question; a refusal counts by its status. */
async function asked(answers, ask) {
    try {
        return plain(await ask(answers));
    } catch (error) {
        if (error.status === undefined) throw error;
        return { refused: error.status };
    }
}

/** Clusters all over the tree: a walk from the roots of zoom 0 down. */
async function someClusters(answers, wanted, next) {
    const found = new Map();
    const { vector_layers: layers, bounds: [west, south, east, north] } = await answers.tileJSON();
    assert(layers.length > 0);
    for (let tries = 0; found.size < wanted && tries < wanted * 40; tries++) {
        const place = [west + next() * (east - west), south + next() * (north - south)];
        let node = await answers.containing(...place, Math.floor(next() * 4)).catch(() => null);
        while (node?.properties.point_count > 1) {
            found.set(node.properties.cluster_id, node);
            if (found.size >= wanted) break;
            const { features } = await answers.children(node);
            node = features[Math.floor(next() * features.length)];
        }
    }
    return [...found.values()];
}

const next = random(17);
const chosen = await someClusters(sources[0].answers, Number(count), next);
assert(chosen.length >= Number(count) / 2, `only ${chosen.length} clusters were found`);
const unknown = 2 ** 52 + 7;
let compared = 0;
for (const cluster of [...chosen, { properties: { cluster_id: unknown } }]) {
    const id = cluster.properties.cluster_id;
    const total = cluster.properties.point_count ?? 1;
    const [x, y] = cluster.geometry?.coordinates ?? [0, 0];
    const zoom = Math.floor(next() * 12);
    const offset = Math.floor(next() * total);
    const questions = {
        cluster: (answers) => answers.cluster(id),
        children: (answers) => answers.children(id),
        someChildren: (answers) => answers.children(id, 2, 1),
        leaves: (answers) => answers.leaves(id, 10, offset),
        zoom: (answers) => answers.getClusterExpansionZoom(id),
        parent: (answers) => answers.parent(id),
        hull: (answers) => answers.hull(id),
        bbox: (answers) => answers.bbox(id),
        containing: (answers) => answers.containing(x, y, zoom),
    };
    for (const [name, ask] of Object.entries(questions)) {
        const [first, ...others] = await Promise.all(sources.map(({ answers }) => asked(answers, ask)));
        for (const [at, other] of others.entries()) {
            assert.deepEqual(other, first, `${name} of ${id}: ${sources[at + 1].kind} differs`);
        }
        compared += 1;
    }
}
// The points of the whole archive, page by page: the same points, and each once.
const walked = await Promise.all(sources.map(async ({ answers }) => {
    const features = [];
    for (let next = 0; next !== undefined;) {
        const found = await answers.points(1000, next);
        assert(found.features.length <= 1000);
        features.push(...found.features.map(plain));
        next = found.next;
    }
    return features;
}));
for (const [at, others] of walked.slice(1).entries()) {
    assert.equal(others.length, walked[0].length, `${sources[at + 1].kind} has other points`);
    // Compared page by page, because the message of a large difference takes minutes.
    for (let from = 0; from < others.length; from += 1000) {
        assert.deepEqual(others.slice(from, from + 1000), walked[0].slice(from, from + 1000), `${sources[at + 1].kind}: points ${from}`);
    }
}
const named = await sources[0].answers.expansionZoom(chosen[0]);
assert.equal(named, chosen[0].properties.expansion_zoom);

// A request that has failed is sent again by the next question.
const { fetch } = globalThis;
for (const { kind, open, answers } of sources) {
    const id = chosen[0].properties.cluster_id;
    const again = open();
    let [failures, cluster] = [0, null];
    globalThis.fetch = (...request) => {
        const fails = failures === 0 || (failures < 100 && next() < 0.5);
        if (fails) failures += 1;
        return fails ? Promise.reject(new TypeError("offline")) : fetch(...request);
    };
    for (let tries = 0; tries < 200 && !cluster; tries++) {
        try {
            await again.tileJSON();
            cluster = await again.cluster(id);
        } catch (error) {
            assert.equal(error.message, "offline", `${kind}: ${error.stack}`);
        }
    }
    globalThis.fetch = fetch;
    assert(cluster, `${kind} does not come back when requests failed`);
    assert.deepEqual(plain(cluster), plain(await answers.cluster(id)));
}
console.log(`compare_sources: ${chosen.length} clusters, ${compared} answers alike from ${sources.map(({ kind }) => kind).join(", ")}`);
