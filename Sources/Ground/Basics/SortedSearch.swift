extension Range<Int> {
    /// The first index at which a condition holds that holds from there on; the upper bound if it holds at none.
    /// - Complexity: O(log n).
    @inlinable
    public func partitionPoint(_ holds: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
