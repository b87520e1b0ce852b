import Arguments
import Inspection
import Platform
import TileArchive
import TileService

/// `covey style FILE`.
enum StyleVerb: Verb {
    static let name = "style"
    static let summary = "prints a MapLibre style for an archive"
    static let usage = "style FILE [options]"
    static let examples = [
        "style places.mbtiles > style.json",
        "style places.mbtiles --url https://tiles.example.org/places",
    ]

    private static let url = Option<String?>(
        "url", "URL", "the address of the TileJSON (default: where covey serve FILE puts it)")
    private static let glyphs = Option<String?>(
        "glyphs", "URL",
        "where glyphs are, with {fontstack} and {range} (default: those of covey serve FILE)")
    private static let font = Option<String?>(
        "font", "NAME", "the font of counts, as the glyph server names it")

    private static let bins = Option<StyleSheet.BinLook?>(
        "bins", "LOOK",
        "draw bins instead of clusters, at zooms that have bins, with counts as color, opacity or height"
    )

    private static let facet = Option<String?>(
        "color-by", "FACET", "colour clusters by the value that most of their points have")
    private static let letters = Option<CountLetters?>(
        "letters", "LANGUAGE", "shorten counts as this language does: de, fr, ja, zh, …")

    static let syntax = VerbSyntax(
        operands: [.init("FILE", "an archive")],
        groups: [
            .init("style", url, glyphs, font, facet, letters, bins)
        ])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let path = arguments.operands[0]
        // This says what a folder lacks.
        if (try? FileStatus(of: path))?.kind == .directory { _ = try Archive(path: path) }
        let sheet: StyleSheet
        do {
            sheet = try StyleSheet(ofArchiveAt: path)
        } catch let error as ServiceError {
            // The path is added, as errors of the service do not contain it.
            throw InspectionError.unreadable(path: path, reason: error.description)
        }
        if arguments[bins] != nil, !sheet.hasBins {
            throw UsageError.contradiction(
                "\(path) has no bins", remedy: "build it with --bins hexagon or --bins square")
        }
        if let facet = arguments[facet], !sheet.colorableFacets.contains(facet) {
            let others = sheet.colorableFacets
            throw UsageError.contradiction(
                "\(path) has no facet \(facet) that counts points by one attribute, not a date",
                remedy: others.isEmpty
                    ? "build it with --facet \(facet)" : "it has \(others.joined(separator: ", "))")
        }
        try checkGlyphs(arguments)
        let server = "http://127.0.0.1:8080"
        let source = arguments[url] ?? "\(server)/\(ServedPath(argument: path).ids.first ?? "")"
        // If the archive is elsewhere, only the user knows where glyphs are; without them, counts
        // are icons, which covey.js draws.
        let template =
            arguments[glyphs] ?? (arguments[url] == nil ? StyleSheet.glyphs(below: server) : nil)
        let look = StyleSheet.Look(
            font: arguments[font], bins: arguments[bins], facet: arguments[facet],
            letters: arguments[letters])
        let style = sheet.document(source: source, glyphs: template, look: look)
        console.print(style.text(.pretty))
    }
}

extension StyleVerb {
    private static func checkGlyphs(_ arguments: ParsedArguments) throws(UsageError) {
        if let glyphs = arguments[glyphs],
            !["{fontstack}", "{range}"].allSatisfy(glyphs.contains)
        {
            throw .unreadableValue(
                option: "--glyphs", value: glyphs,
                expected: "an address with {fontstack} and {range} in it")
        }
        // Without glyphs, covey.js draws the counts.
        if let letters = arguments[letters], letters.needsGlyphs, arguments[glyphs] == nil,
            arguments[url] == nil
        {
            throw .contradiction(
                "the font of covey serve lacks these letters",
                remedy: "name glyphs that have them with --glyphs")
        }
    }
}

extension StyleSheet.BinLook: ArgumentValue {
    public init(argument: String) throws(ValueError) {
        guard let look = Self(rawValue: argument) else {
            throw ValueError(expected: "color, opacity or height")
        }
        self = look
    }
}

extension CountLetters: ArgumentValue {
    public init(argument: String) throws(ValueError) {
        guard let letters = Self(language: argument) else {
            throw ValueError(expected: "one of " + Self.languages.joined(separator: ", "))
        }
        self = letters
    }
}
