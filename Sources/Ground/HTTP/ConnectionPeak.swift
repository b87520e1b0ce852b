/// Detects that most of many connections have closed, so that their memory can be released: the
/// allocator would keep it.
package struct ConnectionPeak {
    private var highest = 0

    /// Fewer connections than this use too little memory to matter.
    static let threshold = 100

    package init() {}

    /// Whether most connections have closed after a peak; true once for each peak.
    package mutating func hasPassed(at count: Int) -> Bool {
        highest = max(highest, count)
        guard highest >= Self.threshold, count < highest / 4 else { return false }
        highest = count
        return true
    }
}
