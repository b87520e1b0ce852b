import TestSupport
import Testing

@testable import Clustering

/// Numbers of facets that are kept alone while they are few, against all of them.
struct FacetStateTests {
    private static func entries(_ state: FacetState<Int>) -> Int {
        var count = 0
        state.forEach { _ in count += 1 }
        return count
    }

    @Test(arguments: [1, 3, 8, 100, 1_024])
    func `states add up to the sums of all numbers`(count: Int) {
        var random = SeededRandom(seed: UInt64(7400 + count))
        for _ in 0..<40 {
            var states: [(state: FacetState<Int>, numbers: [Int])] = (0..<60).map { _ in
                let slot = Int.random(in: 0..<count, using: &random)
                var numbers = Array(repeating: 0, count: count)
                numbers[slot] = Int.random(in: 1...5, using: &random)
                return (.one(.init(slot: UInt16(slot), number: numbers[slot])), numbers)
            }
            while states.count > 1 {
                let next = states.remove(at: Int.random(in: 0..<states.count, using: &random))
                let index = Int.random(in: 0..<states.count, using: &random)
                states[index].state.merge(next.state, of: count)
                states[index].numbers = zip(states[index].numbers, next.numbers).map(+)
                var copy = states[index].state
                #expect(copy.takeNumbers(of: count) == states[index].numbers)
            }
        }
    }

    @Test func `few points have few numbers, and many have all`() {
        var state = FacetState<Int>.one(.init(slot: 7, number: 1))
        #expect(Self.entries(state) == 1)
        for slot: UInt16 in [3, 7, 99] { state.merge(.one(.init(slot: slot, number: 2)), of: 100) }
        #expect(Self.entries(state) == 3)
        for slot in 0..<25 { state.merge(.one(.init(slot: UInt16(slot), number: 1)), of: 100) }
        #expect(Self.entries(state) == 100)
    }
}
