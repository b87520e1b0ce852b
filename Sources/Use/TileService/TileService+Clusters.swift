import ArchiveContract
import ClusterQueries
import Geometry
import HTTP
import JSON
import TileArchive

extension TileService {
    /// The most entries of a list.
    private static let longestList: Int64 = 1_000

    func answer(
        _ question: Route.ClusterQuestion, about id: Int64, in archive: ServedArchive,
        for request: Request
    ) throws(ServiceError) -> Response {
        let query = Query(request.query)
        let list = ClusterAnswers.Page(
            offset: try query.number("offset", in: 0...(1 << 53)) ?? 0,
            limit: try query.number("limit", in: 1...Self.longestList)
                ?? (question == .leaves ? 10 : Self.longestList))
        let answers = ClusterAnswers(archive: archive)
        let answer = try archive.withClusters { query throws(ServiceError) -> JSONValue in
            switch question {
            case .itself:
                let record = try answers.cluster(id, &query)
                return try answers.feature(of: .cluster(record), at: Int(record.key.zoom), &query)
            case .children: return try answers.children(of: id, list, &query)
            case .leaves: return try answers.leaves(of: id, list, &query)
            case .parent: return try answers.parent(of: id, &query)
            case .expansionZoom:
                let zoom = try answers.cluster(id, &query).expansionZoom
                return [ClusterAttribute.expansionZoom.name: .integer(Int64(zoom))]
            case .hull: return try answers.hull(of: id, &query)
            case .bbox: return try answers.box(of: id, &query)
            }
        }
        let isPlain = question == .bbox || question == .expansionZoom
        return try respond(
            with: answer, type: isPlain ? "application/json" : Self.geoJSON, to: request)
    }

    /// The node drawn at a zoom for the point at a position: its cluster, or the point.
    func clusterContaining(
        in archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        let query = Query(request.query)
        let position = LonLat(
            longitude: try query.required("lon", query.degrees("lon", within: 180)),
            latitude: try query.required("lat", query.degrees("lat", within: 90)))
        let zoom = Int(try query.required("zoom", query.number("zoom", in: 0...31)))
        let answer = try archive.withClusters { query throws(ServiceError) in
            try ClusterAnswers(archive: archive).node(at: position, zoom: zoom, &query)
        }
        return try respond(with: answer, type: Self.geoJSON, to: request)
    }

    /// The points inside a box, page by page.
    func leavesInBox(
        of archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        let query = Query(request.query)
        let box = try query.required("bbox", query.box("bbox"))
        let limit = try query.number("limit", in: 1...Self.longestList) ?? 100
        let start = try query.number("from", in: 0...(1 << 53)) ?? 0
        let answer = try archive.withClusters { query throws(ServiceError) in
            try ClusterAnswers(archive: archive).leaves(
                in: box, from: start, limit: Int(limit), &query)
        }
        return try respond(with: answer, type: Self.geoJSON, to: request)
    }

    private static var geoJSON: String { "application/geo+json" }
}
