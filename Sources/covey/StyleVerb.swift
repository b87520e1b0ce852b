import Arguments
import TileService

/// `covey style FILE`.
enum StyleVerb: Verb {
    static let name = "style"
    static let summary = "a MapLibre style for an archive"
    static let usage = "style FILE [options]"
    static let examples = [
        "style places.mbtiles > style.json",
        "style places.mbtiles --url https://tiles.example.org/places",
    ]

    private static let url = Option<String?>(
        "url", "URL", "the address of the TileJSON (default: where covey serve FILE puts it)")
    private static let glyphs = Option<String?>(
        "glyphs", "URL", "a glyph server, for counts as text instead of icons")

    static let syntax = VerbSyntax(
        operands: [.init("FILE", "an .mbtiles archive")],
        groups: [.init("style", [url.declaration, glyphs.declaration])])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let path = arguments.operands[0]
        let sheet = try StyleSheet(ofArchiveAt: path)
        let source =
            arguments[url] ?? "http://127.0.0.1:8080/\(ServedPath(argument: path).ids.first ?? "")"
        console.print(sheet.document(source: source, glyphs: arguments[glyphs]).text(.pretty))
    }
}
