import Arguments
import JSON

/// The options of tippecanoe 2.82 and their equivalents. docs/tippecanoe.md shows them as a table.
enum Tippecanoe {
    static let phrasebook = Phrasebook(
        of: "tippecanoe",
        output + zooms + detail + attributes + features + dropping + shapes + order + limits
            + running)

    private static let output: [Phrase] = [
        same("output", "o", "FILE", as: "-o"),
        .init("output-to-directory", short: "e", "DIR") { .works(["-o", $0 + "/"]) },
        same("force", "f", as: "--force"),
        instead(
            "allow-existing", "F", "covey join A B -o OUT",
            "an archive is written whole; joining puts the layers of others beside it"),
        same("name", "n", "TEXT", as: "--name"),
        same("attribution", "A", "TEXT", as: "--attribution"),
        same("description", "N", "TEXT", as: "--description"),
        same("layer", "l", "NAME", as: "--layer"),
        same("named-layer", "L", "NAME:FILE", as: "--named-layer"),
        same("read-parallel", "P"),
        same("projection", "s", "EPSG:N", as: "--crs"),
    ]

    private static let zooms: [Phrase] = [
        .init("maximum-zoom", short: "z", "Z") { .works(["--max-zoom", $0 == "g" ? "auto" : $0]) },
        same("minimum-zoom", "Z", "Z", as: "--min-zoom"),
        .init("smallest-maximum-zoom-guess", "Z") { _ in
            .instead(
                "--max-zoom auto", because: "with --precision it says how near points may be drawn")
        },
        idle("extend-zooms-if-still-dropping", drawer: "ae", because: .drop),
        idle("extend-zooms-if-still-dropping-maximum", value: "N", because: .drop),
        same("generate-variable-depth-tile-pyramid", drawer: "at", as: "--variable-depth"),
        .init("one-tile", short: "R", "Z/X/Y") { _ in
            .instead(
                "covey convert OUT PART --bbox W,S,E,N --min-zoom Z --max-zoom Z",
                because: "a build makes all tiles; converting takes some of them")
        },
    ]

    private static let detail: [Phrase] = [
        idle("full-detail", "d", value: "BITS", because: .finer),
        .init("low-detail", short: "D", "BITS") { bits in
            (8...16).contains(Int(bits) ?? 8)
                ? .works(["--extent", units(bits)])
                : .nothing(because: "a tile has 256 to 65,536 units (--extent)")
        },
        idle("minimum-detail", "m", value: "BITS", because: .finer),
        idle("extra-detail", value: "BITS", because: .finer),
    ]

    private static let attributes: [Phrase] = [
        same("exclude", "x", "ATTR", as: "--exclude"),
        same("include", "y", "ATTR", as: "--include"),
        instead(
            "exclude-all", "X", "\"include\": [] in a recipe's layer",
            "on the command line --include names those that stay"),
        .init("attribute-type", short: "T", "ATTR:TYPE", answer: type),
        nothing(
            "attribute-description", "Y", value: "ATTR:TEXT",
            because:
                "an archive tells the kinds and values of attributes, and --description the rest"
        ),
        .init("accumulate-attribute", short: "E", "ATTR:OP", answer: aggregate),
        same("empty-csv-columns-are-null", drawer: "pe"),
        instead(
            "convert-stringified-ids-to-numbers", drawer: "aI", "--type ATTR:integer --id ATTR",
            "an id that is text stays as an attribute; turned into numbers it may be the id"),
        same("use-attribute-for-id", nil, "ATTR", as: "--id"),
        idle(
            "single-precision", drawer: "pN",
            because: "numbers are kept as they are, in the shortest form that holds them"),
        nothing(
            "set-attribute", value: "ATTR:VALUE",
            because: "attributes come from the input; with --sql a query may add some"),
        nothing(
            "maximum-string-attribute-length", value: "N",
            because: "texts are kept whole; --exclude leaves long ones out"),
        nothing("unidecode-data", value: "FILE", because: "texts are kept as they are"),
    ]

