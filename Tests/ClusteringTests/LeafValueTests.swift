import Points
import TestSupport
import Testing

@testable import Clustering

/// What aggregates read of points, one value a leaf.
struct LeafValueTests {
    /// In the order in which equally common values are told.
    private static let ordered: [AttributeValue] = [
        .number(-.infinity), .number(-1.5), .integer(-1), .number(0), .integer(0), .unsigned(0),
        .number(0.5), .integer(1), .unsigned(1), .integer(2), .number(3),
        .number(0x1p53), .integer(1 << 53), .integer(1 << 53 + 1), .integer(1 << 53 + 3),
        .integer(.max - 1), .integer(.max), .unsigned(UInt64(Int64.max)), .unsigned(1 << 63),
        .unsigned(.max - 1), .unsigned(.max), .number(1e300), .number(.infinity),
        .text(""), .text("A"), .text("a"), .text("a "), .text("ab"), .text("b"), .text("e\u{301}"),
        .text("é"), .bool(false), .bool(true),
    ]

    private static func values(
        _ values: [AttributeValue?], as kind: LeafValues.Kind, leafRows: [Int]? = nil
    ) -> LeafValues {
        let points = values.map { value in
            Samples.Point(position: EdgeTests.pair[0], attributes: value.map { [("v", $0)] } ?? [])
        }
        let rows = Column((leafRows ?? Array(values.indices)).map { UInt32($0) })
        return LeafValues(
            .attribute("v"), as: kind, leafRows: rows, of: Samples.table(points),
            workers: .init(2, scratch: .init()))
    }

    @Test func `numbers come before texts before truth values, each in their own order`() {
        var random = SeededRandom(seed: 650)
        let mixed = Self.ordered.shuffled(using: &random)
        var values = Self.values([], as: .code)
        for (number, value) in mixed.enumerated() { #expect(values.code(of: value) == number) }
        let codes = Self.ordered.map { values.code(of: $0) }
        for (a, first) in codes.enumerated() {
            for (b, second) in codes.enumerated() {
                #expect(
                    values.precedes(first, second) == (a < b),
                    "\(Self.ordered[a]) \(Self.ordered[b])")
            }
        }
    }

    @Test func `each value has one code, by the order of leaves, whatever it reads like`() {
        let some: [AttributeValue?] = [
            .text("1"), .integer(1), nil, .text("1"), .number(1.5), .number(.nan), .unsigned(.max),
            .text("é"), .text("e\u{301}"), .bool(true), .integer(1), nil, .text("true"),
        ]
        var values = Self.values(some, as: .code)
        #expect(
            some.indices.map { values.code($0) }
                == [0, 1, nil, 0, 2, nil, 3, 4, 5, 6, 1, nil, 7])
        #expect(values.missing == 2 && values.unusable == 1)
        #expect(values.distinct.count == 8)
        // One that is known keeps its code, and a new one gets the next.
        #expect(values.code(of: .number(1.5)) == 2 && values.code(of: .text("new")) == 8)
        #expect(values.code(of: .text("new")) == 8 && values.value(ofCode: 8) == .text("new"))
        #expect([0, 1, 2, 6].map { values.text(ofCode: $0) } == ["1", "1", "1.5", "true"])
    }

    @Test func `leaves have the values of their rows`() {
        let rows = [4, 0, 3, 3, 1]
        let some: [AttributeValue?] = [.integer(10), .number(-0.5), .text("x"), nil, .integer(7)]
        let numbers = Self.values(some, as: .number, leafRows: rows)
        #expect((0..<5).map { numbers.number($0) } == [7, 10, nil, nil, -0.5])
        #expect(numbers.missing == 2 && numbers.unusable == 0)
        let codes = Self.values(some, as: .code, leafRows: rows)
        #expect((0..<5).map { codes.code($0) } == [0, 1, nil, nil, 2])
        #expect(codes.missing == 2)
        #expect(codes.distinct == [.integer(7), .integer(10), .number(-0.5)])
    }

    @Test func `each kind of reading takes what it can use and counts the rest`() {
        let some: [AttributeValue?] = [
            nil, .integer(0), .unsigned(3), .number(0.25), .number(.nan), .number(.infinity),
            .text("5"), .text(""), .bool(false), .bool(true),
        ]
        let wanted: [(LeafValues.Kind, [Double?], unusable: Int)] = [
            (.presence, [nil, 1, 1, 1, nil, 1, 1, 1, 1, 1], 1),
            (.number, [nil, 0, 3, 0.25, nil, nil, nil, nil, nil, nil], 6),
            (.bool, [nil, nil, nil, nil, nil, nil, nil, nil, 0, 1], 7),
        ]
        for (kind, numbers, unusable) in wanted {
            let values = Self.values(some, as: kind)
            #expect(some.indices.map { values.number($0) } == numbers, "\(kind)")
            #expect(values.missing == 1 && values.unusable == unusable, "\(kind)")
        }
    }

    @Test func `an attribute that no point has is missing everywhere`() {
        for kind: LeafValues.Kind in [.presence, .number, .bool, .code] {
            let values = Self.values([nil, nil, nil], as: kind)
            #expect(values.missing == 3 && values.unusable == 0 && values.distinct.isEmpty)
        }
    }
}
