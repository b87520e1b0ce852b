import Basics
import Testing

struct BoundedCacheTests {
    /// What a value costs beside its bytes.
    static let extra = 160

    static func cache(_ budget: Int) -> BoundedCache<Int, String> {
        BoundedCache(budget: budget) { $0.utf8.count }
    }

    @Test func `what is kept is found and counted`() {
        let cache = Self.cache(10_000)
        #expect(cache.value(for: 1) == nil)
        cache.keep("abc", for: 1)
        cache.keep("de", for: 2)
        #expect(cache.value(for: 1) == "abc" && cache.value(for: 2) == "de")
        #expect(cache.value(for: 3) == nil)
        let figures = cache.figures
        #expect(figures.hits == 2 && figures.misses == 2)
        #expect(figures.bytes == 5 + 2 * Self.extra)
    }

    @Test func `what is found among the old is counted like any other`() {
        let cost = 40 + Self.extra
        let cache = Self.cache(2 * cost)
        cache.keep(String(repeating: "x", count: 40), for: 1)
        cache.keep(String(repeating: "y", count: 40), for: 2)
        // The first is old now, and young when it was asked for.
        for number in 1...3 {
            #expect(cache.value(for: 1) != nil && cache.figures.hits == number)
        }
        #expect(cache.figures.misses == 0 && cache.figures.bytes == 2 * cost)
    }

    @Test func `a value is counted once, however often it is kept`() {
        let cache = Self.cache(10_000)
        for _ in 0..<10 { cache.keep("abc", for: 1) }
        #expect(cache.figures.bytes == 3 + Self.extra)
        cache.keep("abcdef", for: 1)
        #expect(cache.value(for: 1) == "abcdef" && cache.figures.bytes == 6 + Self.extra)
    }

    @Test func `half of the budget is for one generation, to the byte`() {
        let cost = 40 + Self.extra
        let text = String(repeating: "x", count: 40)
        let cache = Self.cache(2 * 3 * cost)
        for key in 0..<3 { cache.keep(text, for: key) }
        // The fourth makes the three old, the seventh drops them.
        for key in 3..<6 { cache.keep(text, for: key) }
        #expect(cache.figures.bytes == 6 * cost)
        #expect(cache.value(for: 0) == text && cache.value(for: 1) == nil)
        #expect(cache.value(for: 3) == text && cache.figures.bytes == 4 * cost)
        let tight = Self.cache(2 * 3 * cost - 2)
        for key in 0..<3 { tight.keep(text, for: key) }
        for key in 3..<5 { tight.keep(text, for: key) }
        #expect(tight.value(for: 0) == nil && tight.value(for: 4) == text)
    }

    @Test func `what was asked for lately outlives what was not`() {
        let cost = 40 + Self.extra
        let text = String(repeating: "x", count: 40)
        let cache = Self.cache(2 * 3 * cost)
        for key in 0..<4 { cache.keep(text, for: key) }
        // Key 0 moves to the young, and 1 and 2 are dropped with the old.
        #expect(cache.value(for: 0) == text)
        #expect(cache.figures.bytes == 4 * cost)
        cache.keep(text, for: 4)
        #expect(cache.figures.bytes == 5 * cost)
        cache.keep(text, for: 5)
        #expect(cache.value(for: 1) == nil && cache.value(for: 2) == nil)
        #expect(cache.value(for: 0) == text && cache.value(for: 5) == text)
        #expect(cache.figures.bytes <= 6 * cost)
    }

    @Test func `what fills more than half is not kept, and drops nothing`() {
        let cache = Self.cache(1_000)
        cache.keep("abc", for: 1)
        cache.keep(String(repeating: "x", count: 500 - Self.extra + 1), for: 2)
        #expect(cache.value(for: 2) == nil && cache.value(for: 1) == "abc")
        cache.keep(String(repeating: "x", count: 500 - Self.extra), for: 3)
        #expect(cache.value(for: 3) != nil && cache.value(for: 1) == "abc")
    }

    @Test func `the bytes are those of what is there, whatever happens`() {
        let cache = Self.cache(4_000)
        var state: UInt64 = 1
        for _ in 0..<2_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let key = Int(state >> 60)
            if state >> 40 & 1 == 0 {
                cache.keep(String(repeating: "x", count: key * 30), for: key)
            } else if let value = cache.value(for: key) {
                #expect(value.utf8.count == key * 30)
            }
            #expect(cache.figures.bytes <= 4_000 && cache.figures.bytes >= 0)
        }
        let found = (0..<16).compactMap { cache.value(for: $0) }
        #expect(found.reduce(0) { $0 + $1.utf8.count + Self.extra } == cache.figures.bytes)
    }
}
