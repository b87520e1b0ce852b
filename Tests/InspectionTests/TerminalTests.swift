import Foundation
import Testing

/// What the program writes, as a terminal of 80 columns shows it.
struct TerminalTests {
    /// The program that was built beside these tests.
    private static let program = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "covey")

    private func run(_ words: String..., in folder: URL) throws -> (text: String, code: Int32) {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = words
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    @Test func `verify says what is wrong, where, and how often`() throws {
        let file = try SampleFile(points: 300)
        let fine = try run("verify", "sample.mbtiles", in: file.folder)
        #expect(fine.code == 0)
        #expect(
            fine.text == #"""
                sample.mbtiles: 371 tiles decoded, clusters held against their index
                all is well

                """#)
        try file.change("UPDATE metadata SET value = '3' WHERE name = 'minzoom'")
        try file.change("UPDATE covey_clusters SET up = NULL WHERE key > 8000")
        let damaged = try run("verify", "sample.mbtiles", in: file.folder)
        #expect(damaged.code == 1)
        #expect(
            damaged.text == #"""
                sample.mbtiles: 371 tiles decoded, clusters held against their index

                error zooms: minzoom is 3, but the tiles' is 0

                error center: the center's zoom lies outside the archive's zooms
                    0

                error hierarchy: a cluster's parent is not the cluster around it (18 times)
                    cluster 8580
                    cluster 8673
                    cluster 8769
                    cluster 8898
                    cluster 8993
                    and 13 more

                """#)
    }

    @Test func `clusters of strangers are not held against rules that are not theirs`() throws {
        let file = try SampleFile(points: 300)
        try file.change("DELETE FROM metadata WHERE name = 'covey'")
        let foreign = try run("verify", "sample.mbtiles", in: file.folder).text
        #expect(
            foreign.hasPrefix(
                "sample.mbtiles: 371 tiles decoded, the archive does not describe its clusters, so only their "
                    + "tiles were checked\n"))
        // What has no clusters needs no word about them.
        try file.change("DELETE FROM tiles WHERE zoom_level < 5")
        try file.change("DROP TABLE covey_clusters; DROP TABLE covey_leaf_blocks")
        let plain = try run("verify", "sample.mbtiles", in: file.folder).text
        #expect(plain.hasPrefix("sample.mbtiles: 202 tiles decoded\n"), "\(plain)")
    }

    @Test func `inspect fits 80 columns`() throws {
        let file = try SampleFile(points: 300)
        let archive = try run("inspect", "sample.mbtiles", in: file.folder)
        #expect(archive.text == Self.archiveText)
        let tile = try run("inspect", "sample.mbtiles", "0/0/0", in: file.folder)
        #expect(tile.text == Self.tileText)
        for line in (archive.text + tile.text).split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    private static let archiveText = #"""
        sample.mbtiles
          name         Sample
          size         106 kB
          container    MBTiles, pbf, flat table
          made by      covey tests
          zooms        0–5
          bounds       -147.41174,-80.59058,174.56938,83.64995
          center       13.57882,1.52969 at zoom 0
          clusters     with an index and all points beside the tiles

        layer   zooms  fields
        sample  0–5    cluster Boolean, cluster_id Number, expansion_zoom Number, name …

        zoom      tiles    bytes  average    features   clusters      points        top
           0          1   1.4 kB   1.4 kB          39         35         300         49
           1          4   3.6 kB    902 B         106         56         300         17
           2         15   6.8 kB    456 B         205         58         300          8
           3         41   9.4 kB    228 B         273         39         300          4
           4        108  12.7 kB    118 B         313         10         300          2
           5        202  16.2 kB     80 B         323          0         300          –

        features counts margin copies, points and clusters do not; top is the
        largest cluster's count

        zoom  smallest tile          largest tile          largest cluster in
           0         1.4 kB  0/0/0         1.4 kB  0/0/0   0/0/0
           1          598 B  1/0/1         1.2 kB  1/0/0   1/0/0
           2           66 B  2/0/3         1.3 kB  2/2/1   2/1/1
           3           66 B  3/1/7         1.0 kB  3/3/2   3/3/2
           4           65 B  4/13/9         515 B  4/7/4   4/5/4
           5           65 B  5/3/9          249 B  5/15/9  –

        tiles up to                                            tiles
              128 B  ████████████████████████████████████████  289
              256 B  ███████                                   48
              512 B  ██                                        18
             1.0 kB  ██                                        11
             2.0 kB  █                                         5

        layer sample: 1,259 Point; zooms 0–5; extent 4096; version 2
          40.9 kB inflated: geometry 15.2 %, tags 10.1 %, keys 9.2 %, values 17.5 %,
            headers 47.9 %
          attribute                type     features   bytes   share  values
          name                     String      1,056  9.6 kB  23.4 %  6.0 kB
          point_count_abbreviated  String        203  1.5 kB   3.6 %   279 B
          cluster_id               Number        203  1.4 kB   3.3 %   609 B
          expansion_zoom           Number        203   976 B   2.4 %    80 B
          point_count              Number        203   953 B   2.3 %   162 B
          cluster                  Boolean       203   721 B   1.8 %    70 B

        """#

    private static let tileText = #"""
        tile 0/0/0: 1,447 bytes gzip, 1,424 inflated

        layer sample: 39 Point; zoom 0; extent 4096; version 2
          1.4 kB inflated: geometry 13.7 %, tags 25.2 %, keys 4.9 %, values 15.1 %,
            headers 41.1 %
          attribute                type     features  bytes   share  values
          cluster_id               Number         35  185 B  13.0 %   105 B
          point_count_abbreviated  String         35  146 B  10.3 %    53 B
          point_count              Number         35  111 B   7.8 %    30 B
          expansion_zoom           Number         35   86 B   6.1 %     2 B
          cluster                  Boolean        35   79 B   5.6 %     2 B
          name                     String          4   35 B   2.5 %    23 B

        first 5 of 39 features in sample:
          id  type   x,y       attributes
         512  Point  759,789   cluster=true cluster_id=512 point_count=3 point_count_ab…
         609  Point  1625,414  cluster=true cluster_id=609 point_count=2 point_count_ab…
         672  Point  1277,740  cluster=true cluster_id=672 point_count=8 point_count_ab…
         928  Point  1791,795  cluster=true cluster_id=928 point_count=14 point_count_a…
        1376  Point  423,1237  cluster=true cluster_id=1376 point_count=3 point_count_a…

        """#

    @Test func `clusters and diff end with the codes that scripts expect`() throws {
        let file = try SampleFile(points: 300)
        #expect(try run("clusters", "sample.mbtiles", "7", in: file.folder).code == 1)
        #expect(try run("clusters", "sample.mbtiles", in: file.folder).code == 2)
        #expect(try run("diff", "sample.mbtiles", "sample.mbtiles", in: file.folder).code == 0)
        let root = try run(
            "clusters", "sample.mbtiles", "512", "--depth", "1", "--tree", in: file.folder)
        #expect(
            root.text == #"""
                3 points, id 512, until zoom 0
                  · name="p223"
                  · name="p290"
                  · name="p164"

                """#)
        let other = file.sibling("other.mbtiles")
        try FileManager.default.copyItem(atPath: file.path, toPath: other)
        try file.change("DELETE FROM tiles WHERE zoom_level = 0")
        #expect(try run("diff", "sample.mbtiles", "other.mbtiles", in: file.folder).code == 1)
        #expect(try run("diff", "sample.mbtiles", "absent.mbtiles", in: file.folder).code == 2)
    }
}
