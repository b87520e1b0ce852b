import Arguments
import Foundation
import Testing

@testable import covey

/// Lines that were typed for tippecanoe.
struct TippecanoeTests {
    /// The options of version 2.82, as its own help names them.
    static let options = """
        output output-to-directory force allow-existing name attribution description layer \
        named-layer read-parallel projection maximum-zoom minimum-zoom smallest-maximum-zoom-guess \
        extend-zooms-if-still-dropping extend-zooms-if-still-dropping-maximum \
        generate-variable-depth-tile-pyramid one-tile full-detail low-detail minimum-detail \
        extra-detail exclude include exclude-all attribute-type attribute-description \
        accumulate-attribute empty-csv-columns-are-null convert-stringified-ids-to-numbers \
        use-attribute-for-id single-precision set-attribute maximum-string-attribute-length \
        feature-filter-file feature-filter drop-rate retain-points-multiplier base-zoom drop-denser \
        limit-base-zoom-to-maximum-zoom drop-lines drop-polygons cluster-distance cluster-maxzoom \
        preserve-point-density-threshold preserve-multiplier-density-threshold \
        drop-densest-as-needed drop-fraction-as-needed drop-smallest-as-needed \
        drop-by-attribute-as-needed drop-by-attribute-order coalesce-densest-as-needed \
        coalesce-fraction-as-needed coalesce-smallest-as-needed force-feature-limit \
        cluster-densest-as-needed keep-point-cluster-position gamma increase-gamma-as-needed \
        simplification no-line-simplification simplify-only-low-zooms \
        simplification-at-maximum-zoom no-tiny-polygon-reduction \
        no-tiny-polygon-reduction-at-maximum-zoom tiny-polygon-size \
        no-simplification-of-shared-nodes visvalingam detect-shared-borders grid-low-zooms buffer \
        no-clipping no-duplication preserve-input-order reorder coalesce reverse hilbert order-by \
        order-descending-by order-smallest-first order-largest-first calculate-feature-density \
        generate-ids calculate-feature-index detect-longitude-wraparound \
        use-source-polygon-winding reverse-source-polygon-winding clip-bounding-box \
        convert-polygons-to-label-points prefilter postfilter maximum-tile-bytes \
        maximum-tile-features limit-tile-feature-count limit-tile-feature-count-at-maximum-zoom \
        no-feature-limit no-tile-size-limit no-tile-compression no-tile-stats \
        tile-stats-attributes-limit tile-stats-sample-values-limit tile-stats-values-limit \
        temporary-directory quiet no-progress-indicator progress-interval json-progress version \
        prevent additional check-polygons no-polygon-splitting prefer-radix-sort unidecode-data help
        """.split(separator: " ").map(String.init)

    /// Its short options; getopt's `-H` is its help.
    static let shorts = "oefFnANlLPszZRdDmxyXTYEJjrBKkgSbCcMOtqQUuvpaH"

    @Test func `every option of tippecanoe is known`() {
        let phrases = Tippecanoe.phrasebook.phrases
        #expect(Set(phrases.map(\.name)) == Set(Self.options))
        #expect(phrases.count == Self.options.count)
        let shorts = phrases.compactMap(\.short)
        #expect(Set(shorts) == Set(Self.shorts) && shorts.count == Self.shorts.count)
        let drawers = phrases.compactMap(\.drawer)
        #expect(Set(drawers).count == drawers.count && drawers.count == 47)
    }

