import Geometry
import HTTP
import JSON
import TileArchive

extension TileService {
    /// No list has more entries than this.
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
        let answer = try archive.withClusters { index throws(ServiceError) -> JSONValue in
            var answers = ClusterAnswers(archive)
            switch question {
            case .itself:
                let record = try answers.cluster(id, in: &index)
                return try answers.feature(
                    of: .cluster(record), at: Int(record.key.zoom), in: &index)
            case .children: return try answers.children(of: id, list, in: &index)
            case .leaves: return try answers.leaves(of: id, list, in: &index)
            case .parent: return try answers.parent(of: id, in: &index)
            case .expansionZoom:
                let zoom = try answers.cluster(id, in: &index).expansionZoom
                return ["expansion_zoom": .integer(Int64(zoom))]
            case .hull:
                let corners = try answers.hull(of: id, in: &index)
                return GeoJSON.feature(
                    id: .integer(id), geometry: GeoJSON.hull(corners), properties: JSONObject(),
                    layer: nil)
            case .bbox:
                let box = try answers.box(of: id, in: &index)
                let sides = [box.west, box.south, box.east, box.north]
                return ["bbox": .array(sides.map(GeoJSON.degrees))]
            }
        }
        let isPlain = question == .bbox || question == .expansionZoom
        return try respond(
            with: answer, type: isPlain ? "application/json" : Self.geoJSON, to: request)
    }

    /// What is drawn at a zoom for the point at a place: its cluster, or the point.
    func clusterContaining(
        in archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        let query = Query(request.query)
        let place = LonLat(
            longitude: try query.required("lon", query.degrees("lon", within: 180)),
            latitude: try query.required("lat", query.degrees("lat", within: 90)))
        let zoom = Int(try query.required("zoom", query.number("zoom", in: 0...31)))
        // A marker's width around the place, at that zoom.
        let reach = 50 / (512 * Double(1 << zoom))
        let answer = try archive.withClusters { index throws(ServiceError) -> JSONValue in
            var answers = ClusterAnswers(archive)
            let point = WorldPoint(place).wrapped
            guard let leaf = try answers.leaf(nearest: point, reach: reach, in: &index) else {
                throw .noClusterThere
            }
            let node = try archive.reading { () throws(ArchiveError) in
                try index.node(holding: leaf, at: zoom)
            }
            return try answers.feature(of: node, at: zoom, in: &index)
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
        let answer = try archive.withClusters { index throws(ServiceError) -> JSONValue in
            var answers = ClusterAnswers(archive)
            return try answers.leaves(in: box, from: start, limit: Int(limit), &index)
        }
        return try respond(with: answer, type: Self.geoJSON, to: request)
    }

    private static var geoJSON: String { "application/geo+json" }
}
