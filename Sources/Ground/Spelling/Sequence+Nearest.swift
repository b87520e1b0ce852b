extension Sequence<String> {
    /// The word that was probably meant: the one with the fewest changed, added, dropped or swapped
    /// letters, unless these are more than a third of the word. The first of several.
    /// - Complexity: O(words × letters²).
    public func nearest(to word: String) -> String? { allNearest(to: word).first }

    /// All words at the smallest distance, in order.
    public func allNearest(to word: String) -> [String] {
        var best: (words: [String], distance: Int) = ([], .max)
        for candidate in self {
            let distance = editDistance(
                Array(word.lowercased().unicodeScalars),
                Array(candidate.lowercased().unicodeScalars))
            let length = Swift.max(word.count, candidate.count)
            guard distance <= Swift.max(1, length / 3), distance < length,
                distance <= best.distance
            else { continue }
            if distance < best.distance { best = ([], distance) }
            best.words.append(candidate)
        }
        return best.words
    }
}

/// The optimal string alignment distance: like Levenshtein's, with a swap of neighbours as one step.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                best = Swift.min(best, beforeLast[j - 1] + 1)
            }
            row.append(best)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
