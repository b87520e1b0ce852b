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
        let start = try #require(text.range(of: "<!-- covey \(words) --markdown -->\n"))
        let end = try #require(
            text.range(of: "\n<!-- end -->", range: start.upperBound..<text.endIndex))
        return String(text[start.upperBound..<end.lowerBound])
    }
}
