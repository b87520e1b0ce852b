// The room that markers take among names: circles take none, and names would run under them.

/** Two pixels that are not seen; as large as a marker where they are drawn. */
export const roomImage = { width: 2, height: 2, data: new Uint8Array(16) };

/** A layer for each that draws markers: a picture of the marker's size, which names have to leave free. */
export function rooms(layers) {
    const roles = ["clusters", "points"];
    return layers.filter(({ metadata }) => roles.includes(metadata?.["covey:role"]))
        .map(({ id, source, metadata, filter, paint, ...layer }) => ({
            id: `${id}-room`, type: "symbol", source, "source-layer": layer["source-layer"],
            metadata: { ...metadata, "covey:role": "room", "covey:of": id }, ...(filter && { filter }),
            layout: {
                "icon-image": "covey-room", "icon-size": paint["circle-radius"], "icon-padding": 3,
                "icon-allow-overlap": true, visibility: layer.layout?.visibility ?? "visible",
            },
        }));
}
