// Bytes from the network: ranges of a file, gzip, numbers.

/** An `Error` for a refused request, with the server's reason and `status`. */
export function refusal(status, reason) {
    return Object.assign(new Error(reason || `the server answers ${status}`), { status });
}

/** Whether an answer is a page: many hosts send one instead of the status 404. */
export const isPage = ({ headers }) => (headers.get("Content-Type") ?? "").startsWith("text/html");

/**
 * The ETag or date by which a host identifies the version of a file, if it does. Pages of other origins see the ETag only
 * if the host exposes it.
 */
export function versionOf({ headers }) {
    const tag = headers.get("ETag");
    return tag && !tag.startsWith("W/") ? tag : headers.get("Last-Modified");
}

/** The answer of `ask`; rejects if a signal aborts before. */
export async function untilAborted(ask, ...signals) {
    const given = signals.filter(Boolean);
    for (const signal of given) signal.throwIfAborted();
    if (given.length === 0) return ask();
    const answered = new AbortController();
    const aborted = new Promise((_, reject) => {
        for (const signal of given) signal.addEventListener("abort", () => reject(signal.reason), { signal: answered.signal });
    });
    return Promise.race([ask(), aborted]).finally(() => answered.abort());
}

/** The largest size of an inflated gzip member. Blocks and tiles of Covey are far smaller. */
const largest = 64 * 1024 * 1024;

export const isGzip = (bytes) => bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Inflates gzip bytes; returns other bytes unchanged, because a host may have inflated them. */
export async function gunzip(bytes, most = largest) {
    if (!isGzip(bytes)) return bytes;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const parts = [];
    let length = 0;
    for (const reader = stream.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        length += value.length;
        if (length > most) throw new Error("the file holds more than any of its kind");
        parts.push(value);
    }
    if (parts.length === 1) return parts[0];
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}

/** The largest gap between ranges that share a request, and the largest size of such a request. */
const nearBytes = 16 * 1024;
const gatheredBytes = 512 * 1024;

/** A file that is read by range requests. From a host that does not support them it is fetched once, as a whole. */
export class RangedFile {
    /** @param isFresh whether the browser's cache must not be used, because it may have ranges of an older file. */
    constructor(url, isFresh = false) {
        this.url = url;
        this.cache = isFresh ? "reload" : "default";
        this.requests = 0;
        this.bytes = 0;
        this.waiting = [];
    }

    /** The bytes from `offset` on; fewer at the end of the file. */
    async read(offset, length, signal) {
        if (this.whole) return this.whole.subarray(offset, offset + length);
        this.requests += 1;
        const response = await this.ranged(offset, length, { signal, cache: this.cache });
        if (response.status === 416) return new Uint8Array(0);
        if (!response.ok) throw refusal(response.status, `${this.url}: ${response.status} ${response.statusText}`);
        const version = versionOf(response);
        if (this.version && version && version !== this.version) {
            throw new FileChanged(`${this.url} was replaced while it was being read`);
        }
        this.version = version ?? this.version;
        const read = new Uint8Array(await response.arrayBuffer());
        this.bytes += read.length;
        if (response.status === 206) return read;
        // Some hosts answer a range request with the whole file.
        this.whole = read;
        return read.subarray(offset, offset + length);
    }

    ranged(offset, length, options) {
        return fetch(this.url, { ...options, headers: { Range: `bytes=${offset}-${offset + length - 1}` } });
    }

    /** Whether the file is still the same, by its version or its first bytes; true if only the whole file would show it. */
    async isStill(bytes) {
        const response = await this.ranged(0, bytes.length, { cache: "no-cache" });
        const version = versionOf(response);
        if (response.status !== 206 || (version && this.version)) {
            await response.body?.cancel();
            return !response.ok || !version || !this.version || version === this.version;
        }
        const now = new Uint8Array(await response.arrayBuffer());
        return now.length === bytes.length && now.every((byte, at) => byte === bytes[at]);
    }

