import Basics
import TestSupport
import Testing

struct OrderTests {
    @Test(arguments: 0..<40)
    func `a search finds where a condition begins to hold`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let numbers = (0..<Int.random(in: 0..<20, using: &random))
            .map { _ in Int.random(in: 0..<12, using: &random) }.sorted()
        for bound in -1...13 {
            let found = numbers.indices.partitionPoint { numbers[$0] >= bound }
            #expect(found == numbers.count { $0 < bound })
        }
        let middle = 3..<17
        #expect(middle.partitionPoint { $0 >= 9 } == 9)
        #expect(middle.partitionPoint { _ in false } == 17)
        #expect(middle.partitionPoint { _ in true } == 3)
    }

    @Test(arguments: 0..<40)
    func `a heap gives what it holds in order, whatever comes between`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var heap = LeastFirst<Keyed<UInt32, Int>>()
        var held: [Keyed<UInt32, Int>] = []
        for item in 0..<200 {
            let next = Keyed(UInt32.random(in: 0..<20, using: &random), item)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                #expect(heap.removeLeast() == held.first)
                if !held.isEmpty { held.removeFirst() }
            case 1 where !held.isEmpty:
                heap.replaceLeast(by: next)
                held[0] = next
            default:
                heap.insert(next)
                held.append(next)
            }
            held.sort()
            #expect(heap.least == held.first && heap.count == held.count)
        }
        while let least = heap.removeLeast() { #expect(least == held.removeFirst()) }
        #expect(held.isEmpty)
    }

    @Test func `the hash of bytes is that of FNV-1a`() {
        func hash(_ text: String) -> UInt64 { ByteHash(Array(text.utf8).span).value }
        // From the authors' list of test vectors.
        #expect(hash("") == 0xCBF2_9CE4_8422_2325 && hash("a") == 0xAF63_DC4C_8601_EC8C)
        #expect(hash("foobar") == 0x8594_4171_F739_67E8)
    }
}
