/// Tells when a crowd of connections has gone: the allocator would keep their memory for the next.
struct Tide {
    private var highest = 0

    /// Fewer connections than this leave nothing worth a look.
    static let crowd = 100

    /// Whether, after a crowd, most of it has left, as is said once.
    mutating func hasTurned(at count: Int) -> Bool {
        highest = max(highest, count)
        guard highest >= Self.crowd, count < highest / 4 else { return false }
        highest = count
        return true
    }
}
