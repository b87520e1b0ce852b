import ArchiveContract
import HTTP

/// Why a request is not answered as expected.
public enum ServiceError: Error, Equatable, Sendable {
    case badPath(String)
    case badParameter(String, expected: String)
    case unknownPath
    case unknownArchive(String)
    case noSuchTile(String)
    case outsideZooms(Int, ClosedRange<Int>)
    case missingTile(String)
    /// - Parameter why: what keeps the archive from using the index that it should have.
    case noClusters(archive: String, why: String? = nil)
    case unknownCluster(Int64)
    case noClusterThere
    case methodNotAllowed
    /// A tile or an index row cannot be read.
    case damaged(String)
    /// The archive cannot be read at present.
    case unreadable(String)

    public var status: Status {
        switch self {
        case .badPath, .badParameter: .badRequest
        case .unknownPath, .unknownArchive, .noSuchTile, .outsideZooms, .missingTile, .noClusters,
            .unknownCluster, .noClusterThere:
            .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .damaged: .internalServerError
        case .unreadable: .serviceUnavailable
        }
    }
}

extension ServiceError {
    /// Whether the request is at fault, so that another might be answered.
    var isAboutTheRequest: Bool { status.rawValue < 500 }
}

extension ServiceError: CustomStringConvertible {
    /// One line, which never contains a path of the server.
    public var description: String {
        switch self {
        case .badPath(let reason): "the path \(reason)"
        case .badParameter(let name, let expected): "\(name) should be \(expected)"
        case .unknownPath: "there is nothing here; / lists what is served"
        case .unknownArchive(let id): "no archive has the id '\(id)'; /catalog lists them"
        case .noSuchTile(let tile): "there is no tile \(tile) at that zoom"
        case .outsideZooms(let zoom, let zooms):
            "zoom \(zoom) is outside the archive's zooms, "
                + "\(zooms.lowerBound) to \(zooms.upperBound)"
        case .missingTile(let tile): "the archive has no tile \(tile)"
        case .noClusters(let archive, let why):
            "'\(archive)' has no cluster index" + (why.map { ": \($0)" } ?? "")
        case .unknownCluster(let id):
            "no cluster has the id \(id); tiles carry ids as \(ClusterAttribute.clusterID.name), and "
                + "clusters/containing finds one"
        case .noClusterThere: "no cluster holds a point there at that zoom"
        case .methodNotAllowed: "only GET, HEAD and OPTIONS are answered"
        case .damaged(let what): what
        case .unreadable(let what): what
        }
    }
}
