// Fans out points at one place around it, with legs.

/** The offsets of points around a place, in pixels: on a circle, or on a spiral if there are many. */
export function fan(count, room = 26) {
    if (count <= 10) {
        const radius = Math.max(40, (count * room) / (2 * Math.PI));
        return Array.from({ length: count }, (_, at) => {
            const angle = (at / count) * 2 * Math.PI - Math.PI / 2;
            return [radius * Math.cos(angle), radius * Math.sin(angle)];
        });
    }
    const places = [];
    // The distance between turns, and between points on a turn, is the width of a point.
    for (let at = 0, angle = 2 * Math.PI * 1.4; at < count; at++) {
        const radius = (room * angle) / (2 * Math.PI);
        places.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
        angle += room / radius;
    }
    return places;
}

/** The longitude and latitude of any kind of position that MapLibre accepts. */
function pairOf(place) {
    const pair = Array.isArray(place) ? place.slice(0, 2) : [place?.lng ?? place?.lon, place?.lat];
    if (pair.length === 2 && pair.every(Number.isFinite)) return pair;
    throw new TypeError("spiderfy(map, center, features) needs a center, such as [longitude, latitude] or event.lngLat");
}

const spiderLayers = ["covey-spider-legs", "covey-spider-points"];
const spiders = new WeakMap();

/**
 * Fans out features around a place of a map, in the layer `covey-spider-points`, with their properties.
 * An earlier fan is removed, as by `unspiderfy(map)`.
 */
export function spiderfy(map, center, features, { color = "#c2571a", legs = "#6d7680", most = 200 } = {}) {
    if (!Array.isArray(features)) throw new TypeError("spiderfy(map, center, features) needs a list of features");
    const place = pairOf(center);
    unspiderfy(map);
    const shown = features.slice(0, most);
    const offsets = fan(shown.length);
    const data = () => {
        const middle = map.project(place);
        const ends = offsets.map(([x, y]) => map.unproject([middle.x + x, middle.y + y]).toArray());
        const feature = (geometry, properties, id) => ({ type: "Feature", geometry, properties, ...(id === undefined ? {} : { id }) });
        return [
            ends.map((end) => feature({ type: "LineString", coordinates: [place, end] }, {})),
            ends.map((end, at) => feature({ type: "Point", coordinates: end }, shown[at].properties, shown[at].id)),
        ].map((list) => ({ type: "FeatureCollection", features: list }));
    };
    const [lines, points] = data();
    map.addSource(spiderLayers[0], { type: "geojson", data: lines });
    map.addSource(spiderLayers[1], { type: "geojson", data: points });
    map.addLayer({ id: spiderLayers[0], type: "line", source: spiderLayers[0], paint: { "line-color": legs, "line-width": 1.2 } });
    map.addLayer({
        id: spiderLayers[1], type: "circle", source: spiderLayers[1],
        paint: { "circle-radius": 7, "circle-color": color, "circle-stroke-color": "#ffffff", "circle-stroke-width": 1.5 },
    });
    // The offsets are in pixels, so the places depend on the zoom.
    const follow = () => data().forEach((one, at) => map.getSource(spiderLayers[at])?.setData(one));
    map.on("zoomend", follow);
    spiders.set(map, follow);
}

/** Removes the fan of `spiderfy`. */
export function unspiderfy(map) {
    const follow = spiders.get(map);
    if (!follow) return;
    spiders.delete(map);
    map.off("zoomend", follow);
    // A map that was removed, or that loads another style, has neither layers nor sources.
    if (!map.getStyle()) return;
    for (const id of spiderLayers) if (map.getLayer(id)) map.removeLayer(id);
    for (const id of spiderLayers) if (map.getSource(id)) map.removeSource(id);
}
