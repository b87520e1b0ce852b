import Foundation
import Testing

@testable import covey

/// All that `inspect` says to people, word by word: tiles in a folder are not packed, so each byte is known.
struct InspectTextTests {
    private static let built = Result { () throws -> Terminal in
        let terminal = try Terminal()
        let rows = [
            "lon,lat,kind,n", "8.1,47.1,inn,1", "8.2,47.1,bar,2", "8.2,47.10001,bar,3",
            "-120,10,inn,", "170,-40,zoo,5",
        ]
        try terminal.write(rows.joined(separator: "\n") + "\n", to: "p.csv")
        let built = try terminal.covey(
            "build", "p.csv", "-o", "a/", "--max-zoom", "2", "-q", "--aggregate", "s=sum:n")
        #expect(built.exitCode == 0, "\(built.words)")
        return terminal
    }

    /// A folder like that of its own, for those who change it.
    private static func copy() throws -> Terminal {
        let terminal = try Terminal()
        let folder = try built.get().folder.path
        #expect(try terminal.shell("cp -r '\(folder)/a' .").exitCode == 0)
        return terminal
    }

    /// The text without the line that tells how large the folder is, with the page in it.
    private static func text(_ terminal: Terminal, _ words: String...) throws -> String {
        let result = try terminal.covey("inspect", with: words)
        #expect(result.exitCode == 0 && result.words.isEmpty, "\(result.words)")
        return result.output.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("  size ") }.joined(separator: "\n")
    }

    private static let bar = String(repeating: "█", count: 40)
    private static let archive = """
        a/
          name         p
          description  p
          container    folder, pbf, a file a tile
          made by      covey \(version)
          zooms        0–2
          bounds       -119.99954,-40.00027,169.9997,47.10005
          center       8.16667,47.1 at zoom 0
          clusters     with an index and all points beside the tiles

        layer  zooms  fields
        p      0–2    cluster Boolean, cluster_id Number, point_count Number, point_cou…

        zoom      tiles    bytes  average    features   clusters      points        top
           0          1    214 B    214 B           3          1           5          3
           1          3    240 B     80 B           3          1           5          3
           2          3    191 B     63 B           5          0           5          –

        features counts margin copies, points and clusters do not; top is the
        largest cluster's count

        zoom  smallest tile         largest tile         largest cluster in
           0          214 B  0/0/0         214 B  0/0/0  0/0/0
           1           38 B  1/0/0         155 B  1/1/0  1/1/0
           2           41 B  2/0/1         100 B  2/2/1  –

        tiles up to                                            tiles
               64 B  \(bar)  4
              128 B  ██████████                                1
              256 B  ████████████████████                      2

        layer p: 11 Point; zooms 0–2; extent 65536; version 2
          629 B inflated: geometry 9.9 %, tags 8.6 %, keys 25.4 %, values 14.6 %,
            headers 41.5 %
          attribute                type     features  bytes   share  values
          kind                     String          9   82 B  13.0 %    40 B
          point_count_abbreviated  String          2   56 B   8.9 %     6 B
          cluster_id               Number          2   42 B   6.7 %    18 B
          expansion_zoom           Number          2   36 B   5.7 %     4 B
          point_count              Number          2   30 B   4.8 %     4 B
          n                        Number          6   28 B   4.5 %    12 B
          cluster                  Boolean         2   22 B   3.5 %     4 B
          s                        Number          2   10 B   1.6 %     4 B

        """

    @Test func `an archive is told from its name to its attributes`() throws {
        #expect(try Self.text(Self.built.get(), "a/") == Self.archive)
    }

    @Test(arguments: [
        (["--first", "1"], "first 1 of 3 features in p:", 1),
        (["--first", "2"], "first 2 of 3", 2),
        (["--first", "3"], "all features in p:", 3), ([], "all features in p:", 3),
    ])
    func `a tile is told with so many of its features`(words: [String], title: String, count: Int)
        throws
    {
        let rows = [
            #" –  Point  5971,26560  kind="bar" n=3"#, #" –  Point  5898,26560  kind="inn" n=1"#,
            #" –  Point  5971,26560  kind="bar" n=2"#,
        ]
        let text = try Self.built.get().covey("inspect", "a/", "2/2/1", with: words).output
        let parts = text.components(separatedBy: "\n\n")
        #expect(parts.count == 3 && parts[0] == "tile 2/2/1: 100 bytes, not compressed")
        #expect(
            parts[1] == """
                layer p: 3 Point; zoom 2; extent 65536; version 2
                  98 B inflated: geometry 18.4 %, tags 12.2 %, keys 5.1 %, values 16.3 %,
                    headers 48.0 %
                  attribute  type    features  bytes   share  values
                  kind       String         3   20 B  20.4 %    10 B
                  n          Number         3   13 B  13.3 %     6 B
                """)
        let lines = parts[2].split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix(title) && lines[1] == "id  type   x,y         attributes")
        #expect(Array(lines.dropFirst(2)) == Array(rows.prefix(count)))
    }

    @Test func `without features to show there is no table of them`() throws {
        let text = try Self.built.get().covey("inspect", "a/", "2/2/1", "--first", "0").output
        #expect(!text.contains("features in p") && text.contains("layer p: 3 Point"))
    }

    @Test func `names and values cannot steer a terminal that the text goes to`() throws {
        let terminal = try Terminal()
        try terminal.write(
            "name,lon,lat,\u{1B}[31mred\u{7},x\na,5,45,\"\u{1B}]0;x\u{7}\",1\n", to: "p.csv")
        let built = try terminal.covey(
            "build", "p.csv", "--format", "csv", "-o", "a.mbtiles", "--max-zoom", "1", "-q")
        #expect(built.exitCode == 0, "\(built.words)")
        for words in [["a.mbtiles"], ["a.mbtiles", "0/0/0"]] {
            let text = try terminal.covey("inspect", with: words).output
            #expect(text.contains("\u{FFFD}[31mred") && !text.contains("\u{1B}"), "\(words)")
            #expect(!text.contains("\u{7}"))
        }
    }

    @Test func `tiles that cannot be read are counted, and one by itself says why`() throws {
        let terminal = try Self.copy()
        let sound = try terminal.covey("inspect", "a/").output
        #expect(!sound.contains("cannot be read"))
        for (tile, line) in [
            ("1/1/0", "\n\n1 tile cannot be read; covey verify says why\n"),
            ("1/0/0", "\n\n2 tiles cannot be read; covey verify says why\n"),
        ] {
            try terminal.write("garbage", to: "a/\(tile).pbf")
            let text = try terminal.covey("inspect", "a/")
            #expect(text.exitCode == 0 && text.output.hasSuffix(line), "\(text.output.suffix(80))")
            for words in [[], ["--json"], ["--geojson"], ["--inflate"]] {
                let one = try terminal.covey("inspect", "a/", tile, with: words)
                #expect(one.exitCode == 1 && one.output.isEmpty, "\(words)")
                #expect(one.words.hasPrefix("covey: a/: tile \(tile): "), "\(one.words)")
            }
            #expect(try terminal.covey("inspect", "a/", tile, "--raw").output == "garbage")
        }
        let other = try Self.copy()
        let whole = other.folder.appending(path: "a").path
        for (words, line) in [([whole, "a/"], "2 tiles of B"), (["a/", whole], "2 tiles of A")] {
            let told = try terminal.covey("diff", with: words)
            #expect(told.output.hasSuffix("\(line) cannot be read; covey verify says why\n"))
        }
    }

    @Test func `of a tile that ends too soon the sound layers are told`() throws {
        let terminal = try Self.copy()
        var bytes = try terminal.bytes("a/2/2/1.pbf")
        bytes.append(contentsOf: [0x1A, 0x05, 0x78, 0x02])
        try bytes.write(to: terminal.folder.appending(path: "cut.mvt"))
        let text = try terminal.covey("inspect", "cut.mvt")
        #expect(text.exitCode == 1 && text.words.hasPrefix("covey: cut.mvt: "), "\(text.words)")
        #expect(text.output.hasPrefix("cut.mvt: 104 bytes, not compressed\n\nlayer p: 3 Point;"))
        for words in [["--geojson"], ["--inflate"]] {
            let refused = try terminal.covey("inspect", "cut.mvt", with: words)
            #expect(refused.exitCode == 1 && refused.output.isEmpty)
        }
        let json = try terminal.covey("inspect", "cut.mvt", "--json")
        #expect(json.exitCode == 1 && json.output.contains(#""bytes": 104"#))
        try Data().write(to: terminal.folder.appending(path: "none.mvt"))
        let none = try terminal.covey("inspect", "none.mvt")
        #expect(none.output == "none.mvt: 0 bytes, not compressed\nno layers\n")
    }
}
