import JSON
import Platform
import PointInput
import Recipes
import Spelling

/// A recipe in a file, and the files that it refers to.
struct RecipeFile {
    /// The greatest size of a recipe; a larger file is data.
    static let limit = 4 << 20

    let recipe: Recipe
    private let directory: String?

    init(_ path: String) throws {
        let document = try JSONValue(parsing: try TextFile.read(path, upTo: Self.limit))
        recipe = try Recipe(reading: JSONNode(document))
        directory = Self.directory(of: path)
    }

    /// The folder of a file as named; nil if the name has none.
    static func directory(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The sources that do not exist, in words.
    var missingSources: [String] {
        var problems: [String] = []
        for (number, layer) in recipe.layers.enumerated() {
            if let join = layer.input.join, let problem = problem(with: join.file) {
                problems.append("layers[\(number)].join: \(problem)")
            }
            if let regions = layer.input.regions, let problem = problem(with: regions) {
                problems.append("layers[\(number)].regions: \(problem)")
            }
            for (index, source) in layer.sources.enumerated() {
                guard let problem = problem(with: source) else { continue }
                problems.append("layers[\(number)].sources[\(index)]: \(problem)")
            }
        }
        return problems
    }

    private func problem(with source: String) -> String? {
        guard PointSource.isFile(source) else { return nil }
        let path = source.hasPrefix("/") ? source : (directory ?? ".") + "/" + source
        if PointSource.isReadable(path) { return nil }
        let folder = Self.directory(of: path) ?? "."
        let names = (try? Directory(folder).names()) ?? []
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let nearest = names.sorted().nearest(to: name).map { "; did you mean \"\($0)\"?" }
        return "there is no file \"\(source)\"" + (nearest ?? "")
    }
}
