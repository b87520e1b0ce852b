// Tests covey.js with typical hosts: addresses with a query or without a slash at the end, archives that are replaced
// while a page has them open, requests that are aborted.
//
//     node check_addresses.mjs SCRIPT SERVED ONE OTHER
//
// SCRIPT is the served covey.js, SERVED the address of ONE at `covey serve`; ONE.pmtiles, ONE.clusters.pmtiles and the
// folder ONE are the same archive, OTHER is another one. Each has some thousand points.
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import http from "node:http";

const [script, served, one, other] = process.argv.slice(2);
const { clusters, protocol, refresh, spiderfy } = await import(script);

/** What the host has, in which manner, and what it was asked. */
const host = { archive: one, side: null, versions: true, ranges: true, token: null, page: false, fails: false, delay: 0, ended: 0 };
const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, "http://host");
    response.on("close", () => { if (!response.writableEnded) host.ended += 1; });
    if (host.delay) await new Promise((done) => { setTimeout(done, host.delay); });
    const own = url.pathname.includes(".clusters.") ? host.side ?? host.archive : host.archive;
    const file = url.pathname.replace("/a", own);
    const isThere = existsSync(file) && statSync(file).isFile();
    if (host.fails) return response.writeHead(503, { "Content-Type": "text/html" }).end("<title>Busy</title>");
    if (host.token !== url.searchParams.get("token")) return response.writeHead(403).end();
    if (!isThere && host.page) return response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>A page</title>");
    if (!isThere) return response.writeHead(404).end("not found");
    const bytes = readFileSync(file);
    const day = own === one ? "Sun, 01 Nov 2026 10:00:00 GMT" : "Mon, 02 Nov 2026 10:00:00 GMT";
    const headers = { true: { ETag: `"${file}"` }, false: {}, dated: { "Last-Modified": day } }[host.versions];
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(host.ranges ? request.headers.range ?? "" : "") ?? [];
    if (first === undefined) return response.writeHead(200, headers).end(bytes);
    if (Number(first) >= bytes.length) return response.writeHead(416).end();
    response.writeHead(206, headers).end(bytes.subarray(Number(first), Number(last) + 1));
}).listen(0, "127.0.0.1");
await new Promise((ready) => { server.once("listening", ready); });
const base = `http://127.0.0.1:${server.address().port}`;
const kinds = { pmtiles: `${base}/a.pmtiles`, folder: `${base}/a/` };

/** A cluster at zoom 0 of what answers, and three of its leaves. */
async function largest(answers, [longitude, latitude]) {
    const found = await answers.containing(longitude, latitude, 0);
    return { count: found.properties.point_count, id: found.id, leaves: (await answers.leaves(found.id, 3)).features };
}
const protocolled = async (url) => (await protocol({ url, type: "arrayBuffer" })).data.byteLength;

/** What both archives say, each on a host of its own page. */
const truth = {};
for (const archive of [one, other]) {
    host.archive = archive;
    const answers = clusters(`${base}/a.pmtiles?${archive}`);
    host.token = null;
    const [point] = (await answers.points(1)).features;
    const tiles = new Map();
    for (let z = 0; z < 6; z++) for (let x = 0; x < 2 ** z; x++) for (let y = 0; y < 2 ** z; y++) tiles.set(`${z}/${x}/${y}`, await answers.tile(z, x, y));
    truth[archive] = { place: point.geometry.coordinates, tiles, ...await largest(answers, point.geometry.coordinates) };
}
const only = [...truth[other].tiles].find(([key, bytes]) => bytes && !truth[one].tiles.get(key))?.[0]
    ?? [...truth[one].tiles].find(([key, bytes]) => bytes && !truth[other].tiles.get(key))[0];
// The archive with one more tile is the second.
const [before, after] = truth[other].tiles.get(only) ? [one, other] : [other, one];
const lone = only.split("/").map(Number);

// A query stays at the end of each address.
host.archive = one;
host.token = "1";
for (const url of [`${served}?token=1`, ...Object.values(kinds).map((url) => `${url}?token=1`)]) {
    const answers = clusters(url);
    assert.equal((await largest(answers, truth[one].place)).count, truth[one].count, url);
    assert.deepEqual(await answers.tile(0, 0, 0), truth[one].tiles.get("0/0/0"), url);
}
const sized = truth[one].tiles.get("0/0/0").length;
for (const path of ["a.pmtiles?token=1/0/0/0", "a.pmtiles/0/0/0?token=1", "a/0/0/0.pbf?token=1", "a/?token=1/0/0/0"]) {
    assert.equal(await protocolled(`covey://${base}/${path}`), sized, path);
}
const { data: described } = await protocol({ url: `covey://${base}/a.pmtiles?token=1`, type: "json" });
assert.equal(await protocolled(described.tiles[0].replace("{z}/{x}/{y}", "0/0/0")), sized);
host.token = null;

