import Arguments
import Spelling
import Testing

struct ArgumentsTests {
    enum Order: String, ArgumentChoice { case stable, input }

    static let radius = Option("radius", "PIXELS", "how near", default: 50.0)
    static let output = Option<String?>("output", short: "o", "FILE", "where to")
    static let aggregates = Option<[String]>(repeated: "aggregate", "NAME=OP", "what to sum up")
    static let force = Option<Bool>(flag: "force", "replace")
    static let skip = Option(
        words: "skip-invalid", "N", "go on", takes: .valueOrNothing
    ) { text throws(ValueError) in _ = try Int(argument: text) }
    static let order = Option("order", "ORDER", "who comes first", default: Order.stable)
    static let syntax = VerbSyntax(
        operands: [.init("INPUT", "points", count: 1...3)],
        groups: [
            .init(
                "all",
                [
                    radius.declaration, output.declaration, aggregates.declaration,
                    force.declaration, skip.declaration, order.declaration,
                ])
        ])

    @Test func `every spelling of an option is read`() throws {
        let arguments = try Self.syntax.parse([
            "a", "--radius=12.5", "-o", "out", "--aggregate", "x=sum", "--aggregate=y=max",
            "--force", "--skip-invalid=9", "--order", "input", "--", "--b",
        ])
        #expect(arguments.operands == ["a", "--b"])
        #expect(arguments[Self.radius] == 12.5)
        #expect(arguments[Self.output] == "out")
        #expect(arguments[Self.aggregates] == ["x=sum", "y=max"])
        #expect(arguments[Self.force])
        #expect(arguments[Self.order] == .input)
        #expect(arguments[Self.skip] == ["9"])
    }

    @Test func `what is not given has its default`() throws {
        let arguments = try Self.syntax.parse(["-"])
        #expect(arguments.operands == ["-"])
        #expect(arguments[Self.radius] == 50 && arguments[Self.output] == nil)
        #expect(arguments[Self.aggregates].isEmpty && !arguments[Self.force])
        #expect(!arguments.has(Self.radius))
    }

    @Test(arguments: [
        (["a", "--radios", "3"], UsageError.unknownOption("--radios", nearest: "--radius")),
        (["a", "--zzz"], .unknownOption("--zzz", nearest: nil)),
        (["a", "--radius"], .missingValue(option: "--radius", placeholder: "PIXELS")),
        (["a", "--force=1"], .unexpectedValue(option: "--force", value: "1")),
        (
            ["a", "--radius", "wide"],
            .unreadableValue(option: "--radius", value: "wide", expected: "a number")
        ),
        (
            ["a", "--order", "any"],
            .unreadableValue(option: "--order", value: "any", expected: "one of stable, input")
        ),
        (["a", "-o", "x", "-o", "y"], .repeatedOption("-o")),
        ([], .missingArgument("INPUT")),
        (["a", "b", "c", "d"], .extraArgument("d")),
    ])
    func `a wrong line says what is wrong`(words: [String], error: UsageError) {
        #expect(throws: error) { try Self.syntax.parse(words) }
    }

    @Test func `the help page keeps to 80 columns and shows defaults`() {
        let help = Self.syntax.help()
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(help.contains("--radius PIXELS             how near (default 50)"))
        #expect(help.contains("-o, --output FILE"))
        #expect(help.contains("--skip-invalid[=N]"))
    }
}

struct SpellingTests {
    @Test(arguments: [
        ("biuld", "build"), ("sreve", "serve"), ("inspct", "inspect"), ("BUILD", "build"),
    ])
    func `a slip of the fingers is understood`(word: String, meant: String) {
        let verbs = ["build", "serve", "inspect", "verify"]
        #expect(verbs.nearest(to: word) == meant)
    }

    @Test func `a different word is not`() {
        #expect(["build", "serve"].nearest(to: "tile") == nil)
    }
}
