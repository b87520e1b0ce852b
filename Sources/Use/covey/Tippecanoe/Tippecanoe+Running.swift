import Arguments

// Limits, and the running of the program.
extension Tippecanoe {
    static let limits: [Phrase] = [
        same("maximum-tile-bytes", "M", "BYTES", as: "--max-tile-bytes"),
        same("maximum-tile-features", "O", "N", as: "--max-tile-features"),
        .init("limit-tile-feature-count", "N") {
            .noted(["--max-tile-features", $0], because: .held)
        },
        .init("limit-tile-feature-count-at-maximum-zoom", "N") {
            .noted(["--max-tile-features", $0], because: .held)
        },
        same("no-feature-limit", drawer: "pf"),
        .init("no-tile-size-limit", drawer: "pk") { _ in
            .works(["--max-tile-bytes", "1000000000000"])
        },
        idle(
            "no-tile-compression", drawer: "pC",
            because: "tiles in a folder are unpacked; readers of an archive unpack its gzip"),
        idle("no-tile-stats", drawer: "pg", because: .counted),
        idle("tile-stats-attributes-limit", value: "N", because: .counted),
        idle("tile-stats-sample-values-limit", value: "N", because: .counted),
        idle("tile-stats-values-limit", value: "N", because: .counted),
    ]

    static let running: [Phrase] = [
        same("temporary-directory", "t", "DIR", as: "--temp-dir"),
        same("quiet", "q", as: "--quiet"),
        .init("no-progress-indicator", short: "Q") { _ in .works(["--progress", "none"]) },
        .init("json-progress", short: "u") { _ in .works(["--progress", "json"]) },
        .init("progress-interval", short: "U", "SECONDS") { _ in
            .noted(
                [], because: "a terminal is told ten times a second, a file every five seconds")
        },
        instead("version", "v", "covey --version", "it is asked of the program"),
        instead("help", "H", "--help", "or covey help build"),
        .init("prevent", short: "p", "LETTERS", answer: letters),
        .init("additional", short: "a", "LETTERS", answer: letters),
    ]

    private static func letters(_ value: String) -> Phrase.Answer {
        .instead("each by its name", because: "the letters are answered one by one")
    }

    // MARK: short forms of the kinds of answers

    /// The option means the same here, or is always so.
    static func same(
        _ name: String, _ short: Character? = nil, _ placeholder: String = "",
        drawer: String? = nil, as ours: String? = nil
    ) -> Phrase {
        Phrase(name, short: short, drawer: drawer, placeholder) { value in
            .works([ours, placeholder.isEmpty ? nil : value].compactMap(\.self))
        }
    }

    static func instead(
        _ name: String, _ short: Character? = nil, drawer: String? = nil, value: String = "",
        _ words: String, _ reason: String
    ) -> Phrase {
        Phrase(name, short: short, drawer: drawer, value) { _ in .instead(words, because: reason) }
    }

    /// The option is accepted and has no effect.
    static func idle(
        _ name: String, _ short: Character? = nil, drawer: String? = nil, value: String = "",
        because reason: String
    ) -> Phrase {
        Phrase(name, short: short, drawer: drawer, value) { _ in .noted([], because: reason) }
    }

    static func nothing(
        _ name: String, _ short: Character? = nil, drawer: String? = nil, value: String = "",
        because reason: String
    ) -> Phrase {
        Phrase(name, short: short, drawer: drawer, value) { _ in .nothing(because: reason) }
    }
}

extension String {
    fileprivate static let held = "past it points stay in clusters; none is left out"
    fileprivate static let counted =
        "what attributes hold is always counted, up to a hundred values each"
}