// A folder without a slash at the end: `covey://` reads it as a folder; in all other cases the error says what to write.
assert.equal((await protocol({ url: `covey://${base}/a`, type: "json" })).data.tilejson, "3.0.0");
assert.equal(await protocolled(`covey://${base}/a/0/0/0.pbf`), sized);
for (const page of [false, true]) {
    host.page = page;
    const [folder, none] = [clusters(`${base}/a`), clusters(`${base}/none/`)];
    for (const ask of [(from) => from.tileJSON(), (from) => from.leaves(5), (from) => from.expansionZoom(5)]) {
        await assert.rejects(ask(folder), { message: new RegExp(`slash: ${base}/a/$`) });
        await assert.rejects(ask(none), { message: `there is no ${base}/none/tiles.json`, status: 404 });
        await assert.rejects(ask(clusters(`${base}/none.pmtiles`)), { message: new RegExp(`^${base}/none.pmtiles`) });
    }
    if (page) await assert.rejects(folder.tile(0, 0, 0), { message: /slash/ });
    // A host that answers every request with a page does not have the file.
    const missing = [...truth[one].tiles].find(([, bytes]) => !bytes)[0].split("/").map(Number);
    assert.equal(await clusters(kinds.folder).tile(...missing), null);
}
host.page = false;
host.fails = true;
for (const url of [`${base}/a`, ...Object.values(kinds).map((url) => `${url}?busy`)]) {
    for (const ask of [(from) => from.tileJSON(), (from) => from.tile(0, 0, 0), (from) => from.leaves(5)]) {
        await assert.rejects(ask(clusters(url)), { status: 503, message: /^http:.*: 503 Service Unavailable$/ }, url);
    }
}
host.fails = false;
assert.throws(() => clusters(undefined), { name: "TypeError", message: /address of an archive, not undefined/ });
assert.throws(() => clusters("nonsense"), { name: "TypeError", message: /"nonsense" is no whole address/ });

// Archives that are replaced: after the first answer of the new archive, all answers are from it.
const now = Date.now;
for (const [kind, plain] of Object.entries(kinds)) {
    for (const [manner, set] of Object.entries({ plain: {}, unversioned: { versions: false }, whole: { ranges: false }, dated: { versions: "dated", ranges: false } })) {
        Object.assign(host, { archive: before, versions: true, ranges: true }, set);
        const url = `${plain}?${manner}`;
        const [old, source] = [clusters(url), { url: `covey://${url}` }];
        assert.equal((await largest(old, truth[before].place)).count, truth[before].count);
        assert.equal(await old.tile(...lone), null);
        assert.equal(await protocolled(`covey://${url}/${only}`), 0);
        host.archive = after;
        const { id, count, leaves, place } = truth[after];
        assert.deepEqual((await old.leaves(id, 3)).features, leaves, `${kind}, ${manner}: leaves of the new archive`);
        assert.equal((await largest(old, place)).count, count, `${kind}, ${manner}`);
        assert.deepEqual(await old.tile(...lone), truth[after].tiles.get(only), `${kind}, ${manner}: a new tile`);
        assert.notEqual(await protocolled(`covey://${url}/${only}`), 0, `${kind}, ${manner}: a new tile of the map`);

        host.archive = before;
        for (const [key, bytes] of truth[before].tiles) {
            if (bytes) assert.deepEqual(await clusters(url).tile(...key.split("/").map(Number)), bytes, `${kind}, ${manner}: ${key}`);
        }
        // The archive is checked when a map requests its tiles again, and by a question half a minute later.
        host.archive = after;
        refresh({ refreshTiles() {}, getSource: () => source }, "a");
        assert.notEqual(await protocolled(`covey://${url}/${only}`), 0, `${kind}, ${manner}: refresh`);
        host.archive = before;
        assert.equal((await largest(clusters(url), truth[before].place)).count, truth[before].count);
        assert.equal(await old.tile(...lone), null);
        host.archive = after;
        Date.now = () => now() + 60000;
        assert.deepEqual(await old.tile(...lone), truth[after].tiles.get(only), `${kind}, ${manner}: after a while`);
        Date.now = now;
    }
}
Object.assign(host, { archive: one, versions: true, ranges: true });

