import JSON
import Platform
import PointInput
import Projections
import Recipes
import Spelling

/// A recipe in a file, and the files that it refers to.
struct RecipeFile {
    /// The greatest size of a recipe; a larger file is data.
    static let limit = 4 << 20

    let recipe: Recipe
    private let directory: String?

    init(_ path: String) throws {
        let document = try Self.document(of: path)
        recipe = try Self.naming(path) { try Recipe(reading: JSONNode(document)) }
        directory = Self.directory(of: path)
    }

    init(_ source: RecipeSource) {
        (recipe, directory) = (source.recipe, source.directory)
    }

    static func document(of path: String) throws -> JSONValue {
        let text = try TextFile.read(path, upTo: limit, mayBeInput: true)
        return try naming(path) { try JSONValue(parsing: text) }
    }

    /// Names the file in errors about what is in it.
    static func naming<Result>(_ path: String, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error as RecipeError {
            throw error.named(path)
        } catch let error as JSONError {
            throw RecipeError(problems: ["\(error)"]).named(path)
        }
    }

    /// The folder of a file as named; nil if the name has none.
    static func directory(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The sources that do not exist, and the coordinate systems that are unknown, in words.
    var missing: [String] {
        var problems: [String] = []
        for (number, layer) in recipe.layers.enumerated() {
            if let system = layer.input.crs {
                do throws(ProjectionError) { _ = try Projection(from: system.definition) } catch {
                    let key = "layers[\(number)].crs"
                    problems.append(
                        "\(InputError.unsupportedCRS(input: key, name: system.name, error))")
                }
            }
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

/// An error of one layer's input whose advice names an option, which would apply to all layers.
struct LayerInputError: Error, CustomStringConvertible {
    let description: String

    /// Nil if the advice is right as it is.
    init?(_ error: InputError, in source: RecipeSource) {
        let words = explanation(of: error)
        guard let file = source.files.first, source.recipe.layers.count > 1, words.contains("--")
        else { return nil }
        description =
            words
            + "\noptions beside \(file) apply to all of its layers: for one, set the key in its layer there"
    }
}

extension RecipeError {
    /// The same problems with the file that has them.
    func named(_ path: String) -> RecipeError {
        RecipeError(problems: problems.map { "\(path): \($0)" })
    }
}
