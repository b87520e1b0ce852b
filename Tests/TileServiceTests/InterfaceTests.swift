import ClusterQueries
import Foundation
import HTTP
import JSON
import TileService
import Testing

/// `docs/http.md` says what the server does: each of its examples is asked.
struct InterfaceTests {
    static let folder = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        var points = SamplePoint.random(600, seed: 5)
        points.append(SamplePoint(id: 601, longitude: 0, latitude: 0, value: 1, kind: "inn"))
        points.append(SamplePoint(id: 602, longitude: 0.1, latitude: 0, value: 1, kind: "inn"))
        try folder.build("a.mbtiles", of: points)
        return folder
    }

    let service: TileService
    let cluster: String
    let page: String

    init() throws {
        service = try Self.folder.get().service()
        let node = try service.json(
            "/a/clusters/containing", [("lon", "0"), ("lat", "0"), ("zoom", "0")])
        cluster = "\(try node.required("properties").required("cluster_id").integer)"
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/http.md")
        page = try String(contentsOf: file, encoding: .utf8)
    }

    /// The rows of the table below a heading, without its header; backticks taken off.
    func rows(below heading: String) throws -> [[String]] {
        let section = try #require(
            page.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
        let lines = section.components(separatedBy: "\n## ")[0].components(separatedBy: "\n")
        return lines.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
    }

    func ask(_ example: String, adding item: (String, String)? = nil) -> Response {
        let parts = example.replacing("CLUSTER", with: cluster).split(separator: "?")
        var query = (parts.dropFirst().first ?? "").split(separator: "&").map { item in
            let pair = item.split(separator: "=")
            return (String(pair[0]), String(pair[1]))
        }
        if let item { query.append(item) }
        return service.get(String(parts[0]), query: query)
    }

    @Test func `each route answers as the page says`() throws {
        let rows = try rows(below: "Routes")
        #expect(rows.count > 15)
        for row in rows {
            let response = ask(row[1])
            #expect("\(response.status.rawValue)" == row[2], "\(row[1]): \(response.text)")
            #expect(response.header("Content-Type") == row[3], "\(row[1])")
            let cached =
                ["address": "no-cache, private", "configured": "public, max-age=300"][row[4]]
            #expect(response.header("Cache-Control") == cached ?? row[4], "\(row[1])")
        }
    }

    @Test func `the page has every route there is`() throws {
        var found: Set<String> = []
        for row in try rows(below: "Routes") {
            let path = row[1].replacing("CLUSTER", with: "1").split(separator: "?")[0]
            found.insert(name(of: try Route(RequestPath(String(path)))))
        }
        let questions = ClusterQuestion.allCases.map { "cluster \($0)" }
        #expect(
            found
                == Set(questions).union([
                    "page", "catalog", "health", "metrics", "asset", "glyphs", "TileJSON", "style",
                    "tile", "containing", "leaves", "events", "events",
                ]))
    }

    /// A route that is new has no name here, and wants a row on the page as well.
    func name(of route: Route) -> String {
        switch route {
        case .page: "page"
        case .catalog: "catalog"
        case .health: "health"
        case .metrics: "metrics"
        case .asset: "asset"
        case .glyphs: "glyphs"
        case .tileJSON: "TileJSON"
        case .style: "style"
        case .tile: "tile"
        case .cluster(_, _, let question): "cluster \(question)"
        case .containing: "containing"
        case .leaves: "leaves"
        case .events: "events"
        }
    }

    @Test func `each parameter has the bounds that the page says`() throws {
        let rows = try rows(below: "Parameters")
        #expect(rows.count > 5)
        for row in rows {
            let (name, example) = (row[0], row[1])
            let (least, most) = try (#require(Int64(row[2])), #require(Int64(row[3])))
            for value in [least, most] {
                let response = ask(example, adding: (name, "\(value)"))
                #expect(response.status != .badRequest, "\(name)=\(value): \(response.text)")
            }
            for value in [least - 1, most + 1] {
                let response = ask(example, adding: (name, "\(value)"))
                #expect(response.status == .badRequest, "\(name)=\(value): \(response.text)")
            }
            let without = ask(example)
            guard let usual = Int64(row[4]) else {
                #expect(without.status == .badRequest, "\(example)")
                continue
            }
            #expect(without.text == ask(example, adding: (name, "\(usual)")).text, "\(example)")
            if name == "limit", usual < most {
                #expect(without.text != ask(example, adding: (name, "\(usual + 1)")).text)
            }
        }
    }

    @Test func `each status comes as the page says`() throws {
        let rows = try rows(below: "Statuses")
        for row in rows where !row[2].isEmpty {
            let response = ask(row[2])
            #expect("\(response.status.rawValue)" == row[0], "\(row[2]): \(response.text)")
        }
        let listed = Set(rows.map { $0[0] })
        #expect(
            listed == [
                "200", "204", "304", "400", "404", "405", "413", "414", "416", "431", "500", "503",
                "505",
            ])
    }

    @Test func `every header that is sent is on the page`() throws {
        let listed = try Set(rows(below: "Headers").map { $0[0] })
        let examples = try rows(below: "Routes").map { $0[1] } + ["/nothing", "/a/8/0/0"]
        let answers =
            examples.map { ask($0) } + [service.get("/a", .options), service.get("/a", .other)]
        let sent = Set(answers.flatMap { $0.headers.map(\.name) })
        #expect(sent.subtracting(listed) == [])
    }
}
