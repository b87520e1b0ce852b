import ArchiveContract
import Basics
import VectorTile

/// The indices of clusters' keys in a layer's list of keys.
struct ClusterKeyIndices {
    private var flag = -1
    private var otherFlag = -1
    private var pointCount = -1
    private var id = -1
    private var expansionZoom = -1
    private var abbreviated = -1
    /// Whether a count without a flag makes a feature a cluster.
    private let countsWithoutFlag: Bool

    /// The names as bytes.
    private enum Names {
        static let cluster = Array(ClusterAttribute.cluster.name.utf8)
        static let clusterID = Array(ClusterAttribute.clusterID.name.utf8)
        static let pointCount = Array(ClusterAttribute.pointCount.name.utf8)
        static let pointCountAbbreviated = Array(
            ClusterAttribute.pointCountAbbreviated.name.utf8)
        static let expansionZoom = Array(ClusterAttribute.expansionZoom.name.utf8)
        static let clustered = Array("clustered".utf8)
    }

    init(of layer: borrowing LayerView, countsWithoutFlag: Bool = false) {
        self.countsWithoutFlag = countsWithoutFlag
        for index in 0..<layer.keyCount {
            let key = layer.keyBytes(at: index)
            // All of these names begin with one of three letters.
            guard key.count >= 7 else { continue }
            switch key[0] {
            case UInt8(ascii: "c"):
                if key.holdsSame(as: Names.cluster) { flag = index }
                if key.holdsSame(as: Names.clustered) { otherFlag = index }
                if key.holdsSame(as: Names.clusterID) { id = index }
            case UInt8(ascii: "p"):
                if key.holdsSame(as: Names.pointCount) { pointCount = index }
                if key.holdsSame(as: Names.pointCountAbbreviated) { abbreviated = index }
            case UInt8(ascii: "e"):
                if key.holdsSame(as: Names.expansionZoom) { expansionZoom = index }
            default: break
            }
        }
    }

    /// Whether a feature of the layer can be a cluster.
    var areThere: Bool { pointCount >= 0 && (countsWithoutFlag || flag >= 0 || otherFlag >= 0) }

    /// Notes a tag if it is about a cluster.
    func note(_ tag: TagCursor.Tag, of layer: borrowing LayerView, in marks: inout ClusterMarks) {
        switch tag.key {
        case pointCount:
            let count = layer.integer(at: tag.value, &marks) ?? 0
            marks.pointCount = ClusterMarks.counts.contains(count) ? count : 0
        case flag, otherFlag:
            if case .bool(true) = layer.value(at: tag.value).value { marks.isFlagged = true }
        case id: marks.id = layer.integer(at: tag.value, &marks) ?? -1
        case expansionZoom: marks.expansionZoom = layer.integer(at: tag.value, &marks) ?? -1
        default: break
        }
    }

    /// The index of the abbreviated count's key.
    var abbreviatedKey: Int { abbreviated }
}

extension LayerView {
    fileprivate func integer(at index: Int, _ marks: inout ClusterMarks) -> Int64? {
        let value = value(at: index).value
        switch value {
        case .float, .double: marks.hasFraction = true
        default: break
        }
        return value.integer
    }
}

extension TileValue {
    /// The value as a whole number, whatever its type.
    var integer: Int64? {
        switch self {
        case .int(let integer), .sint(let integer): integer
        case .uint(let integer): Int64(exactly: integer)
        case .float(let number): Int64(exactly: number)
        case .double(let number): Int64(exactly: number)
        case .string, .bool: nil
        }
    }
}
