import Foundation
import JSON
import Testing
import TileArchive

/// Recipes in files, as editors and scripts write them.
struct RecipeFileTests {
    private let terminal: Terminal

    init() throws {
        terminal = try Terminal()
        let cities = ["Zürich", "Basel", "Bern"]
        let points = (0..<12).map { "\(Double($0) / 100),0,\(cities[$0 % 3])" }
        try terminal.write("lon,lat,city\n" + points.joined(separator: "\n"), to: "points.csv")
    }

    private func build(_ recipe: String, _ words: String...) throws -> (code: Int32, words: String)
    {
        try terminal.write(recipe, to: "r.json")
        let result = try terminal.covey("build", "r.json", "-o", "a.mbtiles", "-f", with: words)
        return (result.exitCode, result.words)
    }

    @Test func `a recipe that is no UTF-8 is refused`() throws {
        let recipe =
            #"{"layers":[{"name":"p","sources":["points.csv"],"filter":["!=",["get","city"],"Zürich"]}]}"#
        #expect(try build(recipe).words.contains("8 points kept"))
        try #require(recipe.data(using: .isoLatin1)).write(
            to: terminal.folder.appending(path: "l.json"))
        for verb in [["build", "l.json", "-o", "b.mbtiles"], ["recipe", "check", "l.json"]] {
            let result = try terminal.covey(verb[0], verb[1], with: Array(verb[2...]))
            #expect(result.exitCode != 0 && result.words.contains("l.json: is no UTF-8"))
        }
    }

    @Test func `what a recipe lacks is said as it is`() throws {
        for (recipe, words) in [
            (#"{"layers":{"name":"s","sources":["points.csv"]}}"#, "expected an array at layers"),
            (#"{"layers":5}"#, "expected an array at layers"),
            (
                #"{"layers":[{"name":"s","sources":["points.csv"],"filter":["==",["get","type"],"x"],}]}"#,
                "r.json: not JSON at line 1"
            ),
            (
                #"{"layers":[{"name":"s","sources":["points.csv"],"description":""#
                    + String(repeating: "x", count: 5 << 20) + #""}]}"#, "is larger than 4 MiB"
            ),
        ] {
            let result = try build(recipe)
            #expect(result.code != 0 && result.words.contains(words), "\(result.words.prefix(300))")
        }
        let plain = #"{"layers":[{"name":"p","sources":["points.csv"],"clusters":false}]}"#
        let radius = try build(plain, "--cluster-radius", "60")
        #expect(radius.code == 2)
        #expect(radius.words.contains("--cluster-radius is about clusters, and no layer of r.json"))
        #expect(try build(plain, "--max-zoom", "3").code == 0)
    }

    @Test func `advice about options is for one layer where there are several`() throws {
        try terminal.write("a,b\n1,2\n", to: "odd.csv")
        let layers = [
            #"{"name":"p","sources":["points.csv"]}"#, #"{"name":"o","sources":["odd.csv"]}"#,
        ]
        let words = "options beside r.json apply to all of its layers"
        for (count, isTold) in [(1, false), (2, true)] {
            let list = layers.suffix(count).joined(separator: ",")
            let result = try build("{\"layers\":[\(list)]}")
            #expect(result.code == 1 && result.words.contains("--x"), "\(result.words)")
            #expect(result.words.contains(words) == isTold)
        }
    }

    @Test func `a file that is read twice is told of`() throws {
        let twice = #"{"layers":[{"name":"p","sources":["points.csv","./points.csv"]}]}"#
        let result = try build(twice, "--max-zoom", "2")
        #expect(result.words.contains("points.csv: is read more than once"))
        #expect(result.words.contains("24 points kept"))
    }

    @Test func `an archive says neither where files are nor what opens them`() throws {
        try terminal.write("city,size\nBern,3\n", to: "codes.csv")
        try terminal.write("lon,lat\n1,2\n", to: "a b.csv")
        let folder = terminal.folder.path
        let result = try build(
            #"{"layers":[{"name":"p","sources":["\#(folder)/points.csv"],"#
                + #""join":"\#(folder)/codes.csv:city=city"}]}"#, "--max-zoom", "2")
        #expect(result.code == 0, "\(result.words)")
        let archive = try Archive(path: terminal.folder.appending(path: "a.mbtiles").path)
        let recipe = try #require(archive.metadata.generatorOptions)
        #expect(recipe.contains(#""join":"codes.csv:city=city""#) && !recipe.contains(folder))
    }
}
