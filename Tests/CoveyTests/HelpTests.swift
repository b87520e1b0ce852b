import Arguments
import Foundation
import PointInput
import Testing
import TileArchive

@testable import covey

/// What helps people on: pages, suggestions, the manual, completions.
struct HelpTests {
    @Test func `every page of help fits a screen`() {
        for verb in verbs {
            let lines = verb.helpText(.screen).split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 24, "\(verb.name): \(lines.count) lines")
            // A line that is typed as it stands may be longer.
            let told = lines.filter { !$0.contains("  covey ") && !$0.contains("usage:") }
            #expect(told.allSatisfy { $0.count <= 80 }, "\(verb.name)")
        }
    }

    @Test func `what is cut says how the rest is had`() throws {
        let page = BuildVerb.helpText(.screen)
        #expect(page.hasSuffix("options.") && page.contains("covey build --help=all shows all "))
        let all = try Terminal().covey("build", "points.csv", "--help=all")
        #expect(all.exitCode == 0 && all.output.contains("--reserved-names refuse|rename|drop"))
        #expect(all.output.contains("  e.g. covey build a.csv"))
        #expect(try Terminal().covey("help", "build", "--all").output == all.output)
    }

    @Test func `pages name every format and every kind of archive`() throws {
        let names = InputFormat.allCases.map(\.title) + ArchiveContainers.all.map { $0.name }
        for path in ["README.md", "scripts/package-deb"] {
            let page = try Page(path)
            for name in names { #expect(page.contains(name), "\(path) does not name \(name)") }
        }
        let manual = Program.syntax.manualPage
        for name in names { #expect(manual.contains(name), "the manual does not name \(name)") }
    }

    @Test(arguments: ["--description", "--name", "--x", "--include", "--filter", "-o", "--layer"])
    func `an empty value is told in the words of the line`(option: String) throws {
        let result = try Terminal().covey("build", "points.csv", "-o", "x.mbtiles", option, "")
        #expect(result.exitCode == 2)
        #expect(result.words.hasPrefix("covey: \(option) needs a value\n       write \(option) "))
    }

    @Test func `the short page shows options that are there`() {
        for verb in verbs {
            let names = verb.syntax.options.map(\.name)
            #expect(Set(names).count == names.count, "\(verb.name): a name is given twice")
            #expect(Set(verb.syntax.common).isSubset(of: names), "\(verb.name)")
            let page = verb.helpText(.screen)
            for option in verb.syntax.common {
                #expect(page.contains("--\(option)"), "\(verb.name)")
            }
        }
    }

    @Test func `switches that turn something off say what they do`() {
        let page = BuildVerb.helpText(.all)
        for lines in [
            "--no-wrap                   form no clusters", "--no-leaves                 leave out",
        ] {
            #expect(page.contains(lines))
        }
        #expect(!page.contains("(default true)"))
    }

    @Test func `examples of help are lines that are understood`() throws {
        for verb in verbs {
            for example in verb.examples {
                let words = example.split(separator: " > ")[0].split(separator: " ").map(
                    String.init)
                #expect(words.first == verb.name)
                // Quotes are the shell's.
                guard !example.contains("\"") else { continue }
                #expect(throws: Never.self) {
                    _ = try verb.syntax.parse(Array(words.dropFirst()))
                }
            }
        }
    }

    @Test func `an archive without a name gets one proposed`() throws {
        let terminal = try BuildVerbTests.terminal()
        #expect(
            try terminal.covey("build", "sub/towns.geojson.gz").words
                == "covey: -o OUT is missing\n       write -o towns.mbtiles\n")
    }

    @Test func `what is piped in needs no dash`() throws {
        let terminal = try BuildVerbTests.terminal()
        let piped = try terminal.shell(#"cat points.csv | "$COVEY" build -o x.mbtiles -q"#)
        #expect(piped.exitCode == 0 && piped.words.isEmpty, "\(piped.words)")
        let file = try terminal.shell(#""$COVEY" build -o y.mbtiles -q < points.csv"#)
        #expect(file.exitCode == 0 && file.words.isEmpty, "\(file.words)")
        let none = try terminal.shell(#""$COVEY" build -o z.mbtiles < /dev/null"#)
        #expect(none.exitCode == 2 && none.words.contains("INPUT is missing"))
    }

    @Test func `the manual tells of every verb and option`() {
        let page = Program.syntax.manualPage
        #expect(page.hasPrefix(".TH COVEY 1"))
        for verb in verbs {
            #expect(page.contains(".SH COVEY \(verb.name.uppercased())"))
            for option in verb.syntax.options.map(\.name) {
                #expect(page.contains("\\-\\-" + option.replacing("-", with: "\\-")))
            }
        }
        let orders = page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
        let known = [".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".nf", ".fi", ".br"]
        #expect(orders.allSatisfy { known.contains(String($0.split(separator: " ")[0])) })
    }

    @Test(arguments: [
        ("covey bu", "build"), ("covey build --algo", "--algorithm"),
        ("covey build --algorithm gr", "greedy grid"), ("covey recipe sch", "schema"),
        ("covey build poin", "points.csv"), ("covey build -o poin", "points.csv"),
        ("covey serve --ho", "--host"), ("covey completions f", "fish"), ("covey build --x lo", ""),
    ])
    func `bash completes words`(line: String, found: String) throws {
        let terminal = try BuildVerbTests.terminal()
        try terminal.write(Program.syntax.completions(for: .bash), to: "completions")
        let result = try terminal.shell(
            """
            exec bash -c '. ./completions; COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); \
            _covey; echo ${COMPREPLY[@]}'
            """)
        #expect(result.output == found + "\n", "\(result.words)")
    }

    /// Of shells that are not there nothing can be asked.
    @Test(arguments: [
        (Shell.zsh, "zsh -n completions"),
        (
            .fish,
            "fish --no-config -c 'source completions; complete -C \"covey build --algorithm gr\"'"
        ),
    ])
    func `other shells understand their completions`(shell: Shell, line: String) throws {
        let terminal = try Terminal()
        try terminal.write(Program.syntax.completions(for: shell), to: "completions")
        guard try terminal.shell("command -v \(shell.rawValue)").exitCode == 0 else { return }
        let result = try terminal.shell(line)
        #expect(result.exitCode == 0 && result.words.isEmpty, "\(result.words)")
        if shell == .fish { #expect(result.output.contains("greedy")) }
    }

    @Test func `an unknown shell is refused`() throws {
        let result = try Terminal().covey("completions", "tcsh")
        #expect(result.exitCode == 2 && result.words.contains("name one of bash, zsh, fish"))
    }

    @Test func `the page of options shows them as they are`() throws {
        let isFresh = try Page("docs/options.md").generated("help") == Program.syntax.markdown
        #expect(isFresh, "renew it: scripts/make-pages")
    }
}
