import Testing

/// Null beside values of each kind.
struct NullComparisonTests {
    @Test(arguments: ["1", #""a""#, "true", #"["get","kind"]"#, #"["get","value"]"#])
    func `null may be held against anything, on either side, and equals nothing but itself`(
        other: String
    ) throws {
        func value(_ word: String, _ a: String, _ b: String) throws -> String {
            try TestFeature.cafe.value(of: #"["\#(word)",\#(a),\#(b)]"#).text()
        }
        for (a, b) in [("null", other), (other, "null")] {
            #expect(try value("==", a, b) == "false" && value("!=", a, b) == "true")
        }
        #expect(try value("==", "null", "null") == "true")
        #expect(try value("==", "null", #"["get","none"]"#) == "true")
    }
}