    @Test func `every answer that names an option of ours names one that is there`() throws {
        let names = Set(
            BuildVerb.syntax.options.map(\.name) + ["o", "D", "bbox", "help", "version"])
        for phrase in Tippecanoe.phrasebook.phrases {
            let text: String =
                switch phrase.generalAnswer {
                case .works(let words): words.joined(separator: " ")
                case .noted(let words, let reason): "\(words.joined(separator: " ")) \(reason)"
                case .instead(let words, let reason): "\(words) \(reason)"
                case .nothing(let reason): reason
                }
            for option in text.matches(of: /(?:^|[ (])--?([a-z-]+)/) {
                #expect(names.contains(String(option.output.1)), "\(phrase.name): \(text)")
            }
        }
    }

    /// The words that a line means, as the parser takes them.
    static func recipe(_ words: String...) throws -> String {
        let terminal = try BuildVerbTests.terminal()
        let result = try terminal.covey("recipe", "show", "points.csv", with: words)
        return result.exitCode == 0 ? result.output : result.words
    }

    @Test(arguments: [
        (["-zg", "-r1", "-P", "-pf"], ["--max-zoom", "auto"]),
        (
            ["-z7", "-Z", "2", "-ltowns"],
            ["--max-zoom", "7", "--min-zoom", "2", "--layer", "towns"]
        ),
        (["-nA", "-N", "B", "-AC"], ["--name", "A", "--description", "B", "--attribution", "C"]),
        (
            ["-y", "a", "-xb", "-T", "a:int"],
            ["--include", "a", "--exclude", "b", "--type", "a:integer"]
        ),
        (["-Epop:sum", "-k9"], ["--aggregate", "pop=sum:pop", "--cluster-max-zoom", "9"]),
        (["-j", #"{"*":["==","a",1]}"#], ["--filter", #"["==","a",1]"#]),
        (
            ["-D10", "-M99999", "-sEPSG:3857"],
            ["--extent", "1024", "--max-tile-bytes", "99999", "--crs", "3857"]
        ),
        (["-ai", "-at"], ["--generate-id", "--variable-depth"]),
    ])
    func `what means the same works`(words: [String], ours: [String]) throws {
        let terminal = try BuildVerbTests.terminal()
        let theirs = try terminal.covey("recipe", "show", "points.csv", with: words)
        #expect(theirs.exitCode == 0, "\(theirs.words)")
        let same = try terminal.covey("recipe", "show", "points.csv", with: ours)
        #expect(same.exitCode == 0 && theirs.output == same.output, "\(same.words)")
    }

    @Test func `a whole line is answered in one go`() throws {
        let terminal = try BuildVerbTests.terminal()
        let result = try terminal.covey(
            "build", "-zg", "-fo", "x.mbtiles", "--drop-densest-as-needed", "-pik", "-aa@",
            "--set-attribute", "a:b", "points.csv")
        #expect(result.exitCode == 2)
        #expect(
            result.words == """
                covey: -pi is an option of tippecanoe
                       leave it out: the order in a tile is fixed, so that the same points give the same \
                bytes; a style sorts with symbol-sort-key
                covey: --set-attribute a:b is an option of tippecanoe
                       leave it out: attributes come from the input; with --sql a query may add some

                """)
    }

    @Test func `what changes nothing, and what is said otherwise, is taken with a note each`()
        throws
    {
        let terminal = try BuildVerbTests.terminal()
        let line = [
            "points.csv", "--drop-densest-as-needed", "-K10", "-pSk", "-b5", "-d14", "-B", "9",
            "-rg",
        ]
        let result = try terminal.covey("recipe", "show", with: line)
        #expect(
            result.words == """
                covey: --drop-densest-as-needed changes nothing here: \(String.drop)
                covey: -K 10 is read as --cluster-radius 20: pixels of a tile of 512, not of 256
                covey: -pS changes nothing here: \(String.shape)
                covey: -b 5 is read as --buffer 10: pixels of a tile of 512, not of 256
                covey: -d 14 changes nothing here: the deepest zoom is as fine as its points need; -D is \
                for all others
                covey: -B 9 changes nothing here: \(String.drop)
                covey: -r g changes nothing here: \(String.drop)

                """)
        let same = try terminal.covey(
            "recipe", "show", "points.csv", "--cluster-radius", "20", "--buffer", "10",
            "--max-tile-bytes", "1000000000000")
        #expect(same.output == result.output && result.exitCode == 0)
        let quiet = try terminal.covey("build", "-o", "x.mbtiles", "-q", with: line)
        #expect(quiet.exitCode == 0 && quiet.words.isEmpty, "\(quiet.words)")
    }

    @Test(arguments: [
        ("-K10.5", ["--cluster-radius", "21"]), ("-b2.5", ["--buffer", "5"]),
        ("-b63", ["--buffer", "126"]), ("-b0", ["--buffer", "0"]),
    ])
    func `pixels are doubled`(word: String, ours: [String]) throws {
        let terminal = try BuildVerbTests.terminal()
        let theirs = try terminal.covey("recipe", "show", "points.csv", word)
        let same = try terminal.covey("recipe", "show", "points.csv", with: ours)
        #expect(theirs.exitCode == 0 && theirs.output == same.output, "\(theirs.words)")
        let wide = try terminal.covey("recipe", "show", "points.csv", "-b64")
        #expect(wide.exitCode == 2 && wide.words.contains("-b 64 is an option of tippecanoe"))
    }

    @Test(arguments: [
        (["-L", "a:points.csv", "-Lb:p.csv"], [("a", ["points.csv"]), ("b", ["p.csv"])]),
        (["p.csv", "-L", "a:b:c.csv"], [("p", ["p.csv"]), ("a", ["b:c.csv"])]),
        (["-La:p.csv", "--named-layer", "a:q.csv"], [("a", ["p.csv", "q.csv"])]),
        (["-La:p.csv", "q.csv", "-l", "all"], [("all", ["q.csv", "p.csv"])]),
        (
            [#"-L{"file":"p.csv","layer":"a"}"#, #"-L{"file":""}"#],
            [("a", ["p.csv"]), ("points", ["-"])]
        ),
    ])
    func `layers are named one by one`(
        words: [String], layers: [(name: String, sources: [String])]
    ) throws {
        let result = try Terminal().covey("recipe", "show", with: words)
        let expected = layers.map { layer in
            let sources = layer.sources.map { "\"\($0)\"" }.joined(separator: ", ")
            return "\"name\": \"\(layer.name)\",\n      \"sources\": [\(sources)]"
        }
        #expect(result.exitCode == 0, "\(result.words)")
        let found = result.output.matches(of: /"name": .*\n.*"sources": .*\]/).map {
            "\($0.output)"
        }
        #expect(found == expected, "\(result.output)")
    }

    @Test(arguments: ["-La", "-L:a.csv", "-La:", #"-L{"file":"a","format":"csv"}"#])
    func `a named layer without a name or a file is bad usage`(word: String) throws {
        let result = try Terminal().covey("recipe", "show", word)
        #expect(result.exitCode == 2 && result.words.contains("this should be NAME:FILE"))
    }

    @Test func `a filter is read from a file, and several attributes are summed up`() throws {
        let terminal = try BuildVerbTests.terminal()
        try terminal.write(#"{"*": ["==", "a", 1]}"#, to: "filter.json")
        let theirs = try terminal.covey(
            "recipe", "show", "points.csv", "-J", "filter.json", "-E", #"{"a":"sum","b":"max"}"#)
        let ours = try terminal.covey(
            "recipe", "show", "points.csv", "--filter", #"["==","a",1]"#, "--aggregate", "a=sum:a",
            "--aggregate", "b=max:b")
        #expect(theirs.exitCode == 0 && theirs.output == ours.output, "\(theirs.words)")
        for words in [["-J", "missing.json"], ["-E", #"{"a":"product"}"#], ["-E", "{}"]] {
            let refused = try terminal.covey("recipe", "show", "points.csv", with: words)
            #expect(refused.exitCode == 2, "\(words)")
        }
    }

    @Test func `a line of tippecanoe builds`() throws {
        let terminal = try BuildVerbTests.terminal()
        let result = try terminal.covey(
            "build", "-ox.mbtiles", "-f", "-lpoints", "-z2", "-Z0", "-r1", "-q", "points.csv")
        #expect(result.exitCode == 0 && result.words.isEmpty, "\(result.words)")
        #expect(try terminal.names.contains("x.mbtiles"))
    }

    @Test func `the page shows the phrasebook as it is`() throws {
        let page = try Page("docs/tippecanoe.md")
        #expect(try page.generated("help tippecanoe") == Tippecanoe.phrasebook.markdown)
    }
}
