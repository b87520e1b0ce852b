import Geometry

/// How far the points of nodes lie from where these stand.
struct NodeReach: Sendable {
    private let hierarchy: Hierarchy
    private let input: ClusterInput

    init(_ hierarchy: Hierarchy, _ input: ClusterInput) {
        self.hierarchy = hierarchy
        self.input = input
    }

    /// No less than the distance of any point, and hardly more.
    /// - Complexity: O(points of the node).
    func distance(of node: NodeReference, from place: WorldPoint) -> Double {
        var squared = 0.0
        for point in hierarchy.points(under: [node]) {
            var dx = abs(input.x[point] - place.x)
            if input.options.wrap { dx = min(dx, 1 - dx) }
            let dy = input.y[point] - place.y
            squared = max(squared, dx * dx + dy * dy)
        }
        return squared.squareRoot() * (1 + 1e-9) + 1e-15
    }
}
