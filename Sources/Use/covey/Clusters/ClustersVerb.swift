import Arguments
import ClusterQueries
import Geometry
import Inspection
import TileArchive

/// `covey clusters FILE [ID] [QUESTION]`.
enum ClustersVerb: Verb {
    static let name = "clusters"
    static let summary = "answers questions about an archive's clusters"
    static let usage =
        "clusters FILE CLUSTER_ID QUESTION | clusters FILE --containing LON,LAT --zoom Z QUESTION"
    static let examples = [
        "clusters places.mbtiles --containing 10,45 --zoom 3",
        "clusters places.mbtiles 4538558513676291 leaves --csv --limit 1000",
    ]

    static let offset = Option("offset", "N", "leaves: skip the first N", default: 0)
    static let limit = Option("limit", "N", "leaves: show at most N", default: 10)
    static let geojson = Option(
        flag: "geojson", "clusters, points and hulls as GeoJSON, for map programs")
    static let csv = Option(flag: "csv", "leaves: as CSV")
    static let json = Option<Bool>(
        flag: "json", "the answer as JSON, as the server gives it; null if there is none")
    static let depth = Option("depth", "N", "tree: how many levels to show", default: 3)
    static let containing = Option<PositionArgument?>(
        "containing", "LON,LAT",
        "the cluster that holds the point nearest to this position, 50 pixels away at most")
    static let zoom = Option<Int?>("zoom", "Z", "with --containing: at this zoom")
    static let tree = Option(flag: "tree", "the clusters and points below, as a tree")

    static let syntax = VerbSyntax(
        operands: [
            .init("FILE", "an archive that has its cluster index"),
            .init("CLUSTER_ID", "the id of a cluster at any zoom", count: 0...1),
            .init(
                "QUESTION",
                "children, leaves, parent, expansion-zoom, hull, bbox or tree; none shows the "
                    + "cluster", count: 0...1),
        ],
        groups: [
            .init("Answers", offset, limit, depth, json, geojson, csv, tree),
            .init("Finding a cluster", containing, zoom),
        ],
        common: ["containing", "zoom", "offset", "limit", "json", "geojson", "csv"])

    /// The questions about a cluster.
    enum Question: String, ArgumentChoice {
        case cluster, children, leaves, parent
        case expansionZoom = "expansion-zoom"
        case hull, bbox, tree
    }

    static let onlyPrints = true

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        try check(arguments)
        try refuseIdle(arguments)
        let path = arguments.operands[0]
        guard case .archive(let archive) = try Subject(path: path) else {
            throw InspectionError.otherFormat(path: path, name: "a single tile")
        }
        var query = try ClusterQuery(archive)
        if let position = arguments[containing]?.position, let zoom = arguments[zoom] {
            let node = try query.node(at: position, zoom: zoom)
            if node == nil {
                console.say(
                    "\(path): zoom \(zoom) draws nothing there, within a marker's width (50 pixels)"
                )
            }
            let question = try question(arguments)
            if question != .cluster, let node {
                guard case .cluster(let record) = node else {
                    throw UsageError.contradiction(
                        "zoom \(zoom) draws a single point there, which has no \(question.rawValue)",
                        remedy: "name a lower zoom")
                }
                let id = query.description.id(of: record)
                var answer = ClusterAnswer(query, of: archive, arguments)
                return try answer.show(question, of: id, on: console)
            }
            var answer = ClusterAnswer(query, of: archive, arguments)
            return try answer.show(node.map { [$0] } ?? [], at: zoom, on: console)
        }
        let id = try number(arguments.operands[1])
        var answer = ClusterAnswer(query, of: archive, arguments)
        try answer.show(try question(arguments), of: id, on: console)
    }

    private static func question(_ arguments: ParsedArguments) throws(UsageError) -> Question {
        // A position stands for the id.
        let words = arguments.operands.dropFirst(arguments[containing] == nil ? 2 : 1)
        guard let word = words.first else { return arguments[tree] ? .tree : .cluster }
        let question: Question
        do {
            question = try Question(argument: word)
        } catch {
            throw .unreadableValue(option: "QUESTION", value: word, expected: error.expected)
        }
        if question != .tree { try arguments.refuse(idle: [tree], for: word) }
        return question
    }

    /// Refuses options that have no effect on the answer.
    private static func refuseIdle(_ arguments: ParsedArguments) throws(UsageError) {
        let isFound = arguments[containing] != nil
        let question = try question(arguments)
        var idle: [any OptionDeclaring] = question == .leaves ? [] : [offset, limit, csv]
        if question != .tree { idle.append(depth) }
        if [.bbox, .expansionZoom, .tree].contains(question) { idle.append(geojson) }
        if !isFound { idle.append(zoom) }
        let isBare = isFound && question == .cluster
        try arguments.refuse(idle: idle, for: isBare ? "--containing" : question.rawValue)
    }

    private static func number(_ word: String) throws(UsageError) -> Int64 {
        guard let id = Int64(word), id >= 0 else {
            throw .unreadableValue(
                option: "CLUSTER_ID", value: word, expected: "a whole number")
        }
        return id
    }

    private static func check(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments[containing] != nil {
            guard let zoom = arguments[zoom], (0...31).contains(zoom) else {
                throw .contradiction(
                    "--containing names a position, but no zoom from 0 to 31",
                    remedy: "add --zoom Z")
            }
            let words = arguments.operands.dropFirst()
            if words.count > 1 || words.contains(where: { Int64($0) != nil }) {
                throw .contradiction(
                    "--containing and CLUSTER_ID both name a cluster", remedy: "leave one out")
            }
        } else if arguments.operands.count < 2 {
            throw .missingArgument("CLUSTER_ID")
        }
        let kinds = arguments.given(among: [json, geojson, csv])
        if kinds.count > 1 {
            throw .contradiction(
                "--\(kinds[0]) and --\(kinds[1]) are two kinds of output", remedy: "leave one out")
        }
        for option in [offset, limit, depth] where arguments[option] < 0 {
            throw .unreadableValue(
                option: "--\(option.declaration.name)", value: "\(arguments[option])",
                expected: "0 or more")
        }
    }
}
