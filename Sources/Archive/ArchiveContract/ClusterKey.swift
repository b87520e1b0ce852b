/// Identifies a cluster within its archive: the number of its first leaf and the zoom at which it formed. Keys
/// ascend in leaf order; of clusters with the same first leaf, the outermost comes first.
public struct ClusterKey: Hashable, Comparable, Sendable {
    public var firstLeaf: Int64
    /// The deepest zoom at which the cluster is drawn.
    public var zoom: UInt8

    public init(firstLeaf: Int64, zoom: UInt8) {
        self.firstLeaf = firstLeaf
        self.zoom = zoom
    }

    /// The key in a row of the index.
    public init(packed: Int64) {
        self.init(firstLeaf: packed >> Self.zoomBits, zoom: UInt8(packed & (Self.step - 1)))
    }

    /// Zooms take five bits; first leaves fit into the rest of a `Double`'s 53.
    public static let zoomBits = 5
    /// The difference between the packed keys of two neighbouring leaves.
    public static let step: Int64 = 1 << Int64(zoomBits)
    /// Leaf numbers are below this, so packed keys, and ids too, are exact whole numbers in JavaScript.
    public static let leafLimit: Int64 = 1 << 48

    /// The key as one number, by which the index is sorted.
    public var packed: Int64 { Self.bound(leaf: firstLeaf, zoom: Int(zoom)) }

    /// The least packed key of clusters that begin at `leaf` and formed at `zoom` or deeper.
    @inlinable
    public static func bound(leaf: Int64, zoom: Int) -> Int64 { leaf << 5 + Int64(zoom) }

    public static func < (a: ClusterKey, b: ClusterKey) -> Bool { a.packed < b.packed }
}
