import Geometry
import TestSupport
import Testing

@testable import TileService

/// What is asked at each tile without a copy, held against slower readings of the same.
struct PlainPathTests {
    /// The same by a pattern.
    private static func found(_ path: String, below base: String) -> (id: String, tile: TileID)? {
        var rest = Substring(path)
        if !base.isEmpty, path.hasPrefix(base + "/") { rest = path.dropFirst(base.count) }
        let pattern = /\/([^\/]*)\/([0-9]{1,10})\/([0-9]{1,10})\/([0-9]{1,10})(\.pbf|\.mvt)?/
        guard let match = rest.wholeMatch(of: pattern), let z = Int(match.2), let x = Int(match.3),
            let y = Int(match.4), let tile = TileID(zoom: z, column: x, row: y)
        else { return nil }
        return (String(match.1), tile)
    }

    @Test(arguments: 0..<6, ["", "/tiles", "/a/b"])
    func `a tile is found in the bytes of a path as a pattern finds it`(seed: UInt64, base: String)
    {
        var random = SeededRandom(seed: seed)
        let parts = [
            "/", "/", "/a", "/tiles", "/1", "/3", "/07", "/2", ".pbf", ".mvt", ".pbx", ".", "x",
            "/12345678901",
            "/1234567890", "/é",
        ]
        var found = 0
        for number in 0..<600 {
            var path = number % 2 == 0 ? base : ""
            if number % 3 == 0 {
                for _ in 0..<random.next() % 6 {
                    path += parts[Int(random.next() % UInt64(parts.count))]
                }
            } else {
                let zoom = random.next() % 6
                path += "/id/\(zoom)/\(random.next() % 20)/\(random.next() % 20)"
                path += ["", ".pbf", ".mvt", ".png", ".pb", "/"][Int(random.next() % 6)]
            }
            let bytes = Array(path.utf8)
            let own = TilePath(bytes.span, below: Array(base.utf8))
            let other = Self.found(path, below: base)
            #expect(own?.tile == other?.tile, "\(path)")
            #expect(
                own.map { String(decoding: bytes[$0.id], as: UTF8.self) } == other?.id, "\(path)")
            if own != nil { found += 1 }
        }
        #expect(found > 40)
    }

    @Test(
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZip", true), ("x-gzip", true),
            ("br", false),
            ("br, gzip", true), ("gzip;q=0", false), ("gzip; Q=0.000", false),
            ("gzip;q=0.001", true), ("*", true),
            ("*;q=0", false), ("*, gzip;q=0", false), ("gzip, *;q=0", true), ("gzip;q=1;a=0", true),
            ("gzip;a=0", true), (" gzip\t", true), ("deflate, \tgzip ;q=0.5", true),
            ("gzipx", false),
            ("identity", false), (",gzip", true), ("gzip;q", true), ("gzip ; q = 0", false),
        ] as [(String?, Bool)])
    func `gzip is taken where it is named or all is, and not where it weighs nothing`(
        header: String?, hasGzip: Bool
    ) {
        #expect(AcceptedEncodings(header).hasGzip == hasGzip)
        guard let header else { return }
        let bytes = Array(header.utf8)
        // A quick look finds no more, and all that browsers write.
        if AcceptedEncodings.plainlyHasGzip(bytes.span) { #expect(hasGzip) }
    }

    @Test(arguments: [
        ("gzip", true), ("gzip, deflate, br, zstd", true), ("br,gzip", true), ("br gzip", true),
        ("gzip;q=1", false),
        ("br;q=1, gzip", false), ("GZIP", false), ("xgzip", false), ("gzipgzip", false),
        ("aaaaaaaagzip", false),
        ("gzi p", false), ("", false), ("x, aaaaaaaaaaaaa, gzip", true), ("gzipaaaaaaaa", false),
    ])
    func `the quick look takes what is plainly gzip`(header: String, isFound: Bool) {
        let bytes = Array(header.utf8)
        #expect(AcceptedEncodings.plainlyHasGzip(bytes.span) == isFound)
    }

    @Test func `what is lent once is lent again, unless an error spoilt it`() throws {
        enum Fault: Error { case harmless, spoilt }
        let pool = Pool<Int>()
        var made = 0
        func use(_ body: (inout Int) throws(Fault) -> Int) throws(Fault) -> Int {
            try pool.withItem(
                make: { () throws(Fault) in
                    made += 1
                    return 100 * made
                }, isHarmless: { $0 == .harmless }, body)
        }
        func count(_ item: inout Int) throws(Fault) -> Int {
            item += 1
            return item
        }
        #expect(try use(count) == 101 && use(count) == 102)
        #expect(throws: Fault.harmless) { try use { (_) throws(Fault) in throw .harmless } }
        #expect(try use(count) == 103 && made == 1)
        #expect(throws: Fault.spoilt) { try use { (_) throws(Fault) in throw .spoilt } }
        #expect(try use(count) == 201 && made == 2)
        // Two at once are two.
        let both = try use { (outer) throws(Fault) in try count(&outer) * 1_000 + use(count) }
        #expect(both == 202_301 && made == 3)
    }
}
