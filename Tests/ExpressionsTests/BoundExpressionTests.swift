import Expressions
import JSON
import Points
import Testing

struct BoundExpressionTests {
    private let cafe = TestFeature.cafe

    private func bound(
        _ source: JSONValue, as role: Expression.Role = .value
    ) throws -> BoundExpression {
        try Expression(parsing: source, as: role).bound(to: cafe.table.keys)
    }

    @Test func `a number is nil for what is no number and for faults`() throws {
        #expect(try bound(["get", "value"]).number(cafe.table[0]) == 12)
        #expect(try bound(["get", "kind"]).number(cafe.table[0]) == nil)
        #expect(try bound(["get", "none"]).number(cafe.table[0]) == nil)
        #expect(try bound(["+", 1, ["get", "kind"]]).number(cafe.table[0]) == nil)
        #expect(try bound(["case", ["get", "open"], 3, "a"]).number(cafe.table[0]) == 3)
    }

    @Test func `a filter that meets a fault does not match, and can say why`() throws {
        let filter = try bound([">", ["get", "kind"], 10], as: .filter)
        let matches = filter.matches(cafe.table[0])
        #expect(!matches)
        #expect(throws: EvaluationFault.wrongType(expected: .number, found: .string)) {
            try filter.checkedMatch(cafe.table[0])
        }
    }

    @Test func `an id is null where there is none`() throws {
        let id = try bound(["id"])
        #expect(id.value(cafe.table[0], id: 7) == 7)
        #expect(id.value(cafe.table[0], id: .max - 1) == .number(0x1p64))
        #expect(id.value(cafe.table[0]) == .null)
    }

    @Test func `values are packed as attributes`() throws {
        func packed(_ source: JSONValue) throws -> AttributeValue? {
            var records = RecordBuilder()
            let key = cafe.table.keys.intern("out")
            let wasAppended = records.append(key, try bound(source).value(cafe.table[0]))
            let value = AttributeRecord(records.bytes.span).value(of: key)?.unpacked
            #expect(wasAppended == (value != nil))
            return value
        }
        #expect(try packed(["get", "big"]) == .integer(9_007_199_254_740_993))
        #expect(try packed(["get", "tags"]) == .text(#"["a","b",3]"#))
        #expect(try packed(["slice", ["get", "tags"], 2]) == .text("[3]"))
        #expect(try packed(["/", ["get", "value"], 8]) == .number(1.5))
        #expect(try packed(["/", ["get", "value"], 4]) == .integer(3))
        #expect(try packed(["!", ["get", "open"]]) == .bool(false))
        #expect(try packed(["upcase", ["get", "kind"]]) == .text("CAFE"))
        #expect(try packed(["get", "none"]) == nil)
        #expect(try packed(["+", 1, ["get", "kind"]]) == nil)
    }

    @Test func `an expression says what it reads and yields`() throws {
        let plain = try Expression(
            parsing: ["+", ["get", "b"], ["get", "a"], ["get", "b"]], as: .value)
        #expect(plain.attributeNames == ["b", "a"] && plain.type == .number)
    }

    @Test func `properties that are announced and not handed over hide nothing`() throws {
        let names = ["kind", "value"]
        func value(_ source: JSONValue) throws -> JSONValue {
            try Expression(parsing: source, as: .value)
                .bound(to: cafe.table.keys, properties: names).value(cafe.table[0])
        }
        #expect(try value(["get", "kind"]) == "cafe")
        #expect(try value(["get", ["concat", "ki", "nd"]]) == "cafe")
        #expect(try value(["get", "kind", ["properties"]]) == "cafe")
        #expect(try value(["get", "value", ["properties"]]) == 12)
    }

    @Test func `a label is found among many, whatever slots they share`() throws {
        for set in 0..<30 {
            let labels = (0..<40).map { "\(set)/\($0 &* 7_919)" }
            var match: [JSONValue] = ["match", ["get", "label"]]
            for (number, label) in labels.enumerated() {
                match += [.string(label), .integer(Int64(number))]
            }
            let expression = try Expression(parsing: .array(match + [-1]), as: .value)
            for (number, label) in labels.enumerated() {
                let feature = TestFeature(["label": .text(label)])
                #expect(feature.value(of: expression) == .integer(Int64(number)))
            }
            #expect(TestFeature(["label": .text("\(set)")]).value(of: expression) == -1)
        }
    }

    @Test func `properties handed over hide attributes of the same name`() throws {
        let expression = try Expression(
            parsing: ["concat", ["get", "kind"], ["get", "n"], ["accumulated"], ["has", "n"]],
            as: .reducer)
        let bound = expression.bound(to: cafe.table.keys, properties: ["n", "kind"])
        let properties: InlineArray<2, ExpressionValue> = [5, "bar"]
        let value = bound.reduced(accumulated: "!", properties: properties.span)
        #expect(value == "bar5!true")
    }

    @Test func `an array is looked for in nothing`() throws {
        for name in ["in", "index-of"] {
            for haystack in ["tags", "kind"] {
                let source =
                    "[\"\(name)\",[\"slice\",[\"get\",\"tags\"],1],[\"get\",\"\(haystack)\"]]"
                let value = try TestFeature.cafe.value(of: source)
                #expect(value == ["fault": "expected a string, found an array"], "\(source)")
            }
        }
    }
}
