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

        init(type: String, _ bytes: [UInt8]) {
            self.type = type
            isData = false
            plain = Payload(bytes)
            hash = ContentHash(of: bytes.span)
            var compressor = GzipCompressor(level: 9)
            packed = Payload(compressor.compress(bytes.span))
        }

        init(_ data: PageData) {
            let bytes = data.packed
            var inflater = GzipInflater()
            type = data.type
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
        var assets = [
            "covey.js": Asset(type: Self.script, Array(bundle.module.utf8)),
            "covey.global.js": Asset(type: Self.script, Array(bundle.script.utf8)),
            "preview.css": Asset(type: Self.style, PageSource.bytes(of: "preview.css")),
            "icon.svg": Asset(type: "image/svg+xml", PageSource.bytes(of: "icon.svg")),
        ]
        for name in Self.scripts {
            assets[name] = Asset(type: Self.script, PageSource.bytes(of: name))
        }
        for data in PageData.allCases where mapLibre == .own || !PageData.mapLibre.contains(data) {
            assets[data.path] = Asset(data)
        }
        guard case .folder(let folder) = mapLibre else { return assets }
        for name in MapLibreSource.fileNames {
            guard let bytes = try? File.contents(of: "\(folder)/\(name)", limit: 8 << 20) else {
                continue
            }
            let type = name.hasSuffix(".js") ? Self.script : Self.style
            assets[name] = Asset(type: type, bytes)
        }
        return assets
    }

    /// The page's scripts besides those that make up `covey.js`.
    private static let scripts = [
        "preview.js", "dom.js", "basemap.js", "filters.js", "layers.js", "leaves.js", "take.js",
        "map.js", "panel.js", "pictures.js", "rooms.js", "tile.js",
    ]
    private static let script = "text/javascript; charset=utf-8"
    private static let style = "text/css; charset=utf-8"
}
