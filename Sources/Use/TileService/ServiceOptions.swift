import Basics
import HTTP

/// How archives are served.
public struct ServiceOptions: Sendable {
    /// The answer for a tile that the archive does not have.
    public enum MissingTile: String, CaseIterable, Sendable {
        /// 204, no content.
        case noContent = "204"
        /// 404, with a reason.
        case notFound = "404"
        /// 200 with an empty tile.
        case empty = "empty"
    }

    /// The other origins whose pages may read the answers (CORS).
    public enum CrossOrigin: Equatable, Sendable {
        case anyone
        case noOne
        case origins(Set<String>)
    }

    /// The address under which clients reach this server; nil means the one in their `Host` header.
    public var publicAddress: PublicAddress?
    /// Proxies whose `X-Forwarded-…` headers are trusted.
    public var trustedProxies: [AddressBlock] = []
    public var crossOrigin = CrossOrigin.anyone
    public static let usualCacheControl = "public, max-age=300"
    public var cacheControl = usualCacheControl
    /// The caching of archives that may change at any time: clients ask again each time, unless users set it otherwise.
    var livingCacheControl: String {
        cacheControl == Self.usualCacheControl ? "no-cache" : cacheControl
    }
    public var missingTile = MissingTile.noContent
    /// The most bytes of stored tiles that are cached.
    public var tileCacheBytes = 16 << 20
    /// The most bytes of inflated tiles that are cached, for clients without gzip.
    public var inflatedCacheBytes = 8 << 20
    /// The source of MapLibre GL JS for the preview page.
    public var mapLibre = MapLibreSource.usual
    /// The style under the data on the page; nil means the program's land, borders and names of countries.
    public var basemap: BasemapAddress?
    /// Whether other sites may show the preview page in a frame.
    public var mayBeEmbedded = false
    /// The address of glyphs in styles, with `{fontstack}` and `{range}`; nil means the program's own.
    public var glyphs: String?
    /// The font of counts in styles; nil means that of the program's glyphs.
    public var font: String?

    public init() {}
}

/// A scheme, a host and maybe a path, before all that is served: `https://a.example/tiles`.
public struct PublicAddress: Equatable, Sendable {
    /// `https://a.example`
    public let origin: String
    /// `/tiles`, or an empty text.
    public let path: String

    /// The whole address, without a slash at the end.
    public var text: String { origin + path }

    init(origin: String, path: String) {
        self.origin = origin
        self.path = path
    }

    /// Reads `http` and `https` addresses without query, fragment or user.
    public init?(_ text: String) {
        guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }) else {
            return nil
        }
        let rest = text.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" }
        let path = String(rest.dropFirst(host.count))
        guard Authority.isValid(String(host)), let clean = Self.cleanPath(path) else { return nil }
        self.init(origin: scheme + host, path: clean)
    }

    /// A path with a slash at its beginning and none at its end; nil if it has other than plain characters.
    static func cleanPath(_ text: String) -> String? {
        let segments = text.split(separator: "/")
        let isPlain = segments.allSatisfy { segment in
            segment != "." && segment != ".."
                && segment.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._~".utf8.contains($0) }
        }
        return isPlain ? segments.map { "/" + $0 }.joined() : nil
    }
}

extension UInt8 {
    var isASCIILetterOrDigit: Bool {
        isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }
}
