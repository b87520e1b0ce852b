/// The preview page as files for a folder on any static host: `index.html`, `covey.js`, and in
/// `assets/` the files that the page needs, with MapLibre GL JS if it is on this machine.
///
/// The page expects `tiles.json`, `style.json` and the files that they name beside these.
public struct PageFiles {
    /// A file by its path in the folder.
    public struct File {
        public let path: String
        public let bytes: [UInt8]
    }

    public let files: [File]
    /// Whether the page loads MapLibre GL JS from the network, because it is not on this machine.
    public let needsNetwork: Bool

    /// The address of the page's glyphs for a style beside the page.
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
