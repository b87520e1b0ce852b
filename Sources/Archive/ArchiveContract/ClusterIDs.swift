/// How an archive names its clusters.
public enum ClusterIDs: Hashable, Sendable {
    /// Formats 1 and 2: an id is a packed key above a base, so it says which leaf comes first.
    case counted(base: Int64)
    /// Format 3: an id says where the cluster stands (`PlaceID`), and an index leads from it to the key.
    case placed

    /// Ids that are packed keys, as in archives of format 1.
    public static let withoutBase = ClusterIDs.counted(base: 0)

    /// Below it, whole numbers are exact in JavaScript.
    public static let limit: Int64 = 1 << 53

    /// Counted ids over a base that an archive states; nil if it can be none.
    public init?(base: Int64) {
        guard base >= 0, base < Self.limit, base % ClusterKey.step == 0 else { return nil }
        self = .counted(base: base)
    }

    /// The key that a counted id stands for; nil if no cluster can have that id, or if only an index
    /// knows.
    public func key(of id: Int64) -> ClusterKey? {
        guard case .counted(let base) = self, id >= base, id - base < ClusterKey.leafLimit << 5
        else { return nil }
        return ClusterKey(packed: id - base)
    }
}
