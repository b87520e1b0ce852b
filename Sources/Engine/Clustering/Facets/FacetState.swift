import Basics

/// A number for each value of a facet, over some of a cluster's points.
///
/// Most clusters are small and have few of the values: until these are many, the others, which are 0, take no memory.
enum FacetState<Number: Numeric & Sendable>: Sendable {
    case one(Entry)
    /// In the order of slots.
    case few([Entry])
    case all([Number])

    struct Entry: Sendable {
        /// Which of the facet's numbers it is.
        var slot: UInt16
        var number: Number
    }

    /// Adds the numbers of another state.
    /// - Parameter count: how many numbers the facet has.
    mutating func merge(_ next: FacetState, of count: Int) {
        guard !isWhole, !next.isWhole else {
            var numbers = takeNumbers(of: count)
            next.forEach { numbers[Int($0.slot)] += $0.number }
            self = .all(numbers)
            return
        }
        var entries = takeEntries()
        next.forEach { Self.add($0, to: &entries) }
        let isFew = entries.count <= count / 4
        self = .few(entries)
        if !isFew { self = .all(takeNumbers(of: count)) }
    }

    private var isWhole: Bool { if case .all = self { true } else { false } }

    private static func add(_ entry: Entry, to entries: inout [Entry]) {
        let index = entries.indices.partitionPoint { entries[$0].slot >= entry.slot }
        if index < entries.count, entries[index].slot == entry.slot {
            entries[index].number += entry.number
        } else {
            entries.insert(entry, at: index)
        }
    }

    /// Moves all numbers out of the state, so that nothing is copied.
    mutating func takeNumbers(of count: Int) -> [Number] {
        let taken = self
        self = .few([])
        switch consume taken {
        case .all(let numbers): return numbers
        case let few:
            var numbers = [Number](repeating: 0, count: count)
            few.forEach { numbers[Int($0.slot)] += $0.number }
            return numbers
        }
    }

    /// Moves the entries out of a state that has few.
    private mutating func takeEntries() -> [Entry] {
        let taken = self
        self = .few([])
        switch consume taken {
        case .few(let entries): return entries
        case .one(let entry): return [entry]
        case .all: return []
        }
    }

    /// Calls `body` with each number that may differ from 0, in the order of slots.
    func forEach(_ body: (Entry) -> Void) {
        switch self {
        case .one(let entry): body(entry)
        case .few(let entries): for entry in entries { body(entry) }
        case .all(let numbers):
            for (slot, number) in numbers.enumerated() {
                body(Entry(slot: UInt16(slot), number: number))
            }
        }
    }
}
