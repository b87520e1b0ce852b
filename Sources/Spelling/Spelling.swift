/// Finds the word that somebody probably meant.
public enum Spelling {
    /// The candidate nearest to `word`, if one is near enough to be a slip of the fingers.
    /// - Complexity: O(candidates · length²).
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String?
    {
        let word = word.lowercased()
        // One slip in three letters still looks like the word; a longer way is a guess.
        var limit = max(1, (word.count + 1) / 3) + 1
        var best: String?
        for candidate in candidates {
            let distance = distance(word, candidate.lowercased())
            if distance < limit {
                limit = distance
                best = candidate
            }
        }
        return best
    }

    /// How many letters must be put in, left out, changed or swapped with their neighbour
    /// (the optimal string alignment distance).
    static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a.unicodeScalars)
        let b = Array(b.unicodeScalars)
        var beforeLast = [Int]()
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let change = last[j] + (a[i] == b[j] ? 0 : 1)
                var best = min(change, min(last[j + 1], row[j]) + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
