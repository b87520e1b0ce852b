import Testing

@testable import Arguments

/// Lines as fingers type them: glued values, rows of short names, words of another program, slips.
struct LineReadingTests {
    static let output = Option<String?>("output", short: "o", "OUT", "where to")
    static let force = Option<Bool>(flag: "force", short: "f", "replace")
    static let quiet = Option<Bool>(flag: "quiet", short: "q", "say nothing")
    static let radius = Option("cluster-radius", "PIXELS", "how near", default: 50.0)
    static let minZoom = Option("min-zoom", "Z", "the shallowest", default: 0)
    static let maxZoom = Option("max-zoom", "Z", "the deepest", default: 0)
    static let x = Option<String?>("x", "COLUMN", "the longitude")
    static let y = Option<String?>("y", "COLUMN", "the latitude")
    static let noLeaves = Option<Bool>(flag: "no-leaves", "leave them out")

    static let phrasebook = Phrasebook(
        of: "baker",
        [
            Phrase("deepest", short: "z", "Z") { .works(["--max-zoom", $0]) },
            Phrase("spread-out", short: "K", "PIXELS") {
                .instead("--cluster-radius \($0)0", because: "ours are small")
            },
            Phrase("kneading", short: "k") { _ in .nothing(because: "there is no dough") },
            Phrase("rush", short: "r") { _ in .works([]) },
            Phrase("heat", short: "t", "DEGREES") {
                .noted(["--max-zoom", "\($0)0"], because: "ours is colder")
            },
            Phrase("apron", short: "a") { _ in .noted([], because: "hands are clean") },
            Phrase("drawer", short: "p", "LETTERS") { _ in .nothing(because: "") },
            Phrase("no-salt", drawer: "ps") { _ in .nothing(because: "there is no salt") },
            Phrase("no-yeast", drawer: "py") { _ in .works(["--quiet"]) },
        ])

    static let syntax = VerbSyntax(
        operands: [.init("INPUT", "points", count: 0...9)],
        groups: [
            .init(
                "all",
                [
                    output.declaration, force.declaration, quiet.declaration, radius.declaration,
                    minZoom.declaration, maxZoom.declaration, x.declaration, y.declaration,
                    noLeaves.declaration,
                ])
        ], phrasebook: phrasebook)

    @Test func `short options take what is glued to them and stand in rows`() throws {
        let glued = try Self.syntax.parse(["-oa.mbtiles", "-fq", "-", "b"])
        #expect(glued[Self.output] == "a.mbtiles" && glued[Self.force] && glued[Self.quiet])
        #expect(glued.operands == ["-", "b"])
        #expect(try Self.syntax.parse(["-fob"])[Self.output] == "b")
        #expect(try Self.syntax.parse(["-o=c"])[Self.output] == "c")
    }

    @Test func `words of another program work where they mean the same`() throws {
        #expect(try Self.syntax.parse(["-z7"])[Self.maxZoom] == 7)
        #expect(try Self.syntax.parse(["--deepest=8", "-r"])[Self.maxZoom] == 8)
        #expect(try Self.syntax.parse(["-rfz", "9"])[Self.maxZoom] == 9)
        #expect(try Self.syntax.parse(["-py"])[Self.quiet])
    }

