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
        let names = Set(BuildVerb.syntax.optionNames + ["o", "bbox", "help", "version"])
        for phrase in Tippecanoe.phrasebook.phrases {
            let text: String =
                switch phrase.generalAnswer {
                case .works(let words): words.joined(separator: " ")
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
            "build", "-zg", "-fo", "x.mbtiles", "--drop-densest-as-needed", "-K10", "-pSk", "-b5",
            "--detect-shared-borders", "points.csv")
        #expect(result.exitCode == 2)
        #expect(
            result.words == """
                covey: --drop-densest-as-needed is an option of tippecanoe
                       leave it out: no point is dropped at any zoom; clusters stand for them, and count \
                them all
                covey: -K 10 is an option of tippecanoe
                       write --cluster-radius 20: pixels of a tile of 512, not of 256
                covey: -pS is an option of tippecanoe
                       leave it out: tiles are made of points and clusters; there are no lines and no areas
                covey: -b 5 is an option of tippecanoe
                       write --buffer 10: pixels of a tile of 512, not of 256
                covey: --detect-shared-borders is an option of tippecanoe
                       leave it out: tiles are made of points and clusters; there are no lines and no areas

                """)
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