    /**
     * The same, in one request with near ranges that are wanted at this moment: neighbours on the map are neighbours in the
     * file, and copies of the world want the same range.
     */
    gathered(offset, length, signal) {
        return new Promise((resolve, reject) => {
            this.waiting.push({ offset, length, signal, resolve, reject });
            if (this.waiting.length === 1) setTimeout(() => this.readWaiting(), 4);
        });
    }

    readWaiting() {
        const groups = [];
        for (const one of this.waiting.sort((a, b) => a.offset - b.offset)) {
            if (one.signal?.aborted) {
                one.reject(one.signal.reason);
                continue;
            }
            const end = one.offset + one.length;
            const group = groups.at(-1);
            if (group && one.offset - group.end <= nearBytes && end - group.start <= gatheredBytes) {
                group.end = Math.max(group.end, end);
                group.members.push(one);
            } else {
                groups.push({ start: one.offset, end, members: [one] });
            }
        }
        this.waiting = [];
        for (const { start, end, members } of groups) {
            // The request is aborted when the last promise that waits for it is.
            const ending = new AbortController();
            let waiting = members.length;
            for (const { signal, reject } of members) {
                signal?.addEventListener("abort", () => {
                    reject(signal.reason);
                    if (--waiting === 0) ending.abort(signal.reason);
                }, { signal: ending.signal });
            }
            this.read(start, end - start, ending.signal).then(
                (bytes) => members.forEach(({ offset, length, resolve }) =>
                    resolve(bytes.subarray(offset - start, offset - start + length))),
                (error) => members.forEach(({ reject }) => reject(error))).finally(() => ending.abort());
        }
    }
}

/** The file was replaced while it was read. */
export class FileChanged extends Error {}

/** A cache of promises, for the keys that were used last. */
export class Kept {
    constructor(most) {
        this.most = most;
        this.answers = new Map();
    }

    /** The answer for a key. It is requested once, and again if that failed. */
    get(key, ask) {
        let answer = this.answers.get(key);
        this.answers.delete(key);
        if (!answer) {
            answer = ask();
            answer.catch(() => {
                if (this.answers.get(key) === answer) this.answers.delete(key);
            });
        }
        this.answers.set(key, answer);
        if (this.answers.size > this.most) this.answers.delete(this.answers.keys().next().value);
        return answer;
    }
}

/** Reads numbers from bytes, never past their end. */
export class Cursor {
    constructor(bytes, at = 0, end = bytes.length) {
        this.bytes = bytes;
        this.at = at;
        this.end = end;
    }

    get isAtEnd() { return this.at >= this.end; }

    byte() {
        if (this.at >= this.end) throw new Error("the bytes end too early");
        return this.bytes[this.at++];
    }

    /** A varint of up to 64 bits; past 2^53 its nearest number. */
    varint() {
        let result = 0;
        for (let factor = 1; factor < 2 ** 70; factor *= 128) {
            const byte = this.byte();
            result += (byte & 127) * factor;
            if (byte < 128) return result;
        }
        throw new Error("a number has more than ten bytes");
    }

    /** A varint of up to 64 bits, whatever its size. */
    bigVarint() {
        let result = 0n;
        for (let shift = 0n; shift < 70n; shift += 7n) {
            const byte = this.byte();
            result |= BigInt(byte & 127) << shift;
            if (byte < 128) return BigInt.asUintN(64, result);
        }
        throw new Error("a number has more than ten bytes");
    }

    /** A zigzag varint. */
    signed() {
        const start = this.at;
        const number = this.varint();
        if (number <= 0xffffffff) return (number >>> 1) ^ -(number & 1);
        if (number < 2 ** 53) return number % 2 ? -(number + 1) / 2 : number / 2;
        this.at = start;
        const big = this.bigVarint();
        return Number(big & 1n ? -(big >> 1n) - 1n : big >> 1n);
    }

    /** The next `length` bytes as a cursor of their own. */
    part(length) {
        if (length > this.end - this.at) throw new Error("the bytes end too early");
        this.at += length;
        return new Cursor(this.bytes, this.at - length, this.at);
    }

    get rest() { return this.bytes.subarray(this.at, this.end); }

    text() { return new TextDecoder().decode(this.rest); }

    get view() { return new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, this.end - this.at); }
}
