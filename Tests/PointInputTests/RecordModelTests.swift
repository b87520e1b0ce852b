import Expressions
import JSON
import Points
import TestSupport
import Testing

@testable import PointInput

/// Records as readers hand them over value by value, in every way of handing one over, against what the last
/// value of each name says.
struct RecordModelTests {
    private typealias Event = (name: String, value: AttributeValue?)

    private static let names = ["a", "b", "c", "n", "w"]

    private static func options(using random: inout SeededRandom) throws -> InputOptions {
        var options = InputOptions()
        options.tolerance = .all
        if random.next() % 2 == 0 { options.idAttribute = "n" }
        if random.next() % 2 == 0 { options.weightAttribute = "w" }
        if random.next() % 3 == 0 { options.excluded = ["b", "w"] }
        if random.next() % 4 == 0 { options.included = ["a", "c", "n"] }
        for name in names where random.next() % 4 == 0 {
            options.kinds[name] = AttributeKind.allCases.randomElement(using: &random)!
        }
        // Of those without a value, or with one, after all.
        let filters: [JSONValue] = [["has", "b"], ["==", "b", .null], ["!=", "b", .null]]
        if let filter = filters.randomElement(using: &random), random.next() % 2 == 0 {
            options.filter = try Expression(parsing: filter, as: .filter)
        }
        return options
    }

    private static func event(using random: inout SeededRandom) -> Event {
        let values: [AttributeValue?] = [
            nil, .integer(Int64.random(in: -3...9, using: &random)), .unsigned(.max - 7),
            .number(Double.random(in: -2...5, using: &random)), .text("7"), .text("x"), .text(""),
            .text("true"), .bool(true), .bool(false), .integer(1),
        ]
        return (names.randomElement(using: &random)!, values.randomElement(using: &random)!)
    }

    private static func add(
        _ event: Event, to builder: inout PointBuilder, using random: inout SeededRandom
    ) {
        let attribute = builder.attribute(named: event.name)
        switch event.value {
        case nil: builder.addNothing(attribute)
        case let value? where random.next() % 2 == 0: builder.add(attribute, value)
        case .number(let number): builder.add(attribute, number: number)
        case .integer(let integer): builder.add(attribute, integer: integer)
        case .unsigned(let unsigned): builder.add(attribute, unsigned: unsigned)
        case .bool(let bool): builder.add(attribute, bool: bool)
        case .text(let text): builder.add(attribute, utf8: Array(text.utf8).span)
        }
    }

    /// What becomes of a record.
    private struct Outcome: Equatable {
        var attributes: [String: AttributeValue] = [:]
        var id = PointTable.noID
        var weight = 1.0
        var reason: RejectReason?

        /// What is missing is not null, and null is not missing.
        private static func passes(_ filter: Expression, _ last: Event?) -> Bool {
            switch filter.source.asArray?.first?.asString {
            case "has": last != nil
            case "==": last != nil && last?.value == nil
            default: last == nil || last?.value != nil
            }
        }

        init(_ events: [Event], _ options: InputOptions) {
            var last: [String: AttributeValue] = [:]
            for event in events {
                guard let value = event.value else {
                    last[event.name] = nil
                    continue
                }
                let kind = options.kinds[event.name]
                let converted = kind.map { value.converted(to: $0) } ?? value
                // Also one that is taken back.
                if converted == nil { reason = .wrongKind }
                last[event.name] = converted
            }
            if let filter = options.filter, !Self.passes(filter, events.last { $0.name == "b" }) {
                reason = reason ?? .filtered
            }
            if let weight = last["w"], options.weightAttribute == "w" {
                self.weight = weight.asWeight ?? 0
                if self.weight <= 0 { reason = reason ?? .badWeight }
            }
            if options.idAttribute == "n", let id = last["n"]?.wholeNumber {
                self.id = id
                last["n"] = nil
            }
            attributes = last.filter {
                options.included?.contains($0.key) != false && !options.excluded.contains($0.key)
            }
        }
    }

    @Test func `a number beyond any number is refused, and what is spelled so is kept as a text`()
        throws
    {
        let json =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"v":1e999}}"#
        for (kinds, text) in [([:], nil), (["v": AttributeKind.text], "1e999")] {
            var options = InputOptions()
            (options.tolerance, options.kinds) = (.all, kinds)
            let reading = try Reading(json, options: options)
            #expect(reading.report.rejected == (text == nil ? [.wrongKind: 1] : [:]))
            if let text { #expect(reading.attributes(0)["v"] == .text(text)) }
        }
        let answer = complaint(about: json, name: "a.json")
        #expect(answer?.contains("has the value “1e999”, beyond any number") == true)
    }

    @Test(arguments: UInt64(0)..<10)
    func `the last value of each name counts, however it is handed over`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 750)
        for _ in 0..<20 {
            let options = try Self.options(using: &random)
            var table = PointTable()
            var builder = PointBuilder(
                options: options, keys: table.attributes.keys, input: "i", noun: "record")
            let records = (0..<12).map { _ in
                (0..<Int.random(in: 0...7, using: &random)).map { _ in
                    Self.event(using: &random)
                }
            }
            for events in records {
                builder.begin()
                for event in events { Self.add(event, to: &builder, using: &random) }
                builder.end(x: 1, y: 2)
            }
            let piece = builder.takePiece()
            table.append(piece.batch)
            let outcomes = records.map { Outcome($0, options) }
            let kept = outcomes.filter { $0.reason == nil }
            try #require(table.count == kept.count)
            for (row, wanted) in kept.enumerated() {
                #expect(table.readPoints[row].attributes == wanted.attributes)
                #expect(table.ids?[row] ?? PointTable.noID == wanted.id)
                #expect(table.weights?[row] ?? 1 == wanted.weight)
            }
            let rejected = Dictionary(grouping: outcomes.compactMap(\.reason), by: \.self)
            #expect(piece.report.rejected == rejected.mapValues(\.count))
        }
    }
}
