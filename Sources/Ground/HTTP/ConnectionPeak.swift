/// Tells when most of many connections have gone: the allocator would keep their memory for the
/// next.
package struct ConnectionPeak {
    private var highest = 0

    /// Fewer connections than this leave nothing worth a look.
    static let threshold = 100

    package init() {}

    /// Whether, after a peak, most connections have been closed; said once for each peak.
    package mutating func hasPassed(at count: Int) -> Bool {
        highest = max(highest, count)
        guard highest >= Self.threshold, count < highest / 4 else { return false }
        highest = count
        return true
    }
}
