import ArchiveContract
import Compression
import Foundation
import TestSupport
import TileService
import Testing

/// What the page brings along: scripts in one file, land and glyphs, and all of it as a folder.
struct PageFileTests {
    private static func text(_ file: PageFiles.File) -> String {
        String(decoding: file.bytes, as: UTF8.self)
    }

    @Test func `the page knows all attributes that clusters have of their own`() throws {
        let files = PageFiles(mapLibre: .pinned).files
        let script = try #require(files.first { $0.path.hasSuffix("/layers.js") }.map(Self.text))
        let list = try #require(script.firstMatch(of: /plumbing = new Set\(\[([^\]]*)\]/)).1
        let names = list.matches(of: /"(\w+)"/).map { String($0.1) }
        #expect(Set(names) == ClusterAttribute.names, "see `plumbing` in layers.js")
    }

    @Test func `covey.js needs no other file, as a module and as a script`() throws {
        let files = PageFiles(mapLibre: .pinned).files
        let module = try #require(files.first { $0.path == "covey.js" }.map(Self.text))
        let script = try #require(files.first { $0.path == "covey.global.js" }.map(Self.text))
        let exports =
            "{ clusters, extend, addFilters, addProtocol, animate, choicesOf, countExpression, countsOf, "
            + "donutParts, drawCounts, evaluate, filteredLayer, follow, matcher, protocol, refresh, shortCount, "
            + "spiderfy, unspiderfy };"
        #expect(module.hasSuffix("export \(exports)\n"))
        #expect(script.contains("return \(exports)\n})();"))
        for text in [module, script] {
            let lines = text.split(separator: "\n")
            #expect(!lines.contains { $0.hasPrefix("import ") })
            // Names of different parts may not collide.
            let declared = lines.compactMap { line -> Substring? in
                let words = line.split { !($0.isLetter || $0.isNumber) }
                let kinds: Set<Substring> = ["function", "class", "const"]
                guard line.first?.isLetter == true,
                    let kind = words.firstIndex(where: kinds.contains), kind < 2,
                    words.count > kind + 1
                else { return nil }
                return words[kind + 1]
            }
            #expect(declared.count > 40 && Set(declared).count == declared.count)
        }
        #expect(script.split(separator: "\n").allSatisfy { !$0.hasPrefix("export ") })
    }

    @Test func `a folder gets all that its page names, by relative paths`() throws {
        let files = PageFiles(mapLibre: .pinned)
        #expect(files.needsNetwork)
        let paths = Set(files.files.map(\.path))
        let page = try #require(files.files.first { $0.path == "index.html" }.map(Self.text))
        #expect(!page.contains("{") && page.contains(#"content="folder""#))
        // What lies beside the folder of assets is named from there.
        let parts = page.split(separator: "\"").filter { $0.hasPrefix("assets/") }
            .map { $0.hasPrefix("assets/../") ? $0.dropFirst(10) : $0 }
        #expect(parts.count >= 4 && parts.allSatisfy { paths.contains(String($0)) })
        for path in [
            "assets/land.geojson", "assets/fonts/Open Sans Semibold/0-255.pbf", "assets/map.js",
        ] {
            #expect(paths.contains(path))
        }
        // What one module imports is there.
        for file in files.files where file.path.hasPrefix("assets/") && file.path.hasSuffix(".js") {
            for line in Self.text(file).split(separator: "\n") where line.hasPrefix("import ") {
                let name = try #require(line.split(separator: "\"").dropFirst().first)
                // An example of a page to be made is none of ours.
                if !name.hasPrefix(".") { continue }
                let path =
                    name.hasPrefix("../") ? String(name.dropFirst(3)) : "assets" + name.dropFirst()
                #expect(paths.contains(path))
            }
        }
    }

    @Test func `all fonts are one font, and ranges that it has not are empty`() throws {
        let service = try SampleFolder().service()
        let latin = service.get("/-/fonts/Any Font,Another/0-255.pbf")
        #expect(latin.header("Content-Type") == "application/x-protobuf")
        #expect(latin.bytes.count > 90_000)
        let packed = service.get("/-/fonts/x/0-255.pbf") { $0.acceptEncoding = "gzip" }
        #expect(packed.header("Content-Encoding") == "gzip" && packed.bytes.count < 60_000)
        let empty = service.get("/-/fonts/x/1024-1279.pbf")
        #expect(empty.status == .ok && empty.bytes.count == 33)
        #expect(empty.text.contains("Open Sans Semibold") && empty.text.contains("1024-1279"))
        for name in ["0-254.pbf", "1-256.pbf", "0-255", "-0-255.pbf", "0-255-.pbf", "a.pbf"] {
            #expect(service.get("/-/fonts/x/\(name)").status == .notFound)
        }
    }

    @Test func `land, borders and names come from the program`() throws {
        let service = try SampleFolder().service()
        for (name, piece) in [
            ("land", #""Polygon""#), ("borders", #""LineString""#), ("names", #""Brazil""#),
        ] {
            let answer = service.get("/-/\(name).geojson")
            #expect(answer.header("Content-Type") == "application/geo+json")
            #expect(answer.text.contains(piece))
        }
    }

    @Test func `another basemap is named by the page, and allowed by its policy`() throws {
        var options = ServiceOptions()
        let folder = try SampleFolder()
        #expect(
            !folder.service(options).get("/").header("Content-Security-Policy")!.contains(
                " https: "))
        options.basemap = BasemapAddress("http://maps.example/s.json?key=a&b=c")
        let page = folder.service(options).get("/")
        #expect(page.text.contains(#"content="http://maps.example/s.json?key=a&amp;b=c""#))
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.contains("connect-src 'self' https: http://maps.example;"))
    }

    @Test func `a folder's page has the policy of a server's in itself`() throws {
        let files = PageFiles(mapLibre: .usual).files
        let page = try #require(files.first { $0.path == "index.html" }.map(Self.text))
        let start = try #require(page.range(of: #"http-equiv="Content-Security-Policy" content=""#))
        let own = try #require(page[start.upperBound...].split(separator: "\"").first)
        let served = try SampleFolder().service().get("/")
        #expect(!served.text.contains("http-equiv"))
        // In a document nothing can be said of frames.
        #expect(
            served.header("Content-Security-Policy") == "\(own); frame-ancestors 'none'")
        var options = ServiceOptions()
        options.mayBeEmbedded = true
        let embedded = try SampleFolder().service(options).get("/")
        #expect(embedded.header("Content-Security-Policy") == String(own))
        // It counts for what follows.
        let script = try #require(page.range(of: "<script"))
        #expect(start.upperBound < script.lowerBound)
    }

    @Test func `a basemap is offered where none is given, and allowed by the policy`() throws {
        var options = ServiceOptions()
        let folder = try SampleFolder()
        let host = "https://tiles.openfreemap.org"
        let page = folder.service(options).get("/")
        #expect(page.text.contains("value=\"\(host)/styles/\""))
        #expect(page.header("Content-Security-Policy")!.contains("connect-src 'self' \(host);"))
        options.basemap = BasemapAddress("https://maps.example/s.json")
        let other = folder.service(options).get("/")
        #expect(!other.text.contains(host))
        #expect(!other.header("Content-Security-Policy")!.contains(host))
    }

    @Test(arguments: [
        "", "maps.example", "ftp://a/b", "https://", "https://a/\"><x", "https://a b/",
    ])
    func `what is no address of a style is refused`(text: String) {
        #expect(BasemapAddress(text) == nil)
    }
}
