import ArchiveContract
import Geometry

/// No two nodes of a level may be within the radius (clustering.md's fourth invariant, for layers
/// whose algorithm promises it).
///
/// Tiles are read by column, so a window of one column and a radius moves over the world, and each
/// pair is found with the later of its nodes. Memory: the nodes of that window.
struct SpacingCheck {
    struct Spaced: Sendable, BitwiseCopyable {
        /// The position in units of the zoom's grid, from the world's west and north.
        var x: Int64
        var y: Int64
        var hierarchy: Int32
        var zoom: UInt8
        var column: UInt32
        var extent: Int32
    }

    private let facts: CoveyFacts
    private var windows: [Window]

    /// The nodes of one hierarchy that may still have neighbours.
    private struct Window {
        var zoom = -1
        var column: UInt32 = 0
        var nodes: [Spaced] = []
        /// The nodes near the world's west edge, which are neighbours of those at its east edge.
        var west: [Spaced] = []
        /// The number of nodes at which it is checked before the column is complete.
        var many = SpacingCheck.many
        /// Whether a pair of the column has been reported; no others are.
        var isTold = false
    }

    /// More nodes than a column with the right spacing has, except for the smallest radii.
    static let many = 1 << 16

    init(_ facts: CoveyFacts) {
        self.facts = facts
        windows = facts.layers.map { _ in Window() }
    }

    mutating func include(_ nodes: [Spaced], _ findings: inout FindingList) {
        for node in nodes {
            let number = Int(node.hierarchy)
            let isNext =
                windows[number].zoom != Int(node.zoom) || windows[number].column != node.column
            if isNext { advance(number, to: node, &findings) }
            guard !windows[number].isTold else { continue }
            windows[number].nodes.append(node)
            guard windows[number].nodes.count >= windows[number].many else { continue }
            checkPairs(number, &findings)
            windows[number].many = 2 * windows[number].nodes.count
        }
    }

    /// Checks the remaining nodes.
    mutating func finish(_ findings: inout FindingList) {
        for number in windows.indices { endZoom(number, &findings) }
    }

    /// The radius in units of the zoom's grid.
    private func radius(_ number: Int, _ node: Spaced) -> Double? {
        facts.layers[number].radius(of: node)
    }

    private mutating func advance(
        _ number: Int, to node: Spaced, _ findings: inout FindingList
    ) {
        guard windows[number].zoom == Int(node.zoom) else {
            endZoom(number, &findings)
            windows[number] = Window(zoom: Int(node.zoom), column: node.column)
            return
        }
        checkPairs(number, &findings)
        let start = Int64(node.column) * Int64(node.extent)
        let radius = Int64(radius(number, node) ?? 0) + 1
        keepWest(number, radius)
        windows[number].nodes.removeAll { $0.x < start - radius }
        windows[number].column = node.column
        windows[number].isTold = false
        windows[number].many = max(Self.many, 2 * windows[number].nodes.count)
    }

    private mutating func keepWest(_ number: Int, _ radius: Int64) {
        guard facts.layers[number].wraps else { return }
        windows[number].west += windows[number].nodes.filter {
            $0.x < radius && $0.column == windows[number].column
        }
    }

    private mutating func endZoom(_ number: Int, _ findings: inout FindingList) {
        checkPairs(number, &findings)
        if let node = windows[number].nodes.first, windows[number].zoom > 0 {
            keepWest(number, Int64(radius(number, node) ?? 0) + 1)
            let world = Int64(node.extent) << Int64(node.zoom)
            let last = UInt32((UInt64(1) << UInt64(node.zoom)) - 1)
            if windows[number].nodes.contains(where: { $0.column == last }) {
                windows[number].nodes += windows[number].west.map { node in
                    var node = node
                    node.x += world
                    return node
                }
                checkPairs(number, &findings)
            }
        }
        windows[number] = Window()
    }

    /// Looks for a pair that is too near; one pair a window is enough, and avoids quadratic time
    /// where there are many.
    private mutating func checkPairs(_ number: Int, _ findings: inout FindingList) {
        guard !windows[number].isTold else { return }
        let layer = facts.layers[number]
        guard let (node, _) = Self.nearPair(of: &windows[number].nodes, in: layer) else {
            return
        }
        let tile = "\(node.zoom)/\(node.column)/\(node.y / Int64(node.extent))"
        findings.add(
            .error, "spacing",
            "two nodes lie nearer to each other than the radius (one pair a column)",
            at: "\(tile) in \(layer.name)")
        windows[number].isTold = true
    }

    /// Sorts nodes from north to south, and returns two that are too near each other.
    static func nearPair(
        of nodes: inout [Spaced], in layer: ClusterDescription.Layer
    ) -> (Spaced, Spaced)? {
        nodes.sort { $0.y < $1.y }
        guard let first = nodes.first, let radius = layer.radius(of: first), radius > 0 else {
            return nil
        }
        for (index, node) in nodes.enumerated() {
            for other in nodes[(index + 1)...] {
                let dy = Double(other.y - node.y)
                guard dy < radius else { break }
                let dx = Double(other.x - node.x)
                if dx * dx + dy * dy < radius * radius { return (node, other) }
            }
        }
        return nil
    }
}
