import Geometry
import LiveClusters

/// What a phone's map shows of a list of places: the same model for either map library.
public struct ClusterModel: Sendable {
    public struct Place: Sendable {
        public var name: String
        public var position: LonLat

        public init(name: String, position: LonLat) {
            self.name = name
            self.position = position
        }
    }

    public let places: [Place]
    private let map: ClusterMap

    /// Takes a moment for many places; make it away from the main thread.
    public init(_ places: [Place]) throws {
        self.places = places
        map = try ClusterMap(
            of: places.map(\.position), options: .init(radius: 60, maxZoom: 16))
    }

    /// What belongs into a part of the map at its scale.
    public func markers(in box: LonLatBox, zoom: Double) -> [Marker] {
        map.markers(in: box, zoom: Int(zoom.rounded(.down)))
    }

    /// What a marker says when it is tapped.
    public func title(of marker: Marker) -> String {
        let points = map.points(of: marker)
        guard marker.isCluster else { return places[points[0]].name }
        return "\(marker.count): "
            + points.prefix(3).map { places[$0].name }.joined(separator: ", ")
    }

    /// How far to zoom in when a cluster is tapped.
    public func zoom(toExpand marker: Marker) -> Double { Double(map.expansionZoom(of: marker)) }
}