    private static let features: [Phrase] = [
        .init("feature-filter-file", short: "J", "FILE", answer: filterFile),
        .init("feature-filter", short: "j", "FILTER", answer: filter),
        same("clip-bounding-box", nil, "W,S,E,N", as: "--bbox"),
        instead(
            "prefilter", "C", value: "COMMAND", "COMMAND < INPUT | covey build - -o OUT",
            "points are filtered before they are clustered, or with --filter"),
        instead(
            "postfilter", "c", value: "COMMAND", "--filter EXPRESSION",
            "what is taken out of tiles after clustering would be missing in counts"),
    ]
}

extension Tippecanoe {
    /// Converts a value of `--attribute-type`.
    private static func type(_ value: String) -> Phrase.Answer {
        let kinds = ["string": "text", "float": "number", "int": "integer", "bool": "bool"]
        guard let colon = value.lastIndex(of: ":"), value != "ATTR:TYPE" else {
            return .works(["--type", "ATTR:KIND"])
        }
        guard let kind = kinds[String(value[value.index(after: colon)...])] else {
            return .instead("--type ATTR:KIND", because: "KIND is text, integer, number or bool")
        }
        return .works(["--type", "\(value[..<colon]):\(kind)"])
    }

    /// Converts a value of `--accumulate-attribute`.
    private static func aggregate(_ value: String) -> Phrase.Answer {
        let form = "--aggregate NAME=OP:ATTR"
        if let several = (try? JSONValue(parsing: value))?.asObject {
            return aggregates(several, form)
        }
        let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, value != "ATTR:OP" else {
            return value == "ATTR:OP"
                ? .works(["--aggregate", "ATTR=OP:ATTR"])
                : .instead(form, because: "one for each attribute")
        }
        switch parts[1] {
        case "sum", "min", "max", "mean":
            return .works(["--aggregate", "\(parts[0])=\(parts[1]):\(parts[0])"])
        case "comma", "concat":
            return .instead(
                "--aggregate \(parts[0])=concat20:\(parts[0])",
                because:
                    "it joins so many different values; what stands between them may follow the number"
            )
        case "count":
            return .instead(
                "--aggregate \(parts[0])=count:\(parts[0])",
                because: "it counts the points that have the attribute")
        default:
            return .instead(form, because: "OP is sum, min, max or mean; --aggregate has more")
        }
    }

    /// Converts an object of attributes and their operations.
    private static func aggregates(_ several: JSONObject, _ form: String) -> Phrase.Answer {
        var words: [String] = []
        for (name, operation) in several.members.map({ ($0.key, $0.value.asString ?? "") }) {
            let answer = aggregate("\(name):\(operation)")
            guard case .works(let more) = answer else { return answer }
            words += more
        }
        return words.isEmpty ? .instead(form, because: "one for each attribute") : .works(words)
    }

    /// Converts a value of `--feature-filter-file`.
    private static func filterFile(_ file: String) -> Phrase.Answer {
        if file == "FILE" { return filter("FILTER") }
        guard let text = try? TextFile.read(file, upTo: RecipeFile.limit) else {
            return .instead("--filter EXPRESSION", because: "\(file) can't be read")
        }
        return filter(text)
    }

    /// Converts a value of `--feature-filter`: filters by layer, of which the one for all layers is used.
    private static func filter(_ value: String) -> Phrase.Answer {
        if value == "FILTER" { return .works(["--filter", "EXPRESSION"]) }
        if let threads = Int(value) {
            return .instead("--threads \(threads)", because: "there -j is a filter")
        }
        guard let document = try? JSONValue(parsing: value) else {
            return .instead("--filter EXPRESSION", because: "this is no JSON")
        }
        guard let layers = document.asObject else { return .works(["--filter", value]) }
        if layers.count == 1, let filter = layers["*"] {
            return .works(["--filter", filter.text()])
        }
        return .instead(
            "\"filter\" in each layer of a recipe",
            because: "--filter is for all layers, as a filter under \"*\"")
    }

    /// Converts the bits of a tile's side to units.
    private static func units(_ bits: String) -> String {
        guard let bits = Int(bits), (8...16).contains(bits) else { return "UNITS" }
        return "\(1 << bits)"
    }
}

extension String {
    /// Why nothing is dropped.
    static let drop = "no point is dropped at any zoom; clusters stand for them, and count them all"
    /// Why there are no options for lines and areas.
    static let shape = "tiles are made of points and clusters; there are no lines and no areas"
    fileprivate static let finer =
        "the deepest zoom is as fine as its points need; -D is for all others"
}
