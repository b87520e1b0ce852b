import Foundation
import Testing

/// Files that hold no points: what is said of them.
struct ForeignInputTests {
    /// A tile of one empty layer: its name, its version.
    static let tile = Data([0x1A, 5, 0x0A, 1, 0x61, 0x78, 2])

    static let samples: [(Data, String, String)] = [
        (tile, "t.mvt: is a vector tile, not a set of points", "covey inspect t.mvt tells"),
        (Data("PMTiles".utf8) + [3, 0x2C], "is an archive of tiles", "name what it was made from"),
        (Data([0, 0, 0x27, 0x0A, 0, 0, 0, 0]), "is a shapefile", "convert it first: ogr2ogr"),
        (Data("<?xml version=\"1.0\"?>\n<kml/>".utf8), "is KML", "ogr2ogr"),
        (Data("PK\u{3}\u{4}aaa".utf8), "is a zip archive", "unpack it"),
        (Data([0x28, 0xB5, 0x2F, 0xFD, 0x2C, 0x0A]), "is packed by zstd", "zstd -dc t.mvt"),
        (Data([0x7F, 0x45, 0x4C, 0x46]), "is a program", "name the file of points"),
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
