import Arguments
import Foundation
import JSON
import TestSupport
import Testing

@testable import covey

/// Each number that is shown to people, against the one that is told to machines.
struct FigureTests {
    static func terminal() throws -> Terminal {
        var random = SeededRandom(seed: 1)
        var lines = ["lon,lat,size,kind"]
        for row in 0..<400 {
            guard row % 97 != 5 else {
                lines.append("x,y,1,a")
                continue
            }
            let isFar = random.unit() < 0.3
            let longitude = isFar ? random.unit() * 360 - 180 : 7 + random.unit() * 3
            let latitude = isFar ? random.unit() * 160 - 80 : 46 + random.unit() * 2
            lines.append("\(longitude),\(latitude),\(row % 50 == 3 ? "" : "\(row % 9)"),\(row % 2)")
        }
        let terminal = try Terminal()
        try terminal.write(lines.joined(separator: "\n") + "\n", to: "points.csv")
        return terminal
    }

    static let options = [
        "points.csv", "--max-zoom", "4", "--aggregate", "s=sum:size", "--skip-invalid",
        "--progress", "none",
    ]

    static func object(_ text: String) throws -> JSONObject {
        try #require(try JSONValue(parsing: text).asObject)
    }

    /// The words of the line that begins so, numbers without their commas.
    static func words(_ text: String, after start: String) throws -> [String] {
        let line = text.split(separator: "\n").map { $0.drop { $0 == " " } }.first {
            $0.hasPrefix(start)
        }
        return try #require(line, "\(start)\n\(text)").dropFirst(start.count)
            .split(separator: " ").map { String($0.filter { $0 != "," }) }
    }

    static func integer(_ object: JSONObject?, _ key: String) throws -> Int {
        let number = try #require(object?[key]?.asNumber, "\(key)")
        return Int(number)
    }

    /// A size in decimal units, three figures or so, as it takes two words.
    static func size(_ bytes: Int) -> [String] {
        let power = bytes < 1_000 ? 0 : bytes < 999_500 ? 1 : 2
        let value = Double(bytes) / pow(1_000, Double(power))
        let isWhole = power == 0 || value >= 99.95
        return [String(format: isWhole ? "%.0f" : "%.1f", value), ["B", "kB", "MB"][power]]
    }

