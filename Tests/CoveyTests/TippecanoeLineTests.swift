import Foundation
import Testing

/// The lines of tippecanoe that `docs/tippecanoe.md` shows, run as they were typed.
struct TippecanoeLineTests {
    /// The lines of the page, and what it says of them.
    static let lines: [(line: String, outcome: String)] = {
        let rows = try? Page("docs/tippecanoe.md").part("lines").split(separator: "\n").dropFirst(2)
        return (rows ?? []).map { row in
            let cells = row.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
            return (cells[0].trimmingCharacters(in: ["`"]), cells[1])
        }
    }()

    /// The attributes that its lines speak of.
    static let attributes =
        "POP_MAX,count,avg_dist,case_flag,night_flag,UniqueID,State,HUC12,name,scalerank,LABELRANK"

    /// Writes some points to every file that a line reads.
    private func writeInputs(of line: String, in terminal: Terminal) throws {
        let names = Self.attributes.split(separator: ",")
        let features = (0..<3).map { index in
            let properties = names.map { "\"\($0)\": \(index)" }.joined(separator: ", ")
            return
                #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [\#(index), 1]}, "#
                + #""properties": {\#(properties)}}"#
        }
        for file in line.matches(of: /[\w-]+\.(geojsonl\.json|geojsonl|geojson|jsonl|json|csv)/) {
            let text =
                switch file.output.1 {
                case "csv": "lon,lat\n1,2\n3,4\n"
                case "geojson", "json":
                    #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
                default: features.joined(separator: "\n")
                }
            try terminal.write(text, to: "\(file.output.0)")
        }
    }

    @Test(arguments: lines)
    func `a line of the page does what the page says`(line: String, outcome: String) throws {
        let terminal = try Terminal()
        try writeInputs(of: line, in: terminal)
        let result = try terminal.shell(line.replacing("tippecanoe ", with: "\"$COVEY\" build "))
        if let refused = outcome.wholeMatch(of: /refused: `(.*)`/) {
            #expect(result.exitCode == 2)
            #expect(result.words.contains("covey: \(refused.1) "), "\(result.words)")
            #expect(result.words.matches(of: /is an option of tippecanoe/).count == 1)
            return
        }
        #expect(result.exitCode == 0, "\(result.words)")
        let notes = result.words.matches(of: /covey: -.* (changes nothing here|is read as )/).count
        let told = notes == 0 ? "runs" : "runs, \(notes) \(notes == 1 ? "note" : "notes")"
        #expect(told == outcome, "\(result.words)")
        // The archive is there, whatever kind it is.
        let output = try #require(line.firstMatch(of: /(?:-o |-e |-directory[= ])(\S+)/))
        let checked = try terminal.covey("verify", "\(output.1)", "--quiet")
        #expect(checked.exitCode == 0, "\(checked.output)")
    }

    @Test func `most lines run as they were typed`() {
        let running = Self.lines.count { $0.outcome.hasPrefix("runs") }
        #expect(Self.lines.count >= 18 && 18 * running >= 14 * Self.lines.count)
    }
}
