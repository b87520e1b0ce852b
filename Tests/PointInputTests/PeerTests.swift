import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// The same files as other readers see them; each test needs its peer installed.
struct PeerTests {
    static let hasPython = run("/usr/bin/env", "python3", "--version") != nil
    static let hasGDAL = run("/usr/bin/env", "ogr2ogr", "--version") != nil

    @Test(.enabled(if: runsTests(needing: hasPython)))
    func `every value equals what Python's json reads`() throws {
        let file = TemporaryFile(Data(Self.randomFeatures().utf8), ending: "geojsonl")
        defer { file.remove() }
        let script = """
            import json, sys
            def kept(v):
                if isinstance(v, (dict, list)): return json.dumps(v, separators=(",", ":"))
                return v
            for line in open(sys.argv[1], encoding="utf-8"):
                p = {k: kept(v) for k, v in json.loads(line)["properties"].items() if v is not None}
                print(json.dumps(p))
            """
        let lines = try #require(run("/usr/bin/env", "python3", "-c", script, file.path))
            .split(separator: 0x0A)
        let (table, _) = try PointTable.read([.file(file.path)])
        try #require(table.count == lines.count)
        for (row, line) in lines.enumerated() {
            let expected = try JSONDecoder().decode([String: Scalar].self, from: line)
            for name in table.attributes.keys.names {
                let value = table.attributes.value(of: name, row: row)
                #expect(value == expected[name]?.value, "row \(row), \(name)")
            }
        }
    }

    @Test(.enabled(if: runsTests(needing: hasPython)))
    func `every cell equals what Python's csv reads`() throws {
        let file = TemporaryFile(Data(Self.randomTable().utf8), ending: "csv")
        defer { file.remove() }
        let script = """
            import csv, json, sys
            for row in csv.DictReader(open(sys.argv[1], encoding="utf-8", newline="")):
                print(json.dumps({k: v for k, v in row.items() if v != ""}))
            """
        let lines = try #require(run("/usr/bin/env", "python3", "-c", script, file.path))
            .split(separator: 0x0A)
        let (table, _) = try PointTable.read([.file(file.path)])
        try #require(table.count == lines.count)
        for (row, line) in lines.enumerated() {
            let expected = try JSONDecoder().decode([String: String].self, from: line)
            #expect(table.attributes.value(of: "t", row: row) == expected["t"].map { .text($0) })
            let number = expected["n"].flatMap(Double.init)
            #expect(table.attributes.value(of: "n", row: row)?.asNumber == number)
        }
    }

    @Test(.enabled(if: runsTests(needing: hasGDAL)), arguments: ["GeoJSON", "GeoJSONSeq", "CSV"])
    func `what GDAL writes is read back equal`(driver: String) throws {
        let file = TemporaryFile(Data(Self.randomFeatures(plain: true).utf8), ending: "geojsonl")
        let written = TemporaryFile(ending: driver == "CSV" ? "csv" : "json")
        written.remove()
        defer { file.remove(); written.remove() }
        _ = try #require(
            run(
                "/usr/bin/env", "ogr2ogr", "-f", driver,
                driver == "CSV" ? "-lco" : "-q", driver == "CSV" ? "GEOMETRY=AS_XY" : "-q",
                written.path, file.path))
        let (expected, _) = try PointTable.read([.file(file.path)])
        let (table, _) = try PointTable.read([.file(written.path)])
        try #require(table.count == expected.count)
        for row in 0..<table.count {
            let offset = table.position(of: row).squaredDistance(to: expected.position(of: row))
            // GDAL rounds GeoJSON to seven decimals.
            #expect(offset.squareRoot() < 1e-7 / 360 * 8)
            for name in ["text", "number"] {
                let value = expected.attributes.value(of: name, row: row)
                #expect(table.attributes.value(of: name, row: row) == value, "row \(row), \(name)")
            }
        }
    }

    /// A JSON scalar as `Decodable` sees it.
    private struct Scalar: Decodable {
        let value: AttributeValue

        init(from decoder: any Decoder) throws {
            let box = try decoder.singleValueContainer()
            if let bool = try? box.decode(Bool.self) {
                value = .bool(bool)
            } else if let integer = try? box.decode(Int64.self) {
                value = .integer(integer)
            } else if let number = try? box.decode(Double.self) {
                value = AttributeValue(canonical: number)
            } else {
                value = .text(try box.decode(String.self))
            }
        }
    }

    private static func randomFeatures(plain: Bool = false) -> String {
        var random = SeededRandom(seed: 21)
        return (0..<400).map { number in
            let x = random.unit() * 360 - 180
            let y = random.unit() * 170 - 85
            let text = plain ? "t\(random.next() % 1_000)x" : randomString(&random)
            let extra =
                plain
                ? ""
                : #","e":\#(random.unit() * 1e9)e\#(Int(random.next() % 20) - 20),"i":\#(Int64(bitPattern: random.next()) >> 8)"#
                    + #","z":null,"b":\#(random.next() % 2 == 0),"o":{"k":[1,{"s":"a b"}]}"#
            return
                #"{"type":"Feature","properties":{"text":"\#(text)","number":\#(Double(number) / 8 + 0.125)\#(extra)},"#
                + #""geometry":{"type":"Point","coordinates":[\#(x),\#(y)]}}"#
        }.joined(separator: "\n")
    }

    private static func randomTable() -> String {
        var random = SeededRandom(seed: 22)
        let rows = (0..<400).map { row in
            let pieces = [",", "\"\"", "\n", "\r\n", "é", "x", " ", "7", "😀"]
            let text = (0..<Int(random.next() % 9)).map { _ in pieces[Int(random.next() % 9)] }
            return "\(row % 90),\(row % 80),\"t\(text.joined())\",\(random.unit() * 1e6)"
        }
        return "lat,lon,t,n\r\n" + rows.joined(separator: "\r\n")
    }

    private static func randomString(_ random: inout SeededRandom) -> String {
        let pieces = [
            #"\""#, #"\\"#, #"\/"#, #"\n"#, #"\u00e9"#, #"\ud83d\ude00"#, "é", "😀", "{", "]", "a",
        ]
        return (0..<Int(random.next() % 24)).map { _ in pieces[Int(random.next() % 11)] }.joined()
    }
}
