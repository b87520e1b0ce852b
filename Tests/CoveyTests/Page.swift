import Foundation
import Testing

/// A page of the project with parts that the program writes, each between
/// `<!-- covey WORDS -->` and `<!-- end -->`. `scripts/make-pages` writes them anew.
struct Page {
    private let text: String

    init(_ path: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    func generated(_ words: String) throws -> String {
        try part("covey \(words) --markdown")
    }

    func contains(_ words: String) -> Bool { text.contains(words) }

    /// What is between a mark and the next end.
    func part(_ mark: String) throws -> String {
        let start = try #require(text.range(of: "<!-- \(mark) -->\n"))
        let end = try #require(
            text.range(of: "\n<!-- end -->", range: start.upperBound..<text.endIndex))
        return String(text[start.upperBound..<end.lowerBound])
    }
}
