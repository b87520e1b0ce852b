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
            "preview.js": Asset(type: Self.script, PackageResources.preview_js),
            "dom.js": Asset(type: Self.script, PackageResources.dom_js),
            "basemap.js": Asset(type: Self.script, PackageResources.basemap_js),
            "filters.js": Asset(type: Self.script, PackageResources.filters_js),
            "layers.js": Asset(type: Self.script, PackageResources.layers_js),
            "leaves.js": Asset(type: Self.script, PackageResources.leaves_js),
            "take.js": Asset(type: Self.script, PackageResources.take_js),
            "map.js": Asset(type: Self.script, PackageResources.map_js),
            "panel.js": Asset(type: Self.script, PackageResources.panel_js),
            "pictures.js": Asset(type: Self.script, PackageResources.pictures_js),
            "rooms.js": Asset(type: Self.script, PackageResources.rooms_js),
            "tile.js": Asset(type: Self.script, PackageResources.tile_js),
            "preview.css": Asset(type: "text/css; charset=utf-8", PackageResources.preview_css),
            "icon.svg": Asset(type: "image/svg+xml", PackageResources.icon_svg),
        ]
        for data in PageData.allCases where mapLibre == .own || !PageData.mapLibre.contains(data) {
            assets[data.path] = Asset(data)
        }
        guard case .folder(let folder) = mapLibre else { return assets }
        for name in MapLibreSource.fileNames {
            guard let bytes = try? File.contents(of: "\(folder)/\(name)", limit: 8 << 20) else {
                continue
            }
            let type = name.hasSuffix(".js") ? Self.script : "text/css; charset=utf-8"
            assets[name] = Asset(type: type, bytes)
        }
        return assets
    }

    private static let script = "text/javascript; charset=utf-8"
}
