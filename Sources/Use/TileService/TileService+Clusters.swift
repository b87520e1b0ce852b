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
        _ question: ClusterQuestion, about id: Int64, in archive: ServedArchive,
        for request: Request
    ) throws(ServiceError) -> Response {
        let query = Query(request.query)
        let page = ClusterAnswers.Page(
            offset: try query.number("offset", in: 0...(1 << 53)) ?? 0,
            limit: try query.number("limit", in: 1...Self.longestList)
                ?? (question == .leaves ? 10 : Self.longestList),
            mostBytes: DrawnNodes.mostBytes)
        let answer = try archive.answer { try $0.answer(question, about: id, page, &$1) }
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
        let answer = try archive.answer { answers, query in
            let node = try query.node(
                at: position, zoom: zoom, among: archive.blockBoxes(&query))
            guard let node else { throw ServiceError.noClusterThere }
            return try answers.features(of: [node], at: zoom, &query)[0]
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
        let answer = try archive.answer { _, query in
            let page = try query.leaves(
                in: box, from: start, limit: Int(limit), among: archive.blockBoxes(&query))
            return GeoJSON.collection(page.leaves.map(GeoJSON.feature), next: page.next)
        }
        return try respond(with: answer, type: Self.geoJSON, to: request)
    }

    private static var geoJSON: String { "application/geo+json" }
}
