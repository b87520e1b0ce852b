import Expressions
import JSON
import Points
import TestSupport
import Testing

struct RandomExpressionTests {
    @Test func `all ways to ask for a value agree, and printing changes nothing`() throws {
        var expressions = RandomExpression(random: SeededRandom(seed: 21))
        let cafe = TestFeature.cafe
        var answered = 0
        var faulty = 0
        for _ in 0..<5_000 {
            let source = expressions.next(depth: 4)
            guard let expression = try? Expression(parsing: source, as: .value) else { continue }
            let bound = expression.bound(to: cafe.table.keys)
            let outcome = Result { () throws(EvaluationFault) in
                try bound.evaluated(cafe.table[0], id: cafe.id)
            }
            let value = (try? outcome.get()) ?? .null
            if (try? outcome.get()) == nil { faulty += 1 } else { answered += 1 }
            let printed = try Expression(parsing: JSONValue(parsing: source.text()), as: .value)
            #expect(
                cafe.value(of: printed).text() == cafe.value(of: expression).text(),
                "\(source.text())")
            let number = bound.number(cafe.table[0], id: cafe.id)
            #expect(number.isSame(as: value.asNumber), "\(source.text())")
            #expect(
                bound.matches(cafe.table[0], id: cafe.id) == (value == true), "\(source.text())")
            if expression.type != .value, value != .null {
                #expect(["\(expression.type)"].contains(Self.typeName(of: value)))
            }
        }
        #expect(answered > 1_000 && faulty > 100)
    }

    @Test func `no JSON makes the parser or the evaluation crash`() throws {
        var expressions = RandomExpression(random: SeededRandom(seed: 22))
        let cafe = TestFeature.cafe
        var refused = 0
        for _ in 0..<5_000 {
            let source = Self.mangled(expressions.next(depth: 3), &expressions)
            for role in [Expression.Role.filter, .value, .reducer] {
                do throws(ExpressionError) {
                    let expression = try Expression(parsing: source, as: role)
                    _ = cafe.value(of: expression)
                } catch {
                    refused += 1
                    #expect(error.description.contains(" at "))
                }
            }
            _ = try? ClusterProperty(name: "n", json: source)
        }
        #expect((5_000..<15_000).contains(refused))
    }

    /// The JSON with one part somewhere replaced, dropped or doubled.
    private static func mangled(
        _ json: JSONValue, _ expressions: inout RandomExpression
    ) -> JSONValue {
        guard case .array(var elements) = json, !elements.isEmpty else {
            return expressions.pick([
                nil, [], [:], "get", -1, ["get"], [["get"]], ["==", "$type", 1],
            ])
        }
        let index = Int(expressions.random.next() % UInt64(elements.count))
        switch expressions.random.next() % 6 {
        case 0: elements.remove(at: index)
        case 1: elements.append(elements[index])
        case 2: elements.swapAt(0, index)
        default: elements[index] = mangled(elements[index], &expressions)
        }
        return .array(elements)
    }

    private static func typeName(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .integer, .unsigned, .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension Double? {
    /// Equal, or both NaN.
    fileprivate func isSame(as other: Double?) -> Bool {
        self == other || (self?.isNaN == true && other?.isNaN == true)
    }
}
