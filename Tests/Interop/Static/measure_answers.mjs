// Measures what covey.js fetches of a file of clusters for an answer: a new reader, and one that has answered questions
// before, but not about this cluster.
//
//     node measure_answers.mjs IDS.json SCRIPT ADDRESS
//
// IDS.json lists the ids of clusters; SCRIPT is the served covey.js.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [list, script, address] = process.argv.slice(2);
const ids = JSON.parse(readFileSync(list));
const { clusters } = await import(script);
const most = { cold: 4, warm: 2, bytes: 300_000 };

const spent = { requests: 0, bytes: 0 };
const plainFetch = globalThis.fetch;
globalThis.fetch = async (url, options) => {
    const response = await plainFetch(url, options);
    if (String(url).includes(".clusters.pmtiles")) {
        spent.requests += 1;
        spent.bytes += Number(response.headers.get("Content-Length"));
    }
    return response;
};

/** What an answer costs. */
async function cost(ask) {
    Object.assign(spent, { requests: 0, bytes: 0 });
    await ask();
    return { ...spent };
}

const questions = {
    leaves: (answers, id) => answers.leaves(id, 10, 0),
    children: (answers, id) => answers.children(id),
    parent: (answers, id) => answers.parent(id),
    zoom: (answers, id) => answers.getClusterExpansionZoom(id),
    hull: (answers, id) => answers.hull(id),
    bbox: (answers, id) => answers.bbox(id),
};
const worst = {};
for (const [at, id] of ids.entries()) {
    for (const [name, ask] of Object.entries(questions)) {
        // covey.js keeps readers by address, so each of these addresses gets a new one.
        const cold = await cost(() => ask(clusters(`${address}?cold-${at}-${name}`), id));
        const known = clusters(`${address}?warm-${at}-${name}`);
        await known.cluster(ids[(at + Math.floor(ids.length / 2)) % ids.length]);
        const warm = await cost(() => ask(known, id));
        for (const [kind, { requests, bytes }] of Object.entries({ cold, warm })) {
            assert(requests <= most[kind], `${name} of ${id}: ${requests} requests of a ${kind} reader`);
            assert(bytes <= most.bytes, `${name} of ${id}: ${bytes} bytes of a ${kind} reader`);
            const before = worst[kind] ?? { requests: 0, bytes: 0 };
            worst[kind] = {
                requests: Math.max(before.requests, requests), bytes: Math.max(before.bytes, bytes),
            };
        }
    }
}
console.log(`measure_answers: ${ids.length} clusters, for an answer at most ${JSON.stringify(worst)}`);
