/// The preview page as files, for a folder that any static host serves: `index.html`, `covey.js`, and
/// below `assets/` what the page needs, MapLibre GL JS with it where it lies on this machine.
///
/// Beside them the page expects `tiles.json`, `style.json` and what these name.
public struct PageFiles {
    /// A file by its path in the folder.
    public struct File {
        public let path: String
        public let bytes: [UInt8]
    }

    public let files: [File]
    /// Whether the page takes MapLibre GL JS from the network, because there is none here.
    public let needsNetwork: Bool

    /// Where a style beside the page finds the page's glyphs.
    public static let glyphs = "assets/fonts/{fontstack}/{range}.pbf"

    public init(mapLibre: MapLibreSource, basemap: BasemapAddress? = nil) {
        needsNetwork = mapLibre.foreignOrigin != nil
        let page = PageDocument(
            kind: .folder, root: "./", assets: "assets/", mapLibre: mapLibre,
            basemap: basemap)
        let assets = Assets(mapLibre: mapLibre)
        var files = [File(path: "index.html", bytes: Array(page.text.utf8))]
        for (name, asset) in assets.all.sorted(by: { $0.key < $1.key }) {
            let isForOthers = Assets.forOthers.contains(name)
            files.append(File(path: isForOthers ? name : "assets/\(name)", bytes: asset.bytes))
        }
        self.files = files
    }
}
