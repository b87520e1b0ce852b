import Foundation
import Testing

/// Files that hold no points: what is said of them.
struct ForeignInputTests {
    /// A tile of one empty layer: its name, its version.
    static let tile = Data([0x1A, 5, 0x0A, 1, 0x61, 0x78, 2])

    static let samples: [(Data, String, String)] = [
        (tile, "t.mvt: is a vector tile, not a set of points", "covey inspect t.mvt tells"),
        (Data("PMTiles".utf8) + [3, 0x2C], "is an archive of tiles", "name what it was made from"),
        (Data([0x7F, 0x45, 0x4C, 0x46]), "is a program", "name the file of points"),
        (
            Data(repeating: 0xF1, count: 8) + Data("DUCK".utf8) + [68, 0, 0, 0],
            "t.mvt: is a DuckDB database", "duckdb t.mvt \"COPY (FROM points) TO 'points.parquet'\""
        ),
        (Data([0xC3, 0, 1, 0xFF]), "starts with the bytes c3 00 01 ff", "--format geojson|csv"),
    ]

    @Test(arguments: samples)
    func `what holds no points is called by its name`(bytes: Data, words: String, advice: String) {
        let lines = (complaint(about: bytes, name: "t.mvt") ?? "").split(separator: "\n")
        #expect(lines.first?.contains(words) == true, "\(lines)")
        #expect(lines.last?.contains(advice) == true, "\(lines)")
    }

    @Test func `a name does not make text of bytes`() {
        for name in ["a.csv", "a.geojson"] {
            let answer = complaint(about: Self.tile, name: name)
            #expect(answer?.hasPrefix("\(name): is a vector tile") == true, "\(answer ?? "")")
        }
    }

    @Test func `bytes that are no text are spelled out in messages`() {
        let bytes = Data(#"{"type":"Feature","properties":{"a":"#.utf8) + [0x1B, 0xFF, 0x41, 0x0A]
        let answer = complaint(about: bytes, name: "a.json") ?? ""
        #expect(answer.contains(#"at “\x1b\xffA\n”"#), "\(answer)")
        let turned = complaint(about: "{\"type\":\"\u{202E}é\"}", name: "a.json") ?? ""
        #expect(turned.contains(#"\u{202e}é"#), "\(turned)")
    }
}
