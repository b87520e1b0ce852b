// Compares how each kind of archive treats the arguments of covey.js.
//
//     node compare_arguments.mjs SCRIPT KIND=ADDRESS KIND=ADDRESS…
//
// SCRIPT is the served covey.js. At zoom 0 one cluster has all points, more than two thousand.
import assert from "node:assert/strict";

const [script, ...addresses] = process.argv.slice(2);
const { clusters } = await import(script);
const sources = addresses.map((one) => {
    const [kind, url] = [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)];
    return { kind, answers: clusters(url, { kind }) };
});
const [{ answers: first }] = sources;
const { features: [point] } = await first.points(1);
const place = point.geometry.coordinates;
const large = await first.containing(...place, 0);
const { cluster_id: id, point_count: count } = large.properties;
assert(count > 2000, `the cluster has ${count} points only`);

/** What an answer says, whatever the order of its members; coordinates to six places. */
const plain = (value) => JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "number" ? Math.round(one * 1e6) / 1e6 : one)));

/** Pages of a list one after another, as one answer. */
async function joined(...pages) {
    const all = await Promise.all(pages);
    const features = all.flatMap((page) => page.features);
    return { ...all.at(-1), numberReturned: features.length, features };
}

// On the left the arguments, on the right the request to `covey serve`.
const same = [
    [(answers) => answers.leaves(String(id), "5", "1"), first.leaves(large, 5, 1)],
    [(answers) => answers.leaves(large, 2000, 7), joined(first.leaves(large, 1000, 7), first.leaves(large, 1000, 1007))],
    [(answers) => answers.leaves(large, 10, count), { type: "FeatureCollection", numberMatched: count, numberReturned: 0, features: [] }],
    [(answers) => answers.points(1500, 3), joined(first.points(1000, 3), first.points(500, 1003))],
    [(answers) => answers.points(20, String(count - 10)), first.points(10, count - 10)],
    [(answers) => answers.containing(...place, "3.5"), first.containing(...place, 3)],
    [(answers) => answers.containing(place[0] - 720, place[1], 3), first.containing(...place, 3)],
    [(answers) => answers.containing(...place, -0.77), first.containing(...place, 0)],
    [(answers) => answers.getClusterLeaves(id, 0, 0), first.leaves(id, 10, 0).then(({ features }) => features)],
    [(answers) => answers.getClusterLeaves(id, null, null), first.leaves(id, 10, 0).then(({ features }) => features)],
    [(answers) => answers.tile("0", "0", "0"), first.tile(0, 0, 0)],
    [(answers) => answers.tile(1, 2, 0), null],
    [(answers) => answers.tile(1, 0, 2), null],
];
for (const [ask, answer] of same) {
    const wanted = plain(await answer);
    for (const { kind, answers } of sources) assert.deepEqual(plain(await ask(answers)), wanted, `${kind}: ${ask}`);
}

// All points, as MapLibre's GeoJSONSource returns them, and each once.
for (const { kind, answers } of sources) {
    for (const limit of [count, count + 1000, Infinity]) {
        const leaves = await answers.getClusterLeaves(id, limit, 0);
        assert.equal(leaves.length, count, `${kind}: leaves with the limit ${limit}`);
        assert.equal(new Set(leaves.map((leaf) => leaf.properties.name)).size, count, `${kind}: leaves that are others`);
    }
    const children = await answers.getClusterChildren(id);
    assert.equal(children.reduce((sum, one) => sum + (one.properties.point_count ?? 1), 0), count, `${kind}: children`);
    assert.equal((await answers.points(Infinity)).features.length, count, `${kind}: points`);
    assert.deepEqual(Object.keys(await answers.points(10)).sort(), ["features", "next", "numberReturned", "type"], kind);
}

const refused = [
    [/^offset /, RangeError, (answers) => answers.leaves(large, 10, -1)],
    [/^offset /, RangeError, (answers) => answers.children(large, 10, Infinity)],
    [/^limit /, RangeError, (answers) => answers.leaves(large, 1.5)],
    [/^limit /, RangeError, (answers) => answers.children(large, 0)],
    [/^limit /, TypeError, (answers) => answers.points(null)],
    [/^limit /, TypeError, (answers) => answers.getClusterLeaves(id, "many")],
    [/^from /, RangeError, (answers) => answers.points(10, -1)],
    [/ cluster /, TypeError, (answers) => answers.hull({ properties: {} })],
    [/ cluster /, RangeError, (answers) => answers.getClusterExpansionZoom(1.5)],
    [/^longitude /, RangeError, (answers) => answers.containing(Infinity, 0, 3)],
    [/^latitude /, RangeError, (answers) => answers.containing(0, 91, 3)],
    [/^zoom /, TypeError, (answers) => answers.containing(0, 0)],
    [/^zoom /, RangeError, (answers) => answers.containing(0, 0, 32)],
    [/^x /, RangeError, (answers) => answers.tile(3, -1, 0)],
    [/^z /, RangeError, (answers) => answers.tile(0.5, 0, 0)],
];
for (const [message, { name }, ask] of refused) {
    for (const { kind, answers } of sources) await assert.rejects(ask(answers), { name, message }, `${kind}: ${ask}`);
}
const kinds = sources.map(({ kind }) => kind).join(", ");
console.log(`compare_arguments: ${same.length} forms of questions are alike and ${refused.length} refused by ${kinds}`);
