extension Range<Int> {
    /// The first index from which on a condition holds; the upper bound if it holds nowhere.
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
