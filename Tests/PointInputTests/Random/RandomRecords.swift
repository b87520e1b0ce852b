import Expressions
import Foundation
import JSON
import PointInput
import Points
import TestSupport

/// Records that are drawn, as each format writes them, and what must become of them.
struct RandomRecords {
    enum Place { case point, multiPoint, line, none, latitude, longitude }

    struct Record {
        var place = Place.point
        var (longitude, latitude) = (0.0, 0.0)
        /// Texts that are no numbers, whole numbers, fractions and weights; nil where there is none.
        var values: [String: AttributeValue] = [:]

        /// The positions that the record has, one after another.
        var positions: [[Double]] {
            switch place {
            case .none: []
            case .point: [[longitude, latitude]]
            case .latitude: [[longitude, 90.5]]
            case .longitude: [[-540.5, latitude]]
            case .line, .multiPoint:
                [[longitude, latitude], [latitude, 7], [longitude / 2, -latitude]]
            }
        }
    }

    enum Format: String, CaseIterable { case csv, geojson, geojsonl, arrow, sqlite }
    private var isTable: Bool { [.csv, .arrow, .sqlite].contains(format) }

    let format: Format
    var records: [Record] = []
    var options = InputOptions()
    private var leastN: Int64?

    static let names = ["t", "n", "f", "w", "i"]

    init(seed: UInt64, _ format: Format) throws {
        self.format = format
        var random = SeededRandom(seed: seed)
        let isJSON = format == .geojson || format == .geojsonl
        for _ in 0..<90 {
            var record = Record()
            record.longitude = Double(Int64(random.next() % 34_000) - 17_000) / 100
            record.latitude = Double(Int64(random.next() % 17_000) - 8_500) / 100
            switch random.next() % 12 {
            case 0 where isJSON: record.place = .multiPoint
            case 1 where isJSON: record.place = .line
            case 2: record.place = .none
            case 3: record.place = .latitude
            case 4: record.place = .longitude
            default: break
            }
            let texts = ["a", "é b", "x,y", "\"q\"", "<&>", "true-ish", "ÿ☃"]
            for name in Self.names where random.next() % 6 > 0 {
                record.values[name] =
                    switch name {
                    case "t": .text(texts[Int(random.next() % 7)])
                    case "f": .number(Double(random.next() % 1_000) + 0.25)
                    case "w": .integer(Int64(random.next() % 9) - 1)
                    case "n": .integer(Int64(random.next() % 100) - 20)
                    default: .integer(Int64(random.next() >> 20))
                    }
            }
            records.append(record)
        }
        try drawOptions(&random)
    }

    private mutating func drawOptions(_ random: inout SeededRandom) throws {
        options.tolerance = .all
        options.threads = 1 + Int(random.next() % 3)
        options.pieceSize = [300, 4_096, 1 << 18][Int(random.next() % 3)]
        if random.next() % 2 == 0 { options.idAttribute = "i" }
        if random.next() % 2 == 0 { options.weightAttribute = "w" }
        if random.next() % 3 == 0 { options.included = ["t", "n", "w"] }
        if random.next() % 3 == 0 { options.excluded = ["f", "n"] }
        if random.next() % 3 == 0 { options.kinds = ["n": .text, "f": .number] }
        if options.kinds.isEmpty, random.next() % 2 == 0 {
            leastN = Int64(random.next() % 60)
            options.filter = try Expression(
                parsing: [">=", ["number", ["get", "n"], -99], .integer(leastN ?? 0)], as: .filter)
        }
    }

    /// Why a record is turned away; nil if it is kept.
    func reason(_ record: Record) -> RejectReason? {
        // Blank cells are met before any attribute is looked at.
        if isTable, record.place == .none { return .noLocation }
        if let leastN {
            guard case .integer(let n) = record.values["n"] ?? .integer(-99), n >= leastN else {
                return .filtered
            }
        }
        if options.weightAttribute != nil, case .integer(let weight)? = record.values["w"],
            weight <= 0
        {
            return .badWeight
        }
        switch record.place {
        case .point, .multiPoint: return nil
        case .line: return .notAPoint
        case .none: return .noLocation
        case .latitude: return .latitudeOutOfRange
        case .longitude: return .longitudeOutOfRange
        }
    }

    /// The points of a record that is kept, and their weight.
    func points(_ record: Record) -> [(point: ReadPoint, weight: Double)] {
        var (values, id) = (record.values, UInt64?.none)
        var weight = 1.0
        if options.weightAttribute != nil, case .integer(let w)? = values["w"] {
            weight = Double(w)
        }
        if options.idAttribute != nil, case .integer(let i)? = values["i"] {
            id = UInt64(i)
            values["i"] = nil
        }
        if options.kinds["n"] == .text, case .integer(let n)? = values["n"] {
            values["n"] = .text("\(n)")
        }
        values = values.filter { name, _ in
            options.included?.contains(name) ?? true && !options.excluded.contains(name)
        }
        return record.positions.map { (ReadPoint($0[0], $0[1], id: id, values), weight) }
    }
}

// MARK: - As text

extension RandomRecords {
    var text: String {
        let lines = records.map(line)
        return switch format {
        case .csv: "lon,lat,t,n,f,w,i\n" + lines.joined(separator: "\n") + "\n"
        case .geojson:
            "{\"type\":\"FeatureCollection\",\"features\":[\n\(lines.joined(separator: ",\n"))\n]}\n"
        case .geojsonl: lines.joined(separator: "\n") + "\n"
        case .arrow, .sqlite: ""
        }
    }

    /// The line on which a record stands.
    func line(ofRecord number: Int) -> Int? {
        switch format {
        case .arrow, .sqlite: nil
        case .geojsonl: number
        default: number + 1
        }
    }

    private func line(_ record: Record) -> String {
        switch format {
        case .arrow, .sqlite: return ""
        case .csv:
            let position = record.positions.first.map { "\($0[0]),\($0[1])" } ?? ","
            let cells = Self.names.map { record.values[$0].map(Self.cell) ?? "" }
            return position + "," + cells.joined(separator: ",")
        case .geojson, .geojsonl:
            let members = record.values.sorted { $0.key < $1.key }.map {
                "\"\($0)\":\(Self.json($1))"
            }
            return
                "{\"type\":\"Feature\",\"geometry\":\(geometry(record)),\"properties\":{\(members.joined(separator: ","))}}"
        }
    }

    private func geometry(_ record: Record) -> String {
        let type = [.line: "LineString", .multiPoint: "MultiPoint"][record.place] ?? "Point"
        guard let first = record.positions.first else { return "null" }
        return
            "{\"type\":\"\(type)\",\"coordinates\":\(type == "Point" ? "\(first)" : "\(record.positions)")}"
    }

    private static func plain(_ value: AttributeValue) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .integer(let integer): "\(integer)"
        default: ""
        }
    }

    private static func cell(_ value: AttributeValue) -> String {
        guard case .text(let text) = value else { return plain(value) }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private static func json(_ value: AttributeValue) -> String {
        guard case .text(let text) = value else { return plain(value) }
        return JSONValue.string(text).text()
    }
}
