// Counts drawn as icons, for styles without glyphs.

const countPrefix = "covey-count:";
const drawers = new WeakMap();

/**
 * Draws the icons that Covey's styles use for counts. `color` and `font` are those of a canvas. The last call for a map is
 * in effect. The `stop()` of the result ends it.
 */
export function drawCounts(map, { color = "#fff", font = "600 12px system-ui, sans-serif" } = {}) {
    drawers.get(map)?.stop();
    const draw = ({ id }) => {
        if (!id.startsWith(countPrefix) || map.hasImage(id)) return;
        const text = id.slice(countPrefix.length, countPrefix.length + 16);
        const pixelRatio = 2;
        const canvas = document.createElement("canvas");
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context.font = font;
        canvas.width = Math.max(2, Math.ceil(context.measureText(text).width) + 4) * pixelRatio;
        canvas.height = 18 * pixelRatio;
        context.scale(pixelRatio, pixelRatio);
        context.font = font;
        context.fillStyle = color;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(text, canvas.width / pixelRatio / 2, 9.5);
        map.addImage(id, context.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio });
    };
    map.on("styleimagemissing", draw);
    const drawer = { stop: () => void map.off("styleimagemissing", draw) };
    drawers.set(map, drawer);
    return drawer;
}
