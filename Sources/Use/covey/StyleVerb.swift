import Arguments
import Inspection
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
        "glyphs", "URL",
        "where glyphs are, with {fontstack} and {range} (default: what covey serve FILE has)")
    private static let font = Option<String?>(
        "font", "NAME", "the font of counts, as the glyph server names it")

    static let syntax = VerbSyntax(
        operands: [.init("FILE", "an .mbtiles archive")],
        groups: [.init("style", [url.declaration, glyphs.declaration, font.declaration])])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let path = arguments.operands[0]
        let sheet: StyleSheet
        do {
            sheet = try StyleSheet(ofArchiveAt: path)
        } catch let error as ServiceError {
            // As servers answer, which do not tell their paths.
            throw InspectionError.unreadable(path: path, reason: error.description)
        }
        let server = "http://127.0.0.1:8080"
        let source = arguments[url] ?? "\(server)/\(ServedPath(argument: path).ids.first ?? "")"
        // Where the archive is elsewhere, only the user knows where glyphs are: then counts are
        // icons, which covey.js draws.
        let template =
            arguments[glyphs] ?? (arguments[url] == nil ? StyleSheet.glyphs(below: server) : nil)
        let style = sheet.document(source: source, glyphs: template, font: arguments[font])
        console.print(style.text(.pretty))
    }
}
