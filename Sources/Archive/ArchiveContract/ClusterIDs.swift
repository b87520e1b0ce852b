/// How an archive names its clusters.
public enum ClusterIDs: Hashable, Sendable {
    /// Formats 1 and 2: an id is a packed key plus a base, so it tells the first leaf.
    case counted(base: Int64)
    /// From format 3 on: an id tells where the cluster stands (`PlaceID`), and an index leads from it to the key.
    case placed

    /// Ids that are packed keys, as in archives of format 1.
    public static let withoutBase = ClusterIDs.counted(base: 0)

    /// Whole numbers below this are exact in JavaScript.
    public static let limit: Int64 = 1 << 53

    /// Counted ids with a base that an archive states; nil if the base is invalid.
    public init?(base: Int64) {
        guard base >= 0, base < Self.limit, base % ClusterKey.step == 0 else { return nil }
        self = .counted(base: base)
    }

    /// The key of a counted id; nil if no cluster can have that id, or if it takes an index to find the key.
    public func key(of id: Int64) -> ClusterKey? {
        guard case .counted(let base) = self, id >= base, id - base < ClusterKey.leafLimit << 5
        else { return nil }
        return ClusterKey(packed: id - base)
    }
}
