import Testing

@testable import Arguments

/// Both sides of every limit that lines and their help pages have, and each sentence once.
struct LineEdgeTests {
    private static func missing(_ operands: [VerbSyntax.Operand], _ words: Int) -> UsageError? {
        do throws(UsageError) {
            _ = try VerbSyntax(operands: operands).parse((0..<words).map { "w\($0)" })
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ([1...1, 0...2, 2...2], ["A", "C", "C", nil, nil, nil, "w5", "w5"]),
            ([2...3, 1...1], ["A", "A", "B", nil, nil, "w4"]),
            ([0...0], [nil, "w0"]), ([0...2], [nil, nil, nil, "w2"]),
            ([0...2, 1...1, 1...1], ["B", "C", nil, nil, nil, "w4"]),
            ([1...Int.max], ["A", nil, nil]), ([1...Int.max, 1...1], ["A", "B", nil, nil]),
        ] as [([ClosedRange<Int>], [String?])])
    func `of too few words the first operand without one is told, and of too many the first`(
        counts: [ClosedRange<Int>], answers: [String?]
    ) {
        let operands = zip(["A", "B", "C"], counts).map {
            VerbSyntax.Operand($0, "", count: $1)
        }
        for (count, answer) in answers.enumerated() {
            let error: UsageError? = answer.map {
                $0.hasPrefix("w") ? .extraArgument($0) : .missingArgument($0)
            }
            #expect(Self.missing(operands, count) == error, "\(count) words")
        }
    }

    @Test(arguments: [
        (UsageError.unknownVerb("a", nearest: "b"), "there is no verb a\ndid you mean b?"),
        (.unknownVerb("a", nearest: nil), "there is no verb a\ncovey help lists the verbs"),
        (.unknownOption("-a", nearest: "-b"), "there is no option -a\ndid you mean -b?"),
        (.unknownOption("-a", nearest: nil), "there is no option -a\n--help lists the options"),
        (.alreadySo("-a", opposite: "-b"), "-a is so unless -b says otherwise\nleave it out"),
        (.missingValue(option: "-a", placeholder: "N"), "-a needs a value\nwrite -a N"),
        (
            .unexpectedValue(option: "-a", value: "1"),
            "-a is a switch and takes no value\nleave out =1"
        ),
        (
            .unreadableValue(option: "-a", value: "x", expected: "a number"),
            "-a x: this should be a number"
        ),
        (.repeatedOption("-a"), "-a is given twice\nleave one out"),
        (.missingArgument("IN"), "IN is missing\n--help shows what goes where"),
        (.extraArgument("x"), "x is one argument too many\n--help shows what goes where"),
        (.contradiction("a", remedy: "b"), "a\nb"),
        (
            .several([.repeatedOption("-a"), .contradiction("b", remedy: "c")]),
            "-a is given twice\nleave one out\nb\nc"
        ),
    ])
    func `each error has a sentence and what to do`(error: UsageError, text: String) {
        #expect(error.description == text)
        if case .several(let all) = error {
            #expect(error.problems == all)
        } else {
            #expect(error.problems == [error])
        }
    }

    // MARK: Options

    private static let turn = Option(
        words: "turn", "N", "turn it", takes: .valueOrNothing
    ) { text throws(ValueError) in _ = try Int(argument: text) }
    private static let quiet = Option<Bool>(flag: "quiet", short: "q", "say nothing")
    private static let syntax = VerbSyntax(groups: [
        .init("all", [turn.declaration, quiet.declaration])
    ])

    @Test func `a switch may be given twice, and one that carries a value may not`() throws {
        #expect(try Self.syntax.parse(["-q", "-q"])[Self.quiet])
        for words in [["--turn", "--turn"], ["--turn=1", "--turn=2"], ["--turn", "--turn=1"]] {
            #expect(throws: UsageError.repeatedOption("--turn")) { try Self.syntax.parse(words) }
        }
        let plain = try Self.syntax.parse(["--turn"])
        let none = try Self.syntax.parse([])
        #expect(plain[Self.turn] == [""] && none[Self.turn].isEmpty)
        #expect(plain.has(Self.turn) && !none.has(Self.turn))
    }