    @Test func `a report says to people what it says to machines`() throws {
        let terminal = try Self.terminal()
        let built = try terminal.covey(
            "build",
            with: Self.options + ["-o", "a.mbtiles", "--job", "job", "--cell-zoom", "1", "--json"])
        #expect(built.exitCode == 0, "\(built.words)")
        let report = try Self.object(built.output)
        let layer = try #require(report["layers"]?.asArray?.first?.asObject)
        let counts = try ["records", "points", "clusters"].map { try Self.integer(layer, $0) }
        #expect(counts[0] == 400 && counts[1] == 395)
        let heading = try Self.words(built.words, after: "points:")
        #expect(heading.compactMap { Int($0) } == counts)
        #expect(
            try Self.words(built.words, after: "5 left out").suffix(4).joined(separator: " ")
                .hasSuffix("row 6)"))
        let skipped = try Self.integer(layer["skipped_values"]?.asObject, "s")
        #expect(
            skipped == 8
                && built.words.contains("  8 values left out of s: missing or of another kind\n"))
        for zoom in try #require(report["zooms"]?.asArray).compactMap(\.asObject) {
            let number = try Self.integer(zoom, "zoom")
            let words = try Self.words(built.words, after: "\(number) ")
            let largest = zoom["largest_cluster"]?.asObject
            let wanted = try [
                (zoom, "clusters"), (zoom, "single_points"),
                (largest ?? ["point_count": 0], "point_count"), (zoom, "point_count"),
            ].map { "\(try Self.integer($0, $1))" }
            #expect(
                words == ["\(try Self.integer(zoom, "tiles"))"]
                    + Self.size(try Self.integer(zoom, "tile_bytes")) + wanted)
            #expect(try Self.integer(zoom, "point_count") == 395)
        }
        try Self.expectEnd(of: built.words, report)
        #expect(try terminal.bytes("a.mbtiles").count == Self.integer(report, "file_bytes"))
    }

    /// The largest tiles, the cells, and the last line.
    private static func expectEnd(of words: String, _ report: JSONObject) throws {
        let largest = try #require(report["largest_tiles"]?.asArray).compactMap(\.asObject).map {
            tile in
            [tile["tile"]?.asString ?? ""] + Self.size(try Self.integer(tile, "bytes"))
        }
        #expect(try Self.words(words, after: "largest tiles: ") == largest.flatMap(\.self))
        let cells = try #require(report["cells"]?.asObject)
        let line = try Self.words(words, after: "\(try Self.integer(cells, "cells")) cells")
        let share =
            Double(try Self.integer(cells, "loaded_points"))
            / Double(try Self.integer(cells, "points"))
        #expect(try Int(line[4].dropLast()) == Self.integer(cells, "cut_zoom"))
        #expect(try #require(Double(line[5])) == (share * 100).rounded() / 100)
        #expect(try line.contains("\(Self.integer(cells, "widened"))"))
        let last = try Self.words(words, after: "a.mbtiles: ")
        let bytes = try Self.integer(report, "file_bytes")
        #expect(try last.prefix(2) == ["\(Self.integer(report, "tiles"))", "tiles"])
        #expect(Array(last[2..<4]) == Self.size(bytes).enumerated().map { $0 == 1 ? $1 + "." : $1 })

    }

    @Test func `inspect says to people what it says to machines`() throws {
        let terminal = try Self.terminal()
        _ = try terminal.covey("build", with: Self.options + ["-o", "a.mbtiles", "-q"])
        let text = try terminal.covey("inspect", "a.mbtiles").output
        let json = try Self.object(try terminal.covey("inspect", "a.mbtiles", "--json").output)
        #expect(
            try Self.words(text, after: "size ") == Self.size(try terminal.bytes("a.mbtiles").count)
        )
        let parts = text.components(separatedBy: "\n\n")
        let tables = try [2, 4].map { index in
            try #require(parts.count > index ? parts[index] : nil)
        }
        for zoom in try #require(json["zooms"]?.asArray).compactMap(\.asObject) {
            func number(_ key: String) throws -> Int { try Self.integer(zoom, key) }
            let row = try "\(number("zoom")) "
            let largest = zoom["largest_cluster"]?.asObject
            #expect(
                try Self.words(tables[0], after: row) == ["\(number("tiles"))"]
                    + Self.size(number("tile_bytes"))
                    + Self.size(number("average_tile_bytes"))
                    + ["features", "clusters", "point_count"].map { "\(try number($0))" }
                    + [largest.map { "\(try Self.integer($0, "point_count"))" } ?? "–"])
            let extremes = try ["smallest_tile", "largest_tile"].flatMap { key in
                let tile = zoom[key]?.asObject
                return Self.size(try Self.integer(tile, "bytes")) + [tile?["tile"]?.asString ?? ""]
            }
            #expect(
                try Self.words(tables[1], after: row) == extremes + [
                    largest?["tile"]?.asString ?? "–"
                ])
            #expect(
                try number("average_tile_bytes")
                    == Int((Double(number("tile_bytes")) / Double(number("tiles"))).rounded(.down)))
        }
    }

    @Test func `a build and inspect tell of zooms in the same keys`() throws {
        let terminal = try Self.terminal()
        let built = try terminal.covey(
            "build", with: Self.options + ["-o", "a.mbtiles", "-q", "--json"])
        let report = try Self.object(built.output)
        let held = try Self.object(try terminal.covey("inspect", "a.mbtiles", "--json").output)
        for key in ["tiles", "tile_bytes", "file_bytes"] {
            #expect(try Self.integer(report, key) == Self.integer(held, key), "\(key)")
        }
        let zooms = try [report, held].map { try #require($0["zooms"]?.asArray) }
        #expect(zooms[0].count == 5 && zooms[1].count == 5)
        for (told, found) in zip(zooms[0], zooms[1]) {
            for member in try #require(told.asObject).members {
                let other = found.asObject?[member.key]
                guard member.key == "largest_cluster" else {
                    #expect(other == member.value, "\(member.key)")
                    continue
                }
                let count = try Self.integer(member.value.asObject, "point_count")
                #expect(try Self.integer(other?.asObject, "point_count") == count)
            }
            #expect(
                (told.asObject?["largest_cluster"] == nil)
                    == (found.asObject?["largest_cluster"] == nil))
        }
    }

    @Test func `inspect shows where the bytes of a layer go, as JSON does`() throws {
        let terminal = try Self.terminal()
        _ = try terminal.covey("build", with: Self.options + ["-o", "a.mbtiles", "-q"])
        let text = try terminal.covey("inspect", "a.mbtiles").output
        let json = try Self.object(try terminal.covey("inspect", "a.mbtiles", "--json").output)
        let layer = try #require(json["layers"]?.asArray?.first?.asObject)
        let all = try Self.integer(layer, "inflated_bytes")
        func share(_ part: Int) -> String {
            String(format: "%.1f", (1_000 * Double(part) / Double(all)).rounded() / 10)
        }
        let heading = try Self.words(text, after: "layer points: ")
        #expect(try heading.first == "\(Self.integer(layer, "features"))" && heading[1] == "Point;")
        let lines =
            text.components(separatedBy: "inflated: ").last?.replacing("\n", with: " ") ?? ""
        var rest = all
        for (part, key) in [
            ("geometry", "geometry"), ("tags", "tag"), ("keys", "key"), ("values", "value"),
        ] {
            let count = try Self.integer(layer, "\(key)_bytes")
            rest -= count
            #expect(lines.contains("\(part) \(share(count)) %"), "\(part)")
        }
        #expect(lines.contains("headers \(share(rest)) %"))
        let table = text.components(separatedBy: "  attribute ").last ?? ""
        for attribute in try #require(layer["attributes"]?.asArray).compactMap(\.asObject) {
            let name = try #require(attribute["name"]?.asString)
            let sum = try ["key_bytes", "value_bytes", "tag_bytes"].reduce(0) {
                $0 + (try Self.integer(attribute, $1))
            }
            let words = try Self.words(table, after: name + " ")
            #expect(
                try words == [
                    attribute["type"]?.asString ?? "", "\(Self.integer(attribute, "features"))",
                ]
                    + Self.size(sum) + [share(sum), "%"]
                    + Self.size(Self.integer(attribute, "value_bytes")), "\(name)")
        }
        try Self.expectBars(in: text, of: terminal)
    }

    private static func expectBars(in text: String, of terminal: Terminal) throws {
        // A bar for each class of sizes, and all tiles in them.
        let parts = text.components(separatedBy: "\n\n")
        let plot = try #require(parts.first { $0.hasPrefix("tiles up to") }).split(separator: "\n")
            .dropFirst()
        let listed = try terminal.covey("inspect", "a.mbtiles", "--list").output.split(
            separator: "\n"
        )
        .map { try #require(Int($0.split(separator: " ")[3])) }
        let counts = plot.compactMap { Int($0.split(separator: " ").last ?? "") }
        let classes = Dictionary(grouping: listed) { size in (0...).first { 1 << $0 >= size } ?? 0 }
        #expect(counts.filter { $0 > 0 } == classes.keys.sorted().map { classes[$0]?.count ?? 0 })
        for (line, count) in zip(plot, counts) {
            let width = Int((40 * Double(count) / Double(counts.max() ?? 1)).rounded())
            #expect(line.count { $0 == "█" } == (count == 0 ? 0 : max(width, 1)))
        }
    }
}
