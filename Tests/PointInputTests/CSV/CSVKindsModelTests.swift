import TestSupport
import Testing

@testable import PointInput

/// What columns are taken for while they are read, against what their cells have in common.
struct CSVKindsModelTests {
    private static let cells: [CSVKinds.Kind] = [.number, .commaNumber, .bool, .text]

    /// The kind of a column of which cells of these kinds were seen.
    private static func kind(_ seen: Set<CSVKinds.Kind>) -> CSVKinds.Kind {
        switch seen {
        case []: .unknown
        case [.number]: .number
        case [.bool]: .bool
        case [.commaNumber], [.number, .commaNumber]: .commaNumber
        default: .text
        }
    }

    @Test(arguments: UInt64(0)..<4)
    func `a column is what all cells are, in any order and shared out in any way`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed + 740)
        for _ in 0..<200 {
            var (all, start) = (Set<CSVKinds.Kind>(), CSVKinds(count: 2))
            var isNoted = false
            func see(_ kinds: inout CSVKinds, _ count: Int) {
                for _ in 0..<count {
                    let cell = Self.cells.prefix(1 + Int(random.next() % 4)).randomElement(
                        using: &random)!
                    all.insert(cell)
                    kinds.widen(0, to: cell)
                    if random.next() % 12 == 0 {
                        kinds.noteDecimalComma()
                        isNoted = true
                    }
                }
            }
            see(&start, Int(random.next() % 3))
            #expect(start[0] == Self.kind(all) && start[1] == .unknown)
            start.forgetRefutations()
            var total = start
            for _ in 0..<3 {
                var part = start
                see(&part, Int(random.next() % 3))
                total.add(part)
            }
            #expect(total[0] == Self.kind(all) && total[1] == .unknown)
            #expect(total.hasDecimalCommas == isNoted)
            // What was packed as numbers or truth values has to be packed anew as soon as it is text.
            if total[0] != start[0], start[0] != .unknown {
                let areTexts = start[0] == .commaNumber && !start.hasDecimalCommas
                if total[0] == .text, !areTexts { #expect(total.isRefuted) }
                if total[0] == .commaNumber, !total.hasDecimalCommas { #expect(total.isRefuted) }
            }
            if total == start { #expect(!total.isRefuted) }
        }
    }

    @Test func `a kind that is met again changes nothing`() {
        for known in Self.cells {
            for met in Self.cells {
                var kinds = CSVKinds(count: 1)
                kinds.widen(0, to: known)
                #expect(kinds.changeCount == 1 && !kinds.isRefuted)
                kinds.widen(0, to: met)
                let isSame =
                    known == met || known == .text || (known, met) == (.commaNumber, .number)
                #expect(kinds.changeCount == (isSame ? 1 : 2), "\(known) \(met)")
                #expect(kinds.isRefuted == (!isSame && known != .commaNumber), "\(known) \(met)")
                kinds.forgetRefutations()
                #expect(!kinds.isRefuted)
            }
        }
    }

    @Test func `a decimal comma makes numbers of what was packed as texts`() {
        for (known, isRefuted) in [
            (CSVKinds.Kind.number, false), (.bool, false), (.text, false), (.commaNumber, true),
        ] {
            var kinds = CSVKinds(count: 1)
            kinds.widen(0, to: known)
            kinds.noteDecimalComma()
            #expect(kinds.isRefuted == isRefuted && kinds.hasDecimalCommas)
            kinds.forgetRefutations()
            kinds.noteDecimalComma()
            #expect(!kinds.isRefuted)
            kinds.widen(0, to: .number)
            #expect(kinds.isRefuted == (known == .bool))
            kinds.forgetRefutations()
            kinds.widen(0, to: .commaNumber)
            // With decimal commas both are numbers.
            #expect(!kinds.isRefuted)
            kinds.widen(0, to: .text)
            #expect(kinds.isRefuted == (known == .number || known == .commaNumber))
        }
    }

    @Test func `workers that know of decimal commas and those that do not have packed two ways`() {
        for (first, second) in [(true, false), (false, true), (true, true), (false, false)] {
            var parts = [CSVKinds(count: 1), CSVKinds(count: 1)]
            for (index, isNoted) in [first, second].enumerated() {
                if isNoted { parts[index].noteDecimalComma() }
                parts[index].widen(0, to: .commaNumber)
                #expect(!parts[index].isRefuted)
            }
            parts[0].add(parts[1])
            #expect(parts[0].isRefuted == (first != second))
            #expect(parts[0].hasDecimalCommas == (first || second))
        }
    }
}
