import Foundation
import Testing

@testable import Arguments

/// The texts that are made of a program's words, all of each.
struct ProgramTextTests {
    enum Kind: String, ArgumentChoice { case thick, thin }

    static let verbs: [ProgramSyntax.Verb] = [
        .init(
            "bake", summary: "makes 'bread' [hot]: now", usage: "bake IN OUT [options]",
            examples: ["bake a b", ".hidden -x"],
            syntax: VerbSyntax(
                operands: [
                    .init("IN", "what goes in"), .init("WORDS", "any", count: 0...9),
                ],
                groups: [
                    .init(
                        "crust",
                        [
                            Option("crust", short: "c", "KIND", "how it is", default: Kind.thin)
                                .declaration,
                            Option<[String]>(repeated: "seed", short: "s", "FILE", "a|b; c")
                                .declaration,
                        ], example: "--crust thick"),
                    .init(
                        "oven",
                        [
                            Option("heat", "DEGREES", "how hot", default: 220.0).declaration,
                            Option<Bool>(flag: "quiet", short: "q", "say nothing").declaration,
                            Option(words: "turn", "N", "turn it", takes: .valueOrNothing) { _ in }
                                .declaration,
                        ]),
                ], common: ["heat", "seed"])),
        .init(
            "shop", summary: "opens", usage: "shop open|shut\nshop list", examples: [],
            syntax: VerbSyntax(operands: [.init("open|shut", "which")])),
        .init("none", summary: "does nothing", usage: "none", examples: [], syntax: VerbSyntax()),
    ]

    static let program = ProgramSyntax(
        "baker", version: "1.2", summary: "bakes", description: ["It bakes.", "'Tis \\good-."],
        exitCodes: [(0, "done"), (2, "burnt")], verbs: verbs)

    private static let texts: [(name: String, make: @Sendable () -> String)] = [
        ("bash", { program.completions(for: .bash) }), ("zsh", { program.completions(for: .zsh) }),
        ("fish", { program.completions(for: .fish) }), ("manual", { program.manualPage }),
        ("options", { program.markdown }), ("help", { verbs[0].help(of: "baker", .screen) }),
        ("short-help", { verbs[0].syntax.commonHelp() }),
        ("phrases", { LineReadingTests.phrasebook.text }),
        ("phrase-table", { LineReadingTests.phrasebook.markdown }),
    ]

    /// `Texts` has what was read by eye.
    @Test(arguments: texts.indices)
    func `each text says all that it should, and nothing else`(index: Int) throws {
        let (name, make) = Self.texts[index]
        let file = try #require(
            Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Texts"))
        #expect(try make() == String(contentsOf: file, encoding: .utf8), "\(name)")
    }

    @Test func `the words of a first operand are completed, and files of as many as there may be`()
    {
        let operands: [VerbSyntax.Operand] = [
            .init("open|shut", "what"), .init("FILE", "which", count: 0...2), .init("NAME", "who"),
        ]
        let verb = ProgramSyntax.Verb(
            "shop", summary: "s", usage: "u", examples: [], syntax: VerbSyntax(operands: operands))
        let program = ProgramSyntax(
            "baker", version: "1", summary: "b", description: [], exitCodes: [], verbs: [verb])
        #expect(program.completions(for: .bash).contains(#"compgen -W "open shut" -- "$word""#))
        let fish = program.completions(for: .fish)
        #expect(fish.contains(" -a open\n") && fish.contains(" -a shut"))
        let zsh = program.completions(for: .zsh)
        #expect(zsh.contains("':open|shut:(open shut)'") && zsh.contains("'*:FILE:_files'"))
        #expect(zsh.contains("':NAME:'"))
    }

    @Test func `lines of a usage are parted in the manual, and those of other texts flow`() {
        let verb = ProgramSyntax.Verb(
            "bake", summary: "makes\n.bread", usage: "a\nb", examples: [], syntax: VerbSyntax())
        let page = ProgramSyntax(
            "baker", version: "1", summary: "bakes\nit", description: [], exitCodes: [],
            verbs: [verb]
        ).manualPage
        for text in ["baker \\- bakes\nit\n", "\nmakes\n.bread.\n", "\n.B baker a\n.br\n.B b\n"] {
            #expect(page.contains(text), "\(page)")
        }
    }

    /// Words are neither lost nor moved, and a line has as many as it holds.
    @Test(arguments: [9, 20, 50])
    func `a text is broken where the next word has no room`(width: Int) {
        let words = (1...60).map { String(repeating: "x", count: 1 + $0 * 7 % 8) }
        let lines = HelpTable.wrap(words.joined(separator: " "), width: width)
        #expect(lines.joined(separator: " ") == words.joined(separator: " "))
        for (line, next) in zip(lines, lines.dropFirst()) {
            #expect(line.count <= width)
            #expect(line.count + 1 + next.prefix { $0 != " " }.count >= width)
        }
    }
}
