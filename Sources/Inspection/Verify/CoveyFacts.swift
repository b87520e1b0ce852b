import JSON

/// What an archive of Covey's says about how it was made: the `covey` row of its metadata.
struct CoveyFacts: Sendable {
    /// A hierarchy of clusters; a layer that is clustered by groups has several.
    struct Hierarchy: Sendable {
        var layer: String
        /// The numbers of its leaves.
        var leaves: Range<Int64>
        /// The zooms at which clusters form.
        var clusterZooms: ClosedRange<Int>
        /// The deepest zoom of clusters that hold together where tiles would be too full.
        var heldMaxZoom: Int
        var radius: JSONValue?
        /// Whether no two nodes of a level lie within the radius.
        var keepsSpacing: Bool
        var wraps: Bool
    }

    var hierarchies: [Hierarchy] = []
    /// The margin of a tile in pixels of 512.
    var buffer: Double

    init(_ json: JSONValue) throws(JSONError) {
        let node = JSONNode(json)
        buffer = try node.member("buffer")?.number ?? 8
        guard (0...256).contains(buffer) else {
            throw try node.required("buffer").wrong("a margin of at most half a tile")
        }
        for layer in try node.required("layers").elements {
            hierarchies.append(try Self.hierarchy(layer))
        }
    }

    private static func hierarchy(_ layer: JSONNode) throws(JSONError) -> Hierarchy {
        let first = try layer.required("first").integer
        let count = try layer.required("leaves").integer
        let (end, isTooLarge) = first.addingReportingOverflow(count)
        guard first >= 0, count >= 0, !isTooLarge, end < 1 << 48 else {
            throw try layer.required("leaves").wrong("a count of points")
        }
        let least = try layer.member("minZoom")?.integer(in: 0...31) ?? 0
        // A layer that is not clustered has no deepest zoom of clusters.
        let most = try layer.member("maxZoom")?.integer(in: -1...31) ?? -1
        let held = try layer.member("heldMaxZoom")?.integer(in: 0...31) ?? most
        let algorithm = try layer.member("algorithm")?.string
        let hasExceptions = try mayCrowd(layer)
        return Hierarchy(
            layer: try layer.required("name").string, leaves: first..<end,
            clusterZooms: least...max(least, most), heldMaxZoom: max(least, held),
            radius: try layer.member("radius")?.value,
            keepsSpacing: algorithm == "spaced" && !hasExceptions && most >= least,
            wraps: try layer.member("wrap")?.bool ?? true)
    }

    /// Whether options let nodes stay apart that lie within the radius.
    private static func mayCrowd(_ layer: JSONNode) throws(JSONError) -> Bool {
        if let least = try layer.member("minPoints"), try least.integer > 2 { return true }
        if let unique = try layer.member("minUniqueLocations"), !unique.isNull { return true }
        if let groups = try layer.member("groups"), try groups.integer > 1 { return true }
        return try layer.member("keepCoincident")?.bool ?? false
    }

    /// Whether the deepest tiles show every point by itself.
    func showAllPoints(deepest: Int) -> Bool {
        hierarchies.allSatisfy { $0.heldMaxZoom < deepest }
    }

    var leafCount: Int64 { hierarchies.reduce(0) { max($0, $1.leaves.upperBound) } }

    func hierarchy(ofLeaf leaf: Int64) -> Hierarchy? {
        hierarchies.first { $0.leaves.contains(leaf) }
    }

    /// How many points a layer has.
    func points(inLayer name: String) -> Int? {
        let ranges = hierarchies.filter { $0.layer == name }.map(\.leaves)
        return ranges.isEmpty ? nil : ranges.reduce(0) { $0 + $1.count }
    }
}

extension CoveyFacts.Hierarchy {
    /// The radius at a zoom in pixels of 512: one number, or the value at the highest stop that is
    /// not deeper.
    func radius(at zoom: Int) -> Double? {
        guard let radius else { return nil }
        if let number = radius.asNumber { return number }
        let stops = radius.asObject?.members.compactMap { member in
            Int(member.key).flatMap { stop in
                member.value.asNumber.map { (zoom: stop, radius: $0) }
            }
        }
        return stops?.filter { $0.zoom <= zoom }.max { $0.zoom < $1.zoom }?.radius
    }
}
