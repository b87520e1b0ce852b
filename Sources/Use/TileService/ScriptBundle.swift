/// `covey.js` as one file, put together from its scripts: other sites can copy it, and it loads
/// nothing else.
///
/// The parts are modules, so that each can be read and run alone. They import only one another, and
/// no two use one name for different things; so one after another they mean the same without
/// imports and exports.
struct ScriptBundle {
    /// Parts come before those that import them; the last one has the public exports.
    private static let parts = [
        "bytes.js", "address.js", "tiletree.js", "shapes.js", "vectortile.js", "pmtiles.js",
        "ids.js", "division.js", "clusterblock.js", "overview.js", "served.js", "cut.js",
        "files.js", "blocks.js", "opened.js", "protocol.js", "counts.js", "paint.js", "facets.js",
        "changes.js", "donuts.js", "filtermap.js", "animate.js", "spider.js", "follow.js",
        "arguments.js", "questions.js", "covey.js",
    ]

    private let body: String
    private let names: [Substring]

    init() {
        var body = ""
        var names: [Substring] = []
        for (index, part) in Self.parts.enumerated() {
            let isLast = index == Self.parts.count - 1
            let text = PageSource.text(of: part)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("import ") { continue }
                let isExport = line.hasPrefix("export ")
                if isExport, isLast { names += Self.names(in: line) }
                if line.hasPrefix("export {") { continue }
                body += isExport ? line.dropFirst("export ".count) : line
                body += "\n"
            }
        }
        self.body = body
        self.names = names
    }

    /// The bundle for `import`.
    var module: String { body + "export { \(names.joined(separator: ", ")) };\n" }

    /// The bundle for a page without modules: one global object, `covey`.
    var script: String {
        "globalThis.covey = (() => {\n\"use strict\";\n" + body
            + "return { \(names.joined(separator: ", ")) };\n})();\n"
    }

    /// The names that a line exports: `export function name(` or `export { one, other };`.
    static func names(in line: Substring) -> [Substring] {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.dropFirst()
        guard !line.hasPrefix("export {") else { return Array(words) }
        let name = words.drop { ["async", "function", "class", "const"].contains($0) }.first
        return name.map { [$0] } ?? []
    }
}
