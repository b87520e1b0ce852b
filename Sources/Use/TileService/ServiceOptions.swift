import HTTP

/// How archives are served.
public struct ServiceOptions: Sendable {
    /// What a client gets for a tile that the archive does not have.
    public enum MissingTile: String, CaseIterable, Sendable {
        /// 204, no content.
        case noContent = "204"
        /// 404, with a reason.
        case notFound = "404"
        /// 200 with an empty tile.
        case empty = "empty"
    }

    /// Which pages of other origins may read the answers (CORS).
    public enum CrossOrigin: Equatable, Sendable {
        case anyone
        case noOne
        case origins(Set<String>)
    }

    /// The address under which clients reach this server; nil: what they say in `Host`.
    public var publicAddress: PublicAddress?
    /// Proxies whose `X-Forwarded-…` headers are believed.
    public var trustedProxies: [AddressBlock] = []
    public var crossOrigin = CrossOrigin.anyone
    public static let usualCacheControl = "public, max-age=300"
    public var cacheControl = usualCacheControl
    /// Of archives that may change at any time: they are asked for again each time, unless users say otherwise.
    var livingCacheControl: String {
        cacheControl == Self.usualCacheControl ? "no-cache" : cacheControl
    }
    public var missingTile = MissingTile.noContent
    /// How many bytes of tiles are kept as they are stored.
    public var tileCacheBytes = 16 << 20
    /// How many bytes of tiles inflated for clients without gzip are kept.
    public var inflatedCacheBytes = 8 << 20
    /// Where the preview page gets MapLibre GL JS from.
    public var mapLibre = MapLibreSource.usual
    /// What the page draws under the data; nil: land, borders and names of countries from the program.
    public var basemap: BasemapAddress?
    /// Whether pages of others may show the preview page in a frame.
    public var mayBeEmbedded = false
    /// Where styles find glyphs, with `{fontstack}` and `{range}`; nil: those of the program.
    public var glyphs: String?
    /// What styles write counts in; nil: the font of the program's glyphs.
    public var font: String?

    public init() {}
}

/// A scheme, a host and perhaps a path, in front of all that is served: `https://a.example/tiles`.
public struct PublicAddress: Equatable, Sendable {
    /// `https://a.example`
    public let origin: String
    /// `/tiles`, or nothing.
    public let path: String

    /// The whole address, without a slash at its end.
    public var text: String { origin + path }

    init(origin: String, path: String) {
        self.origin = origin
        self.path = path
    }

    /// Reads `http` and `https` addresses that have no query, fragment or user.
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

    /// A path with a slash in front and none behind; nil if it has other than plain characters.
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
    var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    var isASCIILetterOrDigit: Bool {
        isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }
}
