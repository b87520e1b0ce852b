import Clustering
import JSON

/// All that is wrong with a recipe.
public struct RecipeError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, each with the path at which it stands and, if there is one, the right word.
    public let problems: [String]

    public init(problems: [String]) { self.problems = problems }

    public var description: String { problems.joined(separator: "\n") }
}

/// Gathers what is wrong with a recipe while it is read, so that all of it is said at once.
struct RecipeProblems {
    private var texts: [String] = []

    /// Does something that tells of a problem by throwing an error that has its path.
    /// - Returns: what came of it; nil if it threw.
    mutating func gather<Value>(_ work: () throws -> Value) -> Value? {
        do { return try work() } catch {
            texts.append("\(error)")
            return nil
        }
    }

    /// Does something some of whose errors, the engine's, don't know where they belong.
    mutating func gather<Value>(at path: JSONPath, _ work: () throws -> Value) -> Value? {
        gather {
            do { return try work() } catch let error as ClusteringError {
                throw RecipeError(problems: ["\(path): \(error)"])
            }
        }
    }

    mutating func note(_ problem: String, at path: JSONPath) { texts.append("\(path): \(problem)") }

    /// Throws what was gathered, if anything was.
    func finish() throws(RecipeError) {
        if !texts.isEmpty { throw RecipeError(problems: texts) }
    }
}

extension JSONNode {
    /// The error that says that one of these words belongs here, and which was probably meant.
    func wrong(among words: [String]) -> JSONError {
        wrong("one of " + words.joined(separator: ", "), nearestOf: words)
    }

    /// The error that says what belongs here, and which of these words was probably meant.
    func wrong(_ expected: String, nearestOf words: [String]) -> JSONError {
        let nearest = value.asString.flatMap(words.nearest).map { " (did you mean \"\($0)\"?)" }
        return wrong(expected + (nearest ?? ""))
    }
}
