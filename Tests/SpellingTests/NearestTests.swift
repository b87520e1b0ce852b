import Spelling
import Testing

struct NearestTests {
    @Test(arguments: [
        // A third of the word may differ, one letter always.
        ("abc", "abd", true), ("abc", "add", false), ("abcde", "abcdx", true),
        ("abcde", "abcxx", false), ("abcdef", "abcdxx", true), ("abcdef", "abcxxx", false),
        ("abcdefghi", "abcdefxxx", true), ("abcdefghi", "abcdexxxx", false),
        // The longer of the two counts.
        ("abcd", "abcdxx", true), ("abc", "abcxx", false), ("abcdxx", "abcd", true),
        // A word with nothing in common is none.
        ("a", "b", false), ("a", "ab", true), ("", "a", false), ("ab", "ba", true),
        ("ab", "cd", false),
    ])
    func `a suggestion is at most a third away`(word: String, candidate: String, isNear: Bool) {
        #expect([candidate].nearest(to: word) == (isNear ? candidate : nil))
    }

    @Test func `a change, an addition, a loss and a swap of neighbours are one step each`() {
        for near in ["radius", "radiux", "radiuss", "raius", "raduis", "ardius", "radisu"] {
            #expect(["radius"].nearest(to: near) == "radius")
        }
        // A swap and a change are two steps, and a swap of letters apart is two.
        #expect(["abcdef"].nearest(to: "bacdex") == "abcdef")
        #expect(["abcdef"].nearest(to: "bacxyf") == nil)
        #expect(["abc"].nearest(to: "cba") == nil)
    }

    @Test func `the nearest wins, the first of equals, whatever the case`() {
        #expect(
            ["cluster-radius", "cluster-max-zoom"].nearest(to: "cluster-radus") == "cluster-radius")
        #expect(["abcdxx", "abcdex", "abcdey"].nearest(to: "abcdef") == "abcdex")
        #expect(["Build"].nearest(to: "buidl") == "Build")
        #expect(["straße"].nearest(to: "STRASSE") == "straße")
        #expect([String]().nearest(to: "build") == nil)
    }

    @Test(arguments: [
        ("interpolat", "interpolate"), ("upercase", "upcase"), ("ge", "get"), ("fitler", "filter"),
        ("xyzzy", nil), ("", nil), ("x", nil),
    ])
    func `the nearest word is offered if it is near enough`(word: String, nearest: String?) {
        let words = ["interpolate", "upcase", "get", "filter", "downcase", "!"]
        #expect(words.nearest(to: word) == nearest)
    }

    @Test func `all that are as near as the nearest are told, in their order`() {
        #expect(
            ["abcdxx", "abcdex", "abcdef", "abcdef"].allNearest(to: "abcdef") == [
                "abcdef", "abcdef",
            ])
        #expect(
            ["abcdxx", "abcdey", "zzzzzz", "abcdex", "bacdxx"].allNearest(to: "abcdef") == [
                "abcdey", "abcdex",
            ])
        #expect(["abcdey", "abcdef", "abcdex"].allNearest(to: "abcdef") == ["abcdef"])
        #expect([String]().allNearest(to: "abcdef") == [])
    }

    /// The fewest steps, by trying each: a change, an addition, a loss, a swap of neighbours.
    private static func steps(_ a: ArraySlice<Character>, _ b: ArraySlice<Character>) -> Int {
        guard let first = a.first, let other = b.first else { return a.count + b.count }
        let (restA, restB) = (a.dropFirst(), b.dropFirst())
        if first == other { return steps(restA, restB) }
        var best = 1 + min(steps(restA, restB), steps(restA, b), steps(a, restB))
        if restA.first == other, restB.first == first {
            best = min(best, 1 + steps(restA.dropFirst(), restB.dropFirst()))
        }
        return best
    }

    @Test func `a word is near by the fewest steps that there are`() {
        var found = [true: 0, false: 0]
        // All words of up to five letters of two kinds that begin so, a few hundred pairs.
        let words = (2..<64).map { number in
            String(String(number, radix: 2).dropFirst().map { $0 == "0" ? "a" : "b" })
        }.filter { !$0.isEmpty }
        for (index, word) in words.enumerated() {
            for other in words[index...] where (word.count + other.count) % 3 == 0 {
                let length = max(word.count, other.count)
                let distance = Self.steps(Array(word)[...], Array(other)[...])
                let isNear = distance <= max(1, length / 3) && distance < length
                #expect(([other].nearest(to: word) != nil) == isNear, "\(word) \(other)")
                found[isNear, default: 0] += 1
            }
        }
        #expect(found.values.allSatisfy { $0 > 60 })
    }
}