// With directories of the old file, a tile of the new one would be wrong: it is never returned.
for (const [key, bytes] of [...truth[before].tiles].filter(([, bytes]) => bytes).slice(1, 20)) {
    Object.assign(host, { archive: before, versions: false });
    const answers = clusters(`${kinds.pmtiles}?tile=${key}`);
    assert.deepEqual(await answers.tile(0, 0, 0), truth[before].tiles.get("0/0/0"));
    host.archive = after;
    assert.deepEqual(await answers.tile(...key.split("/").map(Number)), truth[after].tiles.get(key), `${key}, of which the old file has ${bytes.length} bytes`);
}
Object.assign(host, { archive: one, versions: true });

// One file of a pair is copied before the other.
for (const first of ["side", "archive"]) {
    Object.assign(host, { archive: before, side: before });
    const answers = clusters(`${kinds.pmtiles}?${first}`);
    await largest(answers, truth[before].place);
    host[first] = after;
    await assert.rejects(clusters(`${kinds.pmtiles}?fresh-${first}`).leaves(truth[after].id), { message: /copy both files anew/ });
    await assert.rejects(answers.leaves(truth[after].id), Error);
    Object.assign(host, { archive: after, side: after });
    assert.deepEqual((await answers.leaves(truth[after].id, 3)).features, truth[after].leaves, `${first} first`);
}
Object.assign(host, { archive: one, side: null });

// An aborted signal rejects the promise at once.
for (const url of [served, ...Object.values(kinds)]) {
    const aborted = clusters(url, { signal: AbortSignal.abort() });
    for (const ask of [(from) => from.tileJSON(), (from) => from.tile(0, 0, 0), (from) => from.tile(0, 0, 0, new AbortController().signal), (from) => from.leaves(5)]) {
        await assert.rejects(ask(aborted), { name: "AbortError" }, `${url}: ${ask}`);
    }
}
host.delay = 1000;
for (const [kind, url] of Object.entries(kinds)) {
    const ending = new AbortController();
    const answers = clusters(`${url}?slow`, { signal: ending.signal });
    const started = now();
    setTimeout(() => ending.abort(), 50);
    await assert.rejects(answers.containing(0, 0, 3), { name: "AbortError" });
    assert(now() - started < 900, `${kind}: an answer is waited for after the end`);
}
host.delay = 0;
{
    const answers = clusters(`${kinds.pmtiles}?neighbours`);
    await answers.tile(0, 0, 0);
    const near = [...truth[one].tiles].filter(([key, bytes]) => bytes && key.startsWith("1/")).map(([key]) => key.split("/").map(Number)).slice(0, 2);
    assert.equal(near.length, 2);
    host.delay = 1000;
    host.ended = 0;
    const ends = near.map(() => new AbortController());
    const waits = near.map((tile, at) => assert.rejects(answers.tile(...tile, ends[at].signal), { name: "AbortError" }));
    setTimeout(() => ends.forEach((end) => end.abort()), 100);
    const started = now();
    await Promise.all(waits);
    assert(now() - started < 900, "neighbouring tiles are waited for after both ended");
    await new Promise((done) => { setTimeout(done, 100); });
    assert.equal(host.ended, 1, "the request of both ends with them");
}

// A fan around every kind of position that MapLibre accepts.
for (const center of [[8, 47], { lng: 8, lat: 47 }, { lon: 8, lat: 47 }]) {
    const sources = {};
    const map = {
        project: ([x, y]) => ({ x, y }), unproject: (at) => ({ toArray: () => at }), addSource: (id, { data }) => { sources[id] = data; },
        addLayer() {}, on() {}, off() {}, getLayer() {}, getSource() {}, removeLayer() {}, removeSource() {},
    };
    spiderfy(map, center, [{ properties: {} }, { properties: {} }]);
    const [{ geometry: { coordinates: [from] } }] = sources["covey-spider-legs"].features;
    assert.deepEqual(from, [8, 47]);
    assert.throws(() => spiderfy(map, {}, []), { name: "TypeError", message: /center/ });
}
server.closeAllConnections();
server.close();
console.log(`check_addresses: queries, slashes, replaced archives and signals are well with ${Object.keys(kinds).join(" and ")}`);