    @Test func `a word behind a switch with a value is none of its own`() throws {
        let error = UsageError.extraArgument("5")
        #expect(throws: error) { try Self.syntax.parse(["--turn", "5"]) }
        #expect(
            throws: UsageError.unreadableValue(
                option: "--turn", value: "x", expected: "a whole number")
        ) {
            try Self.syntax.parse(["--turn=x"])
        }
    }

    @Test(arguments: ["inf", "-inf", "nan", "1e999", "", "1,5"])
    func `what is no finite number is no number`(text: String) {
        #expect(throws: ValueError(expected: "a number")) { try Double(argument: text) }
        #expect(throws: ValueError(expected: "a whole number")) { try Int(argument: text) }
    }

    @Test(arguments: [
        ("FILE", true), ("DIR", true), ("OUT", true), ("IN", true), ("INPUT", true),
        ("PATH", true), ("DIR|URL", true), ("recipe.json", true), (".json", true),
        ("a.FILE", false), ("N", false), ("URL", false), ("json", false), ("", false),
    ])
    func `a shell completes files where a placeholder says so`(placeholder: String, holds: Bool) {
        let option = OptionDeclaration(
            name: "a", placeholder: placeholder, help: "", takes: .value)
        #expect(option.takesFile == holds)
    }

    // MARK: Suggestions

    @Test(
        arguments: [
            // As many as three that hold the word are told.
            (
                ["alpha-size", "bravo-size", "charlie-size"], "size",
                "--alpha-size or --bravo-size or --charlie-size"
            ),
            (["alpha-size", "bravo-size", "charlie-size", "delta-size"], "size", nil),
            // A part of a name is a whole word of it, of three letters at least.
            (["blocksize"], "size", nil), (["a-big-one"], "big", "--a-big-one"),
            (["a-bi-one"], "bi", nil), (["size-of-all"], "size", "--size-of-all"),
            // Words that mean something else.
            (["include"], "exclude", nil), (["minimum-size"], "maximum-size", nil),
            (["no-heat"], "no-heta", "--no-heat"), (["no-heat"], "nn-heat", nil),
            (["x-column"], "y-column", nil), (["x-column"], "w-column", "--x-column"),
            // However words are parted.
            (["a-b-c-d-e"], "abcde", "--a-b-c-d-e"), (["a-b-c-d-e"], "a_b_c_d_e", "--a-b-c-d-e"),
            (["a-b-c-d-e"], "A_BCdE", "--a-b-c-d-e"),
            (["cluster-radius"], "clusteradios", "--cluster-radius"),
        ] as [([String], String, String?)])
    func `what is suggested for a word holds it, or is a slip away`(
        names: [String], word: String, meant: String?
    ) {
        let options = names.map { Option<String?>($0, "V", "").declaration }
        let syntax = VerbSyntax(groups: [.init("all", options)])
        #expect(throws: UsageError.unknownOption("--" + word, nearest: meant)) {
            try syntax.parse(["--" + word, "1"])
        }
    }

    // MARK: Help

    /// A verb whose whole page has so many lines.
    private static func verb(lines: Int) -> ProgramSyntax.Verb {
        // Title, usage, examples and the blank lines between them are eight, with the group's title.
        let options = (0..<lines - 8).map { Option<Bool>(flag: "o\($0)", "x; y").declaration }
        return .init(
            "bake", summary: "bakes", usage: "bake", examples: ["bake"],
            syntax: VerbSyntax(groups: [.init("all", options)], common: ["o3", "o1"]))
    }

    @Test func `a page that fits a screen of 24 lines is whole, and a longer one is cut`() {
        for (lines, isWhole) in [(23, true), (24, true), (25, false)] {
            let verb = Self.verb(lines: lines)
            let whole = verb.help(of: "baker", .all)
            #expect(whole.split(separator: "\n", omittingEmptySubsequences: false).count == lines)
            let page = verb.help(of: "baker", .screen)
            #expect((page == whole) == isWhole)
            guard !isWhole else { continue }
            #expect(
                page.hasSuffix("\n\nbaker bake --help=all shows all \(lines - 8) options."))
            // The common options, in their order, with the first that is to be said.
            #expect(page.contains("\n  --o3\(String(repeating: " ", count: 24))x\n  --o1 "))
        }
    }

    @Test(arguments: [(26, "  "), (27, " "), (28, "\n" + String(repeating: " ", count: 30))])
    func `help begins beside its name where there is room`(length: Int, gap: String) {
        let name = String(repeating: "a", count: length)
        #expect(HelpTable(title: nil, [(name, "b c")]).text == "  \(name)\(gap)b c")
    }

    @Test func `help goes on below itself where it is wider than fifty columns`() {
        let indent = String(repeating: " ", count: 30)
        for (length, isWhole) in [(48, true), (49, false)] {
            let long = String(repeating: "x", count: length)
            let text = HelpTable(title: nil, [("a", long + " y z")]).text
            let first = "  a" + indent.dropFirst(3) + long
            #expect(text == first + (isWhole ? " y\n\(indent)z" : "\n\(indent)y z"))
        }
    }

    @Test(arguments: [
        (WordsForm.nothing, "--a", [[]]), (.value, "--a V", [["1"]]),
        (.valueOrNothing, "--a[=V]", [["1"]]), (.repeatedValue, "--a V", [["1"], ["1", "2"]]),
    ])
    func `an option of words takes as many as its form says`(
        form: WordsForm, spelling: String, values: [[String]]
    ) throws {
        let option = Option(words: "a", "V", "h", takes: form, choices: ["1"]) {
            text throws(ValueError) in
            if text == "9" { throw ValueError(expected: "no nine") }
        }
        let repeats = form == .repeatedValue
        #expect(option.declaration.longSpelling == spelling)
        #expect(option.declaration.explanation == (repeats ? "h (may be repeated)" : "h"))
        #expect(option.declaration.choices == ["1"])
        let syntax = VerbSyntax(groups: [.init("all", [option.declaration])])
        for given in values {
            let line = given.isEmpty ? ["--a"] : given.map { "--a=\($0)" }
            let read = try syntax.parse(line)[option]
            #expect(read == (given.isEmpty ? [""] : given))
        }
        if form != .nothing {
            #expect(
                throws: UsageError.unreadableValue(option: "--a", value: "9", expected: "no nine")
            ) {
                try syntax.parse(["--a=9"])
            }
            if !repeats {
                #expect(throws: UsageError.repeatedOption("--a")) {
                    try syntax.parse(["--a=1", "--a=2"])
                }
            }
        }
    }

    @Test func `a number that is whole stands in help as people write it`() {
        let texts = [50.0, 2.5, 1_000_000].map { Option("a", "N", "h", default: $0) }
        #expect(
            texts.map(\.declaration.explanation) == [
                "h (default 50)", "h (default 2.5)", "h (default 1000000)",
            ])
        let many = Option<[String]>(repeated: "a", "V", "h").declaration
        #expect(many.explanation == "h (may be repeated)" && many.longSpelling == "--a V")
    }
}
