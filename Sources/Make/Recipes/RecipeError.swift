import Clustering
import JSON

/// All problems of a recipe.
public struct RecipeError: Error, Hashable, CustomStringConvertible {
    /// The problems, each with its path and, if there is one, the word that was probably meant.
    public let problems: [String]

    public init(problems: [String]) { self.problems = problems }

    public var description: String { problems.joined(separator: "\n") }
}

/// Gathers the problems of a recipe while it is read, so that all are reported at once.
struct RecipeProblems {
    private var texts: [String] = []

    /// Runs work that throws an error with its path if there is a problem.
    /// - Returns: the result; nil if the work threw.
    mutating func gather<Value>(_ work: () throws -> Value) -> Value? {
        do { return try work() } catch {
            texts.append("\(error)")
            return nil
        }
    }

    /// Runs work that may throw errors of the engine, which do not have a path.
    mutating func gather<Value>(at path: JSONPath, _ work: () throws -> Value) -> Value? {
        gather {
            do { return try work() } catch let error as ClusteringError {
                throw RecipeError(problems: ["\(path): \(error)"])
            }
        }
    }

    mutating func note(_ problem: String, at path: JSONPath) { texts.append("\(path): \(problem)") }

    /// Throws the gathered problems, if there are any.
    func finish() throws(RecipeError) {
        if !texts.isEmpty { throw RecipeError(problems: texts) }
    }
}

extension JSONNode {
    /// The value as the name of a file.
    var fileName: String {
        get throws(JSONError) {
            let name = try string
            if name.isEmpty { throw wrong("the name of a file") }
            return name
        }
    }

    /// An error that says that one of these words is expected, and which was probably meant.
    func wrong(among words: [String]) -> JSONError {
        wrong("one of " + words.joined(separator: ", "), nearestOf: words)
    }

    /// An error that says what is expected, and which of these words was probably meant.
    func wrong(_ expected: String, nearestOf words: [String]) -> JSONError {
        let nearest = value.asString.flatMap(words.nearest).map { " (did you mean \"\($0)\"?)" }
        return wrong(expected + (nearest ?? ""))
    }
}
