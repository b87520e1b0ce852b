import Basics
import Compression
import HTTP
import Platform

/// The files of the preview page, which are part of the program; MapLibre's may be in a folder.
final class Assets: Sendable {
    struct Asset: Sendable {
        let type: String
        let plain: Payload
        let packed: Payload
        let hash: ContentHash
        /// Whether it does not change between versions of the program.
        let isData: Bool

        init(_ name: String, _ bytes: [UInt8]) {
            type = Assets.type(of: name)
            isData = false
            plain = Payload(bytes)
            hash = ContentHash(of: bytes.span)
            var compressor = GzipCompressor(level: 9)
            packed = Payload(compressor.compress(bytes.span))
        }

        init(_ data: PageData) {
            let bytes = data.packed
            var inflater = GzipInflater()
            type = Assets.type(of: data.path)
            isData = true
            packed = Payload(bytes)
            // The program's own files are valid gzip.
            plain = Payload((try? inflater.inflate(bytes.span, limit: 8 << 20)) ?? [])
            hash = ContentHash(of: bytes.span)
        }

        var bytes: [UInt8] { plain.span.indices.map { plain.span[$0] } }
    }

    let mapLibre: MapLibreSource
    private let made = Once<[String: Asset]>()

    init(mapLibre: MapLibreSource) { self.mapLibre = mapLibre }

    /// The asset of a name; all are compressed once, when the first is asked for.
    func asset(named name: String) -> Asset? { all[name] }

    var all: [String: Asset] { made.get { makeAll() } }

    /// The files that other sites' pages may use.
    static let forOthers: Set = ["covey.js", "covey.global.js"]

    private func makeAll() -> [String: Asset] {
        let bundle = ScriptBundle()
        var assets: [String: Asset] = [:]
        func add(_ name: String, _ bytes: [UInt8]) { assets[name] = Asset(name, bytes) }
        add("covey.js", Array(bundle.module.utf8))
        add("covey.global.js", Array(bundle.script.utf8))
        for name in Self.own { add(name, PageSource.bytes(of: name)) }
        for data in PageData.allCases where mapLibre == .own || !PageData.mapLibre.contains(data) {
            assets[data.path] = Asset(data)
        }
        guard case .folder(let folder) = mapLibre else { return assets }
        for name in MapLibreSource.fileNames {
            if let bytes = try? File.contents(of: "\(folder)/\(name)", limit: 8 << 20) {
                add(name, bytes)
            }
        }
        return assets
    }

    /// The page's files besides the scripts that make up `covey.js`.
    private static let own = [
        "preview.js", "dom.js", "basemap.js", "filters.js", "layers.js", "leaves.js", "take.js",
        "map.js", "panel.js", "pictures.js", "rooms.js", "tile.js", "preview.css", "icon.svg",
    ]

    /// The media type of a file, by the ending of its name.
    static func type(of name: String) -> String {
        name.split(separator: ".").last.flatMap { types[String($0)] } ?? "application/octet-stream"
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "geojson": "application/geo+json",
        "js": "text/javascript; charset=utf-8", "pbf": TileKind.vector, "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
    ]
}
