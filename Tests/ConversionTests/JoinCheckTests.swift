import ArchiveContract
import Geometry
import JSON
import Testing
import TileArchive

@testable import Conversion

/// Each reason for which archives are not joined, by all of its words; and what is told of those that are.
struct JoinCheckTests {
    private typealias Told = ToldArchive

    private static func check(
        _ archives: [Archive], zooms: ClosedRange<Int> = 0...31
    ) -> JoinCheck {
        JoinCheck(archives: archives, plan: JoinPlan(archives), zooms: zooms)
    }

    /// What is said where they are refused; nil where they are not.
    private static func refusal(
        _ archives: [Archive], zooms: ClosedRange<Int> = 0...31
    ) -> String? {
        do {
            try check(archives, zooms: zooms).refuse()
        } catch {
            return error.description
        }
        return nil
    }

    private static let plain = Told.archive("a", [Told.layer("p")])

    @Test func `archives that are alike in what must be are joined`() {
        let other = Told.archive("b", [Told.layer("p"), Told.layer("q", leaves: 10..<30)])
        #expect(Self.refusal([Self.plain, other]) == nil)
    }

    @Test func `what an archive is may keep it from being joined`() {
        let picture = Told.archive("b", []) { $1.format = "png" }
        #expect(
            Self.refusal([Self.plain, picture])
                == "b: its tiles are png, not vector tiles\n"
                + "only vector tiles have layers that can be put side by side")
        let thin = Told.archive("b", [Told.layer("q")]) { told, _ in told.variableDepth = 3 }
        #expect(
            Self.refusal([Self.plain, thin])
                == "b was built with --variable-depth: a tile of another archive would hide what its "
                + "ancestors show\nbuild it again without --variable-depth")
        let broken = Told.archive("b", []) { $1.covey = ["layers": 7] }
        let words = Self.refusal([Self.plain, broken])
        #expect(words?.hasPrefix("b: the metadata row 'covey' makes no sense: ") == true)
        #expect(
            words?.hasSuffix("\nits clusters cannot be renumbered; build it again") == true)
        // Where there are no clusters, none are numbered.
        let unasked = Told.archive("b", [], hasClusters: false) { $1.covey = ["layers": 7] }
        #expect(Self.refusal([Self.plain, unasked]) == nil)
    }

    @Test func `buffers must be the same, of archives with clusters and without`() {
        for hasClusters in [true, false] {
            let wide = Told.archive("b", [Told.layer("q")], hasClusters: hasClusters) { told, _ in
                told.buffer = 20
            }
            #expect(
                Self.refusal([Self.plain, Self.plain, wide])
                    == "a was built with a buffer of 8.0 pixels, b with 20.0\n"
                    + "build one of them again with the --buffer of the other")
        }
    }

    @Test func `together they have as many layers as ids tell apart`() {
        let many = (0..<31).map {
            Told.layer("l\($0)", leaves: Int64($0) * 10..<Int64($0) * 10 + 10)
        }
        let last = Told.archive("b", [Told.layer("x")])
        #expect(Self.refusal([Told.archive("a", many), last]) == nil)
        let two = Told.archive("b", [Told.layer("x"), Told.layer("y", leaves: 10..<20)])
        #expect(
            Self.refusal([Told.archive("a", many), two])
                == "together they have 33 layers with clusters, and an archive has at most 32\n"
                + "join fewer of them")
    }

    @Test func `a layer of two archives has the same zooms in both, or in what is taken of them`() {
        func words(_ a: String, _ b: String) -> String {
            "layer p has zooms \(a) in a and \(b) in b\n"
                + "build both to the same zooms, or one with --layer and another name"
        }
        for (first, second, zooms, refusal) in [
            (0...5, 0...5, 0...31, nil), (0...5, 1...5, 0...31, words("0 to 5", "1 to 5")),
            (1...5, 0...5, 0...31, words("1 to 5", "0 to 5")), (1...5, 0...5, 1...31, nil),
            (2...5, 0...5, 1...31, words("2 to 5", "0 to 5")), (2...5, 1...5, 3...4, nil),
            (0...5, 0...6, 0...31, words("0 to 5", "0 to 6")), (0...5, 0...6, 0...4, nil),
            (0...6, 0...5, 0...4, nil), (0...5, 0...6, 0...5, words("0 to 5", "0 to 6")),
            (0...6, 0...5, 0...5, words("0 to 6", "0 to 5")),
            (nil, 0...0, 0...31, nil), (nil, 0...5, 0...31, words("0 to 0", "0 to 5")),
        ] as [(ClosedRange<UInt8>?, ClosedRange<UInt8>?, ClosedRange<Int>, String?)] {
            let archives = [("a", first), ("b", second)].map {
                Told.archive($0.0, [Told.layer("p")], zooms: $0.1)
            }
            #expect(Self.refusal(archives, zooms: zooms) == refusal, "\(archives.map(\.path))")
        }
    }

    @Test func `a layer of two archives has one extent, and no bins`() {
        let fine = Told.archive("b", [Told.layer("p")]) { told, _ in told.extent = 512 }
        #expect(
            Self.refusal([Self.plain, fine])
                == "layer p has different extents in a and b\n"
                + "build one of them again with the --extent of the other")
        let binned = Told.archive(
            "b", [Told.layer("p") { $0.bins = .init(Bins(.hexagon), maxZoom: 3) }])
        for archives in [[Self.plain, binned], [binned, Self.plain]] {
            #expect(
                Self.refusal(archives)
                    == "layer p has bins in b, which count only the points there\n"
                    + "build one of them with --layer and another name, or both without --bins")
        }
        let apart = Told.archive("c", [Told.layer("q")]) { told, _ in told.extent = 512 }
        #expect(Self.refusal([Self.plain, apart, binned]) != nil)
        #expect(Self.refusal([apart, binned]) == nil)
    }

    @Test func `a layer is in an index in all archives that have it, or in none`() {
        let bare = Told.archive("b", [Told.layer("p")], hasClusters: false)
        for archives in [[Self.plain, bare], [bare, Self.plain]] {
            #expect(
                Self.refusal(archives)
                    == "layer p has a cluster index in a and none in b\n"
                    + "build one again with another layer name, or both with the index, "
                    + "or both without it")
        }
        let other = Told.archive("c", [Told.layer("q")], hasClusters: false)
        #expect(Self.refusal([Self.plain, other]) == nil && Self.refusal([bare, other]) == nil)
    }

    @Test func `layers whose names only look alike are no layer`() {
        let composed = Told.archive("a", [Told.layer("Caf\u{E9}")])
        let apart = Told.archive("b", [Told.layer("Cafe\u{301}")])
        #expect(
            Self.refusal([composed, apart])?.contains("with other bytes in a than in b") == true)
        #expect(Self.refusal([apart, Self.plain]) == nil)
    }

    @Test func `a layer is not called as one that stands beside another`() {
        let heated = Told.archive("a", [Told.layer("p") { $0.heatMaxZoom = 3 }]) { _, metadata in
            metadata.vectorLayers.append(VectorLayer(id: "p_heat", fields: []))
        }
        let namesake = Told.archive("b", [Told.layer("p_heat")])
        for archives in [[heated, namesake], [namesake, heated]] {
            #expect(
                Self.refusal(archives)
                    == "b has a layer p_heat, the name of a companion of layer p in a\n"
                    + "build one of them again with another layer name")
        }
        // Beside the same layer of another archive it may stand, too.
        let second = Told.archive("b", [Told.layer("p") { $0.heatMaxZoom = 2 }]) { _, metadata in
            metadata.vectorLayers.append(VectorLayer(id: "p_heat", fields: []))
        }
        #expect(Self.refusal([heated, second]) == nil)
    }

    @Test func `what differs between archives that are joined is told`() {
        func ends(_ path: String, _ end: Int, _ deepest: Int) -> String {
            "\(path) ends at zoom \(end): maps show nothing of its layers below; build it to zoom "
                + "\(deepest), or join with --max-zoom \(end)"
        }
        let archives = [("a", 3), ("b", 5), ("c", 4)].map { path, end in
            Told.archive(path, [Told.layer(path)], zooms: 0...end)
        }
        #expect(Self.check(archives).notes == [ends("a", 3, 5), ends("c", 4, 5)])
        #expect(Self.check(archives, zooms: 0...4).notes == [ends("a", 3, 4)])
        #expect(Self.check(archives, zooms: 0...3).notes == [])
        let endless = Told.archive("d", [Told.layer("d")], zooms: nil)
        #expect(Self.check([endless, Self.plain]).notes == [])
        let bare = Told.archive("b", [Told.layer("q")], hasClusters: false)
        #expect(
            Self.check([Self.plain, bare]).notes == [
                "b has no index: the ids of its clusters stay as they are, may equal others, and "
                    + "cannot be looked up"
            ])
        let apart =
            "layer p is in several archives: its points were clustered apart, so clusters of one may "
            + "lie on those of another"
        let rules = "layer p: its archives were clustered by different rules"
        for (layer, notes) in [
            (Told.layer("p"), [apart]), (Told.layer("p", maxZoom: 3), [apart, rules]),
            (Told.layer("p") { $0.clustering?.minPoints = 3 }, [apart, rules]),
            (Told.layer("o"), []),
        ] {
            #expect(Self.check([Self.plain, Told.archive("b", [layer])]).notes == notes)
        }
    }
}
