import TestSupport
import Testing

@testable import PointInput

/// What columns are taken for while they are read, against what their cells have in common.
struct CSVKindsModelTests {
    private static let cells: [CSVKinds.Cells] = [
        .number, .comma, .bool, .text, .decimal, .grouped, .groups,
    ]

    /// The kind of a column of which such cells were seen.
    private static func kind(_ seen: CSVKinds.Cells, hasDecimalCommas: Bool) -> CSVKinds.Kind {
        switch seen {
        case []: return .unknown
        case .bool: return .bool
        default: break
        }
        for other in [CSVKinds.Cells.bool, .text, .groups] where seen.contains(other) {
            return .text
        }
        if !hasDecimalCommas { return seen.contains(.comma) ? .text : .number }
        return seen.contains(.grouped) && !seen.contains(.decimal) ? .text : .number
    }

    @Test(arguments: UInt64(0)..<4)
    func `a column is what all cells are, in any order and shared out in any way`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed + 740)
        for _ in 0..<400 {
            var (all, start) = (CSVKinds.Cells(), CSVKinds(count: 2))
            var isNoted = false
            /// Whether a part of the table was packed in another way than its end asks for.
            var packed: Set<CSVKinds.Kind> = []
            func see(_ kinds: inout CSVKinds, _ count: Int) {
                for _ in 0..<count {
                    let cell = Self.cells.prefix(1 + Int(random.next() % 7)).randomElement(
                        using: &random)!
                    all.formUnion(cell)
                    kinds.see(cell, in: 0)
                    packed.insert(kinds[0])
                    if random.next() % 12 == 0 {
                        kinds.noteDecimalComma()
                        isNoted = true
                    }
                }
            }
            see(&start, Int(random.next() % 3))
            #expect(start[0] == Self.kind(all, hasDecimalCommas: isNoted) && start[1] == .unknown)
            start.forgetRefutations()
            packed = []
            var total = start
            for _ in 0..<3 {
                var part = start
                see(&part, Int(random.next() % 3))
                total.add(part)
            }
            #expect(total[0] == Self.kind(all, hasDecimalCommas: isNoted) && total[1] == .unknown)
            #expect(total.hasDecimalCommas == isNoted)
            // What was packed in another way has to be packed anew.
            if packed.contains(where: { $0 != total[0] }) { #expect(total.isRefuted) }
            if isNoted, !start.hasDecimalCommas { #expect(total.isRefuted) }
            if total == start { #expect(!total.isRefuted) }
        }
    }

    @Test func `a cell that looks like earlier ones changes nothing`() {
        for known in Self.cells {
            for met in Self.cells {
                var kinds = CSVKinds(count: 1)
                kinds.see(known, in: 0)
                #expect(kinds.changeCount == 1 && !kinds.isRefuted)
                let kind = kinds[0]
                kinds.see(met, in: 0)
                #expect(kinds.changeCount == (kinds[0] == kind ? 1 : 2), "\(known) \(met)")
                #expect(kinds.isRefuted == (kinds[0] != kind), "\(known) \(met)")
                #expect(kinds.isSettled(0) == (kinds.seen[0] == .text))
                kinds.forgetRefutations()
                #expect(!kinds.isRefuted)
            }
        }
    }

    @Test func `decimal commas are told from dots that group thousands`() {
        var kinds = CSVKinds(count: 1)
        kinds.see([.number, .grouped], in: 0)
        #expect(kinds[0] == .number && kinds.groupedColumns.isEmpty)
        kinds.noteDecimalComma()
        #expect(kinds[0] == .text && kinds.groupedColumns == [0] && kinds.isRefuted)
        kinds.forgetRefutations()
        kinds.noteDecimalComma()
        #expect(!kinds.isRefuted)
        kinds.see(.comma, in: 0)
        #expect(kinds[0] == .text && !kinds.isRefuted)
        kinds.see(.decimal, in: 0)
        #expect(kinds[0] == .number && kinds.groupedColumns.isEmpty && kinds.isRefuted)
        kinds.see(.groups, in: 0)
        #expect(kinds[0] == .text && kinds.groupedColumns == [0])
        kinds.see(.text, in: 0)
        #expect(kinds[0] == .text && kinds.groupedColumns.isEmpty)
    }

    @Test func `workers that know of decimal commas and those that do not have packed two ways`() {
        for (first, second) in [(true, false), (false, true), (true, true), (false, false)] {
            var parts = [CSVKinds(count: 1), CSVKinds(count: 1)]
            for (index, isNoted) in [first, second].enumerated() {
                if isNoted { parts[index].noteDecimalComma() }
                parts[index].see(.comma, in: 0)
                parts[index].forgetRefutations()
            }
            parts[0].add(parts[1])
            #expect(parts[0].isRefuted == (first != second))
            #expect(parts[0].hasDecimalCommas == (first || second))
        }
    }
}
