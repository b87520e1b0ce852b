import Expressions
import Foundation
import JSON
import PointInput
import Points
import Testing

struct OptionsTests {
    static let text = """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},\
        "properties":{"a":1,"b":"x","code":42,"w":2.5}}
        {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},\
        "properties":{"a":5,"b":"y","code":"43","w":1}}
        """

    private func read(_ change: (inout InputOptions) -> Void) throws -> Reading {
        var options = InputOptions()
        change(&options)
        return try Reading(Self.text, options: options)
    }

    @Test func `attributes are chosen by name`() throws {
        #expect(try read { $0.included = ["a", "b"] }.attributes(0).keys.sorted() == ["a", "b"])
        #expect(
            try read { $0.excluded = ["a", "b"] }.attributes(0).keys.sorted() == ["code", "w"])
    }

    @Test func `an attribute becomes the id, another the weight`() throws {
        let reading = try read {
            $0.idAttribute = "code"
            $0.weightAttribute = "w"
        }
        #expect(reading.table.ids.map { [$0[0], $0[1]] } == [42, 43])
        #expect(reading.table.weights.map { [$0[0], $0[1]] } == [2.5, 1])
        #expect(reading.attributes(0) == ["a": .integer(1), "b": .text("x"), "w": .number(2.5)])
    }

    @Test func `a filter sees also what is left out`() throws {
        let reading = try read {
            $0.excluded = ["a"]
            $0.filter = try? Expression(parsing: [">", ["get", "a"], 3], as: .filter)
        }
        #expect(reading.table.count == 1 && reading.report.records == 2)
        #expect(reading.report.rejected == [.filtered: 1])
        #expect(reading.attributes(0)["b"] == .text("y") && reading.attributes(0)["a"] == nil)
    }

    @Test func `a record that the filter leaves out may weigh what it likes`() throws {
        let text = """
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"w":0}}
            {"type":"Feature","geometry":{"type":"Polygon","coordinates":[]},"properties":{"w":-1}}
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"w":2}}
            """
        var options = InputOptions()
        options.weightAttribute = "w"
        options.filter = try Expression(parsing: [">", ["get", "w"], 0], as: .filter)
        let reading = try Reading(text, options: options)
        #expect(reading.table.count == 1 && reading.report.rejected == [.filtered: 2])
        let answer = complaint(about: text, name: "a.json") { $0.weightAttribute = "w" }
        #expect(
            answer?.hasPrefix("a.json:1: feature 1 has the weight “0”; it must be a number above 0")
                == true, "\(answer ?? "")")
    }

    @Test func `values are turned into the kind asked for, or refused`() throws {
        let reading = try read { $0.kinds = ["a": .text, "code": .integer] }
        #expect(reading.attributes(1)["a"] == .text("5"))
        #expect(reading.attributes(1)["code"] == .integer(43))
        let answer = complaint(about: Self.text, name: "a.json") { $0.kinds = ["b": .number] }
        #expect(
            answer?.hasPrefix("a.json:1: feature 1 has “x” as b, which is no number") == true,
            "\(answer ?? "")")
    }

    @Test func `longitudes wrap, metres are unprojected`() throws {
        let reading = try Reading("x,y\n181,0\n-190,0\n360,0\n", name: "t.csv")
        #expect((0..<3).map { (reading.longitude($0) * 1e6).rounded() / 1e6 } == [-179, 170, 0])
        var options = InputOptions()
        options.crs = .webMercator
        let metres = try Reading("x,y\n111319.49079327358,0\n", name: "t.csv", options: options)
        #expect(abs(metres.longitude(0) - 1) < 1e-9)
    }

    @Test func `several inputs make one table, and places count in each`() throws {
        let files = [Data("x,y\n1,2\n".utf8), Data("x,y\n3,4\n,\n".utf8)].map {
            TemporaryFile($0, ending: "csv")
        }
        defer { for file in files { file.remove() } }
        let (table, report) = try PointTable.read(files.map { .file($0.path) })
        #expect(table.count == 2 && report.records == 3)
        #expect(report.samples.first?.location.input == files[1].path)
        #expect(report.samples.first?.location.line == 3)
    }

    @Test func `what is left out without a fault is noted once`() throws {
        let table = try Reading("x,y\n1,2\n,\n,\n", name: "t.csv")
        #expect(table.report.notes == ["t.csv: left out 2 rows without coordinates"])
        let towns = try DatabaseReaderTests.read(DatabaseReaderTests.towns).report
        #expect(towns.notes.count == 2)
        #expect(towns.notes.first?.hasSuffix("left out the binary values of “pic”") == true)
    }

    @Test func `a table that is asked of what has none is noted`() throws {
        var options = InputOptions()
        options.query = .table("t")
        let report = try Reading("x,y\n1,2\n", name: "t.csv", options: options).report
        #expect(report.notes == ["t.csv: is no database, and was read whole"])
    }

    @Test func `gzip of several members is inflated on the way`() throws {
        let file = TemporaryFile(Data("x,y\n1,2\n".utf8))
        let other = TemporaryFile(Data("3,4\n5,6\n".utf8))
        defer { file.remove(); other.remove() }
        let packed = try #require(
            run("/bin/sh", "-c", "gzip -c '\(file.path)'; gzip -c '\(other.path)'"))
        #expect(try Reading(packed, name: "t.csv.gz").table.count == 3)
        let answer = complaint(about: packed.dropLast(9), name: "t.csv.gz")
        #expect(answer?.hasPrefix("t.csv.gz: gzip: the compressed data ends early") == true)
    }

    @Test(arguments: [
        "kinds.fgb", "kinds.gpkg", "kinds.sqlite", "Columns/kinds.parquet", "Columns/kinds.feather",
    ])
    func `what is excluded or converted is met, in every format`(sample: String) throws {
        let whole = try Samples.read(sample)
        let name = try #require(whole.points.lazy.flatMap(\.attributes.keys).first)
        for options in [Set([name, "missing"]), []] {
            let reading = try Samples.read(sample) {
                $0.excluded = options
                if options.isEmpty { $0.kinds = [name: .text, "missing": .bool] }
            }
            #expect(reading.report.met == [name])
        }
    }

    @Test(arguments: ["Columns/plain-v1.parquet", "Columns/views.feather"])
    func `a column of coordinates is met, too`(sample: String) throws {
        let reading = try Samples.read(sample) { $0.excluded = ["lon", "lng"] }
        #expect(reading.report.met == ["lon"])
    }
}

/// What a program prints, if it can be run and succeeds.
func run(_ program: String, _ arguments: String...) -> Data? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
}
