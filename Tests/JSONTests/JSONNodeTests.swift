import JSON
import Testing

struct JSONNodeTests {
    let root = JSONNode([
        "sources": ["my places": ["filter": ["==", "kind", 3], "radius": 50, "on": true]],
        "zoom": 2.5, "id": nil,
    ])

    @Test func `members and elements know their path`() throws {
        let places = try root.required("sources").required("my places")
        #expect(try places.required("filter").elements[2].integer == 3)
        #expect(
            try places.required("filter").elements[2].path.description
                == #"sources["my places"].filter[2]"#)
        #expect(try places.required("on").bool && places.required("radius").number == 50)
        #expect(try root.members.map(\.key) == ["sources", "zoom", "id"])
        #expect(try root.required("id").value == .null && root.member("none") == nil)
        #expect(JSONPath.root.description == "top level" && JSONPath.root[0].description == "[0]")
    }

    @Test func `a plain key stands in a path as it is, any other in quotes`() {
        for key in ["a", "é", "9", "a_b-c:d", "addr:city"] {
            #expect(JSONPath.root[key].description == key)
        }
        for key in ["", " ", "a.b", "a b", "a\"", "$id", "a/b", "[0]"] {
            #expect(JSONPath.root[key].description == "[\(JSONValue.string(key).text())]")
        }
    }

    @Test func `the first key that comes again is told`() throws {
        func duplicate(_ text: String) throws -> String? {
            try JSONValue(parsing: text).asObject?.duplicateKey
        }
        #expect(try duplicate(#"{"a":1,"b":2}"#) == nil)
        #expect(try duplicate(#"{"a":1,"b":2,"a":3,"b":4}"#) == "a")
        #expect(try duplicate(#"{"a":1,"b":2,"b":3,"a":4}"#) == "b")
    }

    @Test func `what is not as asked for is thrown with its path`() {
        expect(#"expected a whole number at zoom, found 2.5"#) { try root.required("zoom").integer }
        expect(#"expected a whole number from 0 to 2 at zoom, found 2.5"#) {
            try root.required("zoom").integer(in: 0...2)
        }
        expect(#"expected a string at id, found null"#) { try root.required("id").string }
        expect(#"expected an array at sources, found an object"#) {
            try root.required("sources").elements
        }
        expect(#"expected an object at zoom, found 2.5"#) { try root.required("zoom").members }
        expect(#""radius" is missing at sources"#) {
            try root.required("sources").required("radius")
        }
    }

    @Test func `a key that occurs twice is kept, read as the last, and refused by members`() throws
    {
        let node = JSONNode(try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#))
        #expect(node.value.asObject?.duplicateKey == "a")
        #expect(node.value.text() == #"{"a":1,"b":2,"a":3}"#)
        #expect(try node.required("a").integer == 3)
        expect(#""a" is given twice at top level"#) { try node.members }
    }

    @Test func `an object keeps the order of its members when one is set`() {
        var object = JSONObject()
        object["z"] = 1
        object["a"] = 2
        object["z"] = 3
        object["q"] = 4
        object["a"] = nil
        #expect(JSONValue.object(object) == ["z": 3, "q": 4])
        #expect(object.keys == ["z", "q"])
    }

    private func expect(_ message: String, _ body: () throws -> Any) {
        let error = #expect(throws: JSONError.self) { _ = try body() }
        #expect(error?.description == message)
    }
}
