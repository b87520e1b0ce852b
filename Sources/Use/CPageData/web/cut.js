// Makes a tile that was left out because an ancestor shows the same: cuts its points out of the ancestor.
import { Cursor } from "./bytes.js";

function varintInto(bytes, number) {
    for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
    bytes.push(number);
}

/** A field of a message: its number, its length, its bytes. */
function fieldOf(number, bytes) {
    const head = [];
    varintInto(head, number * 8 + 2);
    varintInto(head, bytes.length);
    return [Uint8Array.from(head), bytes];
}

function joined(parts) {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}

/** Calls `take(field, raw, part)` for each field of a message; `raw` is all of it, tag included. */
function eachRaw(message, take) {
    while (!message.isAtEnd) {
        const start = message.at;
        const tag = message.varint();
        let part = null;
        if ((tag & 7) === 0) message.varint();
        else if ((tag & 7) === 1) message.part(8);
        else if ((tag & 7) === 5) message.part(4);
        else if ((tag & 7) === 2) part = message.part(message.varint());
        else throw new Error("the tile is damaged");
        take(tag >>> 3, message.bytes.subarray(start, message.at), part);
    }
}

/** The one point of a geometry (MVT 4.3.4), or null. */
function pointOf(part) {
    return part.varint() === 9 ? [part.signed(), part.signed()] : null;
}

/** A feature moved to the tile below, or null if it is not in that. */
function movedFeature(message, move) {
    const parts = [];
    let point = null;
    eachRaw(message, (field, raw, part) => {
        if (field !== 4) return parts.push(raw);
        point = pointOf(part);
    });
    const moved = point && move(point);
    if (!moved) return null;
    const geometry = [9];
    for (const unit of moved) varintInto(geometry, unit < 0 ? -2 * unit - 1 : 2 * unit);
    return joined([...parts, ...fieldOf(4, geometry)]);
}

function cutLayer(message, up, column, row, margin) {
    let extent = 4096;
    eachRaw(new Cursor(message.bytes, message.at, message.end), (field, raw) => {
        if (field === 5) extent = new Cursor(raw, 1).varint();
    });
    const reach = Math.ceil(extent * margin);
    const move = ([x, y]) => {
        const place = [x * 2 ** up - column * extent, y * 2 ** up - row * extent];
        return place.every((unit) => unit >= -reach && unit < extent + reach) ? place : null;
    };
    const parts = [];
    let found = 0;
    eachRaw(message, (field, raw, part) => {
        if (field !== 2) return parts.push(raw);
        const feature = movedFeature(part, move);
        if (!feature) return;
        found += 1;
        parts.push(...fieldOf(2, feature));
    });
    return found > 0 ? joined(parts) : null;
}

/**
 * The tile `up` zooms below an inflated one, at a column and row within it: the points of the latter that are
 * there, or within `margin` tiles around. Only points can be cut.
 */
export function cutOut(bytes, up, column, row, margin) {
    const parts = [];
    eachRaw(new Cursor(bytes), (field, raw, part) => {
        if (field !== 3) return;
        const layer = cutLayer(part, up, column, row, margin);
        if (layer) parts.push(...fieldOf(3, layer));
    });
    return joined(parts);
}
