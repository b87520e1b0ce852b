/// The path of a value in a document: `sources.places.filter[2]`.
public struct JSONPath: Hashable, Sendable {
    public enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    public private(set) var steps: [Step] = []

    public static let root = JSONPath()

    private init() {}

    /// The path of a member of this object.
    public subscript(key: String) -> JSONPath { appending(.key(key)) }

    /// The path of an element of this array.
    public subscript(index: Int) -> JSONPath { appending(.index(index)) }

    private func appending(_ step: Step) -> JSONPath {
        var path = self
        path.steps.append(step)
        return path
    }
}

extension JSONPath: CustomStringConvertible {
    /// The path in readable form; the root is `top level`.
    public var description: String {
        guard !steps.isEmpty else { return "top level" }
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : ".\(key)"
            case .key(let key): text += "[\(JSONValue.string(key).text())]"
            }
        }
        return text
    }

    /// Whether a path can contain the key without quotes.
    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty
            && key.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || ("0"..."9").contains($0)
                    || "_-:".unicodeScalars.contains($0)
            }
    }
}
