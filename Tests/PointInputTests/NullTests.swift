import Expressions
import JSON
import PointInput
import Points
import Testing

/// Attributes without a value, which are not the same as none: as MapLibre's clients answer.
struct NullTests {
    /// Which of these features a filter keeps: x is null, missing, 1, null after all, 2 after all.
    private func kept(_ filter: String) throws -> [Int] {
        let properties = [
            #"{"n":0,"x":null}"#, #"{"n":1}"#, #"{"n":2,"x":1}"#, #"{"n":3,"x":1,"x":null}"#,
            #"{"n":4,"x":null,"x":2}"#,
        ]
        let text = properties.map {
            #"{"type":"Feature","properties":\#($0),"geometry":{"type":"Point","coordinates":[1,2]}}"#
        }.joined(separator: "\n")
        var options = InputOptions()
        options.filter = try Expression(parsing: JSONValue(parsing: filter), as: .filter)
        let reading = try Reading(text, options: options)
        return (0..<reading.table.count).compactMap { row in
            if case .integer(let n)? = reading.attributes(row)["n"] { Int(n) } else { nil }
        }
    }

    @Test(arguments: [
        (#"["has","x"]"#, [0, 2, 3, 4]), (#"["!",["has","x"]]"#, [1]), (#"["!has","x"]"#, [1]),
        (#"["has",["concat","x"]]"#, [0, 2, 3, 4]), (#"["has","x",["properties"]]"#, [0, 2, 3, 4]),
        // The old form compares strictly: what is missing is not null.
        (#"["==","x",null]"#, [0, 3]), (#"["!=","x",null]"#, [1, 2, 4]),
        (#"["in","x",null,2]"#, [0, 3, 4]), (#"["!in","x",null,2]"#, [1, 2]),
        // The new form reads what is missing as null.
        (#"["==",["get","x"],null]"#, [0, 1, 3]), (#"["!=",["get","x"],null]"#, [2, 4]),
        (#"["==",["typeof",["get","x"]],"null"]"#, [0, 1, 3]), (#"["==","x",1]"#, [2]),
        (#"[">=","x",0]"#, [2, 4]), (#"["==","$id",null]"#, [0, 1, 2, 3, 4]),
    ])
    func `null is not missing in a filter`(filter: String, expected: [Int]) throws {
        #expect(try kept(filter) == expected)
    }

    @Test func `what was null in one feature is not in the next`() throws {
        // A coordinate, a cell and another feature in between change nothing.
        #expect(try kept(#"["all",["has","x"],[">","n",1]]"#) == [2, 3, 4])
        let csv = try Reading(
            "lon,lat,x\n1,2,\n1,2,3\n",
            options: {
                var options = InputOptions()
                options.filter = try Expression(parsing: ["has", "x"], as: .filter)
                return options
            }())
        #expect(csv.table.count == 1)
    }
}
