/// The ids that an archive gives to its clusters: `base + first leaf · 32 + zoom`.
///
/// The base lies above the ids of all points, so that an id names a cluster or a point, whatever
/// the layer; and it is never 0, which is no id to a script that asks `if (id)`.
public struct ClusterIDs: Hashable, Sendable {
    /// A multiple of 32; 0 in archives of format 1.
    public let base: Int64
    /// Whether points have ids so great that no room is left above them, and clusters may share
    /// some of them.
    public let mayEqualPointIDs: Bool

    /// The ids over a base that an archive states; nil if it can be none.
    public init?(base: Int64) {
        guard base >= 0, base < Self.limit, base % ClusterKey.step == 0 else { return nil }
        self.base = base
        mayEqualPointIDs = false
    }

    /// The ids of an archive with so many leaves, above the ids of its points.
    public init(abovePointID greatest: UInt64?, leafCount: Int64) {
        // In steps of 32, as many as a leaf has ids.
        let wanted = greatest.map { $0 >> 5 + 1 } ?? 1
        let room = UInt64(max(Self.limit >> 5 - leafCount, 0))
        mayEqualPointIDs = wanted > room
        base = mayEqualPointIDs ? ClusterKey.step : Int64(wanted) << 5
    }

    /// Ids that are packed keys, as in archives of format 1.
    public static let withoutBase = ClusterIDs(packed: 0)

    private init(packed base: Int64) {
        self.base = base
        mayEqualPointIDs = true
    }

    /// Below it, whole numbers are exact in JavaScript.
    public static let limit: Int64 = 1 << 53

    @inlinable
    public func id(firstLeaf: Int64, zoom: Int) -> Int64 {
        base + ClusterKey.bound(leaf: firstLeaf, zoom: zoom)
    }

    public func id(of key: ClusterKey) -> Int64 { base + key.packed }

    /// The key that an id stands for; nil if no cluster can have that id.
    public func key(of id: Int64) -> ClusterKey? {
        guard id >= base, id - base < ClusterKey.leafLimit << 5 else { return nil }
        return ClusterKey(packed: id - base)
    }
}
