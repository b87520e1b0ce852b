/// A violation of the rules of PMTiles in a file.
public enum PMTilesProblem: Equatable, Sendable {
    case noOffset(section: String)
    case length(sections: UInt64, file: Int)
    case overlap(section: String)
    case rootTooFar
    case noArea
    case directories(String)
    case deepDirectories(Int)
    case outsideOfData(id: UInt64)
    case unordered(id: UInt64)
    case notCalledOrdered
    case unknownCompression
    case count(of: String, stated: UInt64, found: UInt64)
    case zoom(which: String, stated: UInt8, found: UInt8)
    case centerZoom(UInt8)
    case beyondBounds(zoom: Int, found: UInt64, most: UInt64)
    case blockMissing(Int64)
    case blockHash
    /// A claim of the file of clusters that differs from the archive's, or from those of such files.
    case otherClaim(String)
    indirect case clusterFile(PMTilesProblem)
}

extension PMTilesProblem {
    /// A short name for programs.
    public var code: String {
        switch self {
        case .noOffset, .length, .overlap, .rootTooFar: "pmtiles-sections"
        case .noArea, .beyondBounds: "pmtiles-bounds"
        case .directories, .deepDirectories: "pmtiles-directories"
        case .outsideOfData: "pmtiles-data"
        case .unordered, .notCalledOrdered: "pmtiles-order"
        case .unknownCompression: "pmtiles-compression"
        case .count: "pmtiles-counts"
        case .zoom, .centerZoom: "pmtiles-zooms"
        case .blockMissing, .blockHash, .otherClaim: "cluster-file"
        case .clusterFile(let problem): problem.code
        }
    }

    /// Whether readers can cope with the problem.
    public var isHarmless: Bool {
        switch self {
        case .deepDirectories, .notCalledOrdered: true
        case .clusterFile(let problem): problem.isHarmless
        default: false
        }
    }
}

extension PMTilesProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noOffset(let section): "the header places the \(section) at byte 0"
        case .length(let sections, let file):
            "header and sections have \(sections) bytes together, and the file has \(file)"
        case .overlap(let section): "the \(section) overlap another section"
        case .rootTooFar: "the root directory does not end within the first 16,384 bytes"
        case .noArea: "the bounds have no area; some clients then show nothing"
        case .directories(let reason): reason
        case .deepDirectories(let levels):
            "directories are nested \(levels) deep; many readers know one level of leaf directories"
        case .outsideOfData(let id): "tile id \(id) lies outside of the tile data"
        case .unordered(let id):
            "the header says that contents are in the order of tile ids, but id \(id) is not"
        case .notCalledOrdered:
            "contents are in the order of tile ids, and the header does not say so"
        case .unknownCompression: "the header does not say how tiles are compressed"
        case .otherClaim(let what): "the file of clusters has the wrong \(what)"
        case .count(let what, let stated, let found):
            "the header counts \(stated) \(what), and there are \(found)"
        case .zoom(let which, let stated, let found):
            "the header's \(which) zoom is \(stated), and that of the tiles is \(found)"
        case .centerZoom(let zoom): "the center's zoom \(zoom) is not one of the tiles"
        case .beyondBounds(let zoom, let found, let most):
            "zoom \(zoom) has \(found) tiles, and the header's bounds touch no more than \(most)"
        case .blockMissing(let number): "cluster block \(number) is missing"
        case .blockHash: "the cluster blocks are not those that the archive was made with"
        case .clusterFile(let problem): "in the file of clusters: \(problem)"
        }
    }
}
