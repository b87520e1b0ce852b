import Basics
import ClusterQueries
import Geometry

/// The meaning of a request's path.
package enum Route: Equatable {
    case page
    case catalog
    case health
    case metrics
    case asset(String)
    case glyphs(range: String)
    case tileJSON(archive: String)
    case style(archive: String)
    case tile(archive: String, TileID, extension: String?)
    case cluster(archive: String, id: Int64, ClusterQuestion)
    case containing(archive: String)
    case leaves(archive: String)
    case events(archive: String)

    /// First segments that may not be an archive's id.
    static let reserved: Set<String> = [
        "catalog", "health", "metrics", "covey.js", "covey.global.js", "-",
    ]

    package init(_ path: RequestPath) throws(ServiceError) {
        let segments = path.segments
        switch (segments.first, segments.count) {
        case (nil, _): self = .page
        case ("catalog", 1): self = .catalog
        case ("health", 1): self = .health
        case ("metrics", 1): self = .metrics
        case ("covey.js", 1), ("covey.global.js", 1): self = .asset(segments[0])
        case ("-", 2): self = .asset(segments[1])
        case ("-", 4) where segments[1] == "fonts":
            guard let range = Glyphs.range(segments[3]) else { throw .unknownPath }
            self = .glyphs(range: range)
        case (let archive?, 1): self = .tileJSON(archive: archive)
        case (let archive?, 2) where segments[1] == "style.json": self = .style(archive: archive)
        case (let archive?, 2) where segments[1] == "leaves": self = .leaves(archive: archive)
        case (let archive?, 2) where segments[1] == "events": self = .events(archive: archive)
        case (let archive?, 3) where segments[1] == "clusters":
            self =
                segments[2] == "containing"
                ? .containing(archive: archive)
                : try .cluster(archive: archive, id: Self.clusterID(segments[2]), .itself)
        case (let archive?, 4) where segments[1] == "clusters":
            self = try .cluster(
                archive: archive, id: Self.clusterID(segments[2]), Self.question(segments[3]))
        case (let archive?, 4): self = try Self.tile(archive, segments[1...])
        default: throw .unknownPath
        }
    }

    private static func clusterID(_ text: String) throws(ServiceError) -> Int64 {
        guard text.utf8.allSatisfy(\.isASCIIDigit), let id = Int64(text) else {
            throw .badParameter("the cluster's id", expected: "a whole number")
        }
        return id
    }

    private static func question(_ text: String) throws(ServiceError) -> ClusterQuestion {
        guard let question = ClusterQuestion(rawValue: text) else { throw .unknownPath }
        return question
    }

    private static func tile(
        _ archive: String, _ segments: ArraySlice<String>
    ) throws(ServiceError) -> Route {
        var numbers = Array(segments)
        var suffix: String?
        let last = numbers[2].utf8
        if let dot = last.firstIndex(of: UInt8(ascii: ".")) {
            suffix = String(numbers[2][last.index(after: dot)...])
            numbers[2] = String(numbers[2][..<dot])
        }
        let values = numbers.compactMap(Self.number)
        guard values.count == 3 else {
            throw .badPath("names no tile: zoom, column and row are whole numbers")
        }
        guard let tile = TileID(zoom: values[0], column: values[1], row: values[2]) else {
            throw .noSuchTile(numbers.joined(separator: "/"))
        }
        return .tile(archive: archive, tile, extension: suffix)
    }

    /// Digits only: `Int` would accept a sign as well.
    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }
}
