// Keeps names off markers: names avoid symbols but not circles, and would be drawn under these.

/** An invisible image of two pixels, drawn as large as a marker. */
export const roomImage = { width: 2, height: 2, data: new Uint8Array(16) };

/** A layer for each layer of markers: an invisible image of the marker's size, which names avoid. */
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
