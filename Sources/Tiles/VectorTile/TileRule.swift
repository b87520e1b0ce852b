/// A rule of the Mapbox Vector Tile specification 2.1 that a tile can break.
///
/// The raw value is the rule's code in reports.
public enum TileRule: String, Sendable, CaseIterable {
    case truncated
    case badVarint = "bad-varint"
    case badFieldTag = "bad-field-tag"
    case wrongWireType = "wrong-wire-type"

    case missingVersion = "missing-version"
    case unknownVersion = "unknown-version"
    case missingName = "missing-name"
    case duplicateLayerName = "duplicate-layer-name"
    case missingExtent = "missing-extent"
    case zeroExtent = "zero-extent"
    case noFeatures = "no-features"
    case duplicateKey = "duplicate-key"
    case duplicateValue = "duplicate-value"
    case badValue = "bad-value"
    case badText = "bad-text"
    case repeatedField = "repeated-field"

    case missingType = "missing-type"
    case unknownType = "unknown-type"
    case missingGeometry = "missing-geometry"
    case repeatedGeometry = "repeated-geometry"
    case repeatedTags = "repeated-tags"
    case duplicateID = "duplicate-id"

    case unknownCommand = "unknown-command"
    case badCommandCount = "bad-command-count"
    case misplacedCommand = "misplaced-command"
    case truncatedGeometry = "truncated-geometry"
    case badParameter = "bad-parameter"
    case zeroLengthLine = "zero-length-line"
    case zeroAreaRing = "zero-area-ring"
    case closedRing = "closed-ring"
    case interiorRingFirst = "interior-ring-first"
    case interiorOutside = "interior-outside"
    case crossingRing = "crossing-ring"

    case oddTagCount = "odd-tag-count"
    case tagOutOfRange = "tag-out-of-range"
    case duplicateTagKey = "duplicate-tag-key"
}

extension TileRule {
    /// How much of a tile a broken rule spoils.
    public enum Severity: String, Sendable {
        /// The whole tile: a reader stops.
        case fatal
        /// One feature or layer, which a reader may skip.
        case recoverable
        /// Nothing that a reader needs.
        case advice
    }

    public var severity: Severity {
        switch self {
        case .truncated, .badVarint, .badFieldTag, .wrongWireType, .missingVersion,
            .unknownVersion, .missingName, .badValue, .tagOutOfRange:
            .fatal
        case .missingExtent, .noFeatures, .duplicateKey, .duplicateValue, .duplicateID,
            .zeroAreaRing, .closedRing:
            .advice
        default: .recoverable
        }
    }

    /// The section of the specification that states the rule.
    public var section: String {
        switch self {
        case .truncated, .badVarint, .badFieldTag, .wrongWireType: "2"
        case .missingVersion, .unknownVersion, .missingName, .duplicateLayerName, .missingExtent,
            .zeroExtent, .noFeatures, .duplicateKey, .duplicateValue, .badValue, .badText,
            .repeatedField:
            "4.1"
        case .missingType, .missingGeometry, .repeatedGeometry, .duplicateID: "4.2"
        case .unknownType: "4.3.4"
        case .unknownCommand, .truncatedGeometry: "4.3.1"
        case .badParameter: "4.3.2"
        case .badCommandCount, .misplacedCommand: "4.3.4"
        case .zeroLengthLine: "4.3.3.2"
        case .zeroAreaRing, .closedRing, .interiorRingFirst, .interiorOutside,
            .crossingRing:
            "4.3.4.4"
        case .oddTagCount, .tagOutOfRange, .duplicateTagKey, .repeatedTags: "4.4"
        }
    }
}