    @Test func `a word that means an option of another verb is unknown`() {
        let other = VerbSyntax(
            operands: [.init("INPUT", "points")],
            groups: [.init("all", [Self.output.declaration])], phrasebook: Self.phrasebook)
        for words in [["-z7"], ["--deepest", "7"], ["-t", "1"]] {
            let error = #expect(throws: UsageError.self) { try other.parse(["a"] + words) }
            let told = error.map { "\($0)" } ?? ""
            #expect(
                told.hasPrefix("there is no option ") || told.contains(" is an option of baker"),
                "\(words): \(told)")
        }
    }

    @Test func `words that are taken for others are told of, in their order`() throws {
        let line = try Self.syntax.parse(["-t1", "a", "--apron"])
        #expect(line[Self.maxZoom] == 10 && line.operands == ["a"])
        #expect(
            line.notes == [
                "-t 1 is read as --max-zoom 10: ours is colder",
                "--apron changes nothing here: hands are clean",
            ])
        #expect(try Self.syntax.parse(["-z7", "-r", "b"]).notes.isEmpty)
    }

    @Test func `an empty word is no operand`() {
        let error = #expect(throws: UsageError.self) { try Self.syntax.parse(["a", "", "b"]) }
        #expect(error?.description.hasPrefix("a word of the line is empty\n") ?? false)
        // What is wrong behind it is told as well.
        let both = #expect(throws: UsageError.self) { try Self.syntax.parse(["", "--zzz"]) }
        #expect(both?.problems.count == 2)
        #expect(both?.problems.last == .unknownOption("--zzz", nearest: nil))
    }

    @Test(arguments: [["-o", ""], ["--output", ""], ["--output="], ["-z", ""]])
    func `an empty word is no value`(words: [String]) {
        let error = #expect(throws: UsageError.self) { try Self.syntax.parse(words) }
        #expect(error?.description.contains(" needs a value\nwrite ") ?? false)
    }

    @Test func `everything that is wrong with a line is said at once`() {
        let words = ["-K", "4", "a", "-k", "--max-zoom", "x", "--zzz", "-psX", "-o"]
        let error = #expect(throws: UsageError.self) { try Self.syntax.parse(words) }
        #expect(
            error?.problems == [
                .foreignOption(
                    "-K 4", of: "baker", .instead("--cluster-radius 40", because: "ours are small")),
                .foreignOption("-k", of: "baker", .nothing(because: "there is no dough")),
                .unreadableValue(option: "--max-zoom", value: "x", expected: "a whole number"),
                .unknownOption("--zzz", nearest: nil),
                .foreignOption("-ps", of: "baker", .nothing(because: "there is no salt")),
                .unknownOption("-pX", nearest: nil),
                .missingValue(option: "-o", placeholder: "OUT"),
            ])
    }

    @Test(arguments: [
        ("--clusterRadius", "--cluster-radius"), ("--cluster_radius", "--cluster-radius"),
        ("--radius", "--cluster-radius"), ("-cluster-radius", "--cluster-radius"),
        ("-force", "--force"), ("--mix-zoom", "--min-zoom or --max-zoom"),
        ("--mn-zoom", "--min-zoom"),
        ("--maz-zoom", "--max-zoom"), ("--deepst", nil), ("-y", nil), ("-x", nil), ("--z", nil),
        ("--cluster-min-zoom", nil), ("--w", nil), ("--zoom", "--min-zoom or --max-zoom"),
    ])
    func `a suggestion never names another meaning`(word: String, meant: String?) {
        let error = #expect(throws: UsageError.self) { try Self.syntax.parse([word]) }
        if word == "--deepst" {
            #expect(error == .foreignOption(word, of: "baker", .works(["--max-zoom", "Z"])))
        } else {
            #expect(error == .unknownOption(word, nearest: meant))
        }
    }

    @Test func `the opposite of a switch is no slip for it`() {
        #expect(throws: UsageError.alreadySo("--leaves", opposite: "--no-leaves")) {
            try Self.syntax.parse(["--leaves"])
        }
        #expect(throws: UsageError.alreadySo("--no-force", opposite: "--force")) {
            try Self.syntax.parse(["--no-force"])
        }
    }

    @Test(arguments: [
        (Phrase.Answer.works(["--a", "1"]), "write --a 1"),
        (.noted(["--a", "1"], because: "b"), "write --a 1: b"),
        (.noted([], because: "b"), "leave it out: b"),
        (.instead("--b", because: "c"), "write --b: c"),
        (.nothing(because: "d"), "leave it out: d"),
    ])
    func `an answer is a line of advice`(answer: Phrase.Answer, text: String) {
        let error = UsageError.foreignOption("-z", of: "baker", answer)
        #expect(error.description == "-z is an option of baker\n\(text)")
    }
}
