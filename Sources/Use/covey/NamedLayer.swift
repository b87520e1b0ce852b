import Arguments
import JSON
import PointInput

/// A layer's name and an input for it: `-L NAME:FILE`.
struct NamedLayer: ArgumentValue {
    let name: String
    let input: String

    /// - Parameter argument: `NAME:FILE`, or an object with the keys `file` and `layer`.
    init(argument: String) throws(ValueError) {
        let expected = ValueError(expected: "NAME:FILE, or {\"file\": FILE, \"layer\": NAME}")
        if let object = (try? JSONValue(parsing: argument))?.asObject {
            guard object.keys.allSatisfy(["file", "layer"].contains),
                let file = object["file"]?.asString
            else { throw expected }
            // An empty file name means standard input.
            input = file.isEmpty ? "-" : file
            name = object["layer"]?.asString ?? LayerName.stem(of: input)
            return
        }
        let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw expected }
        (name, input) = (parts[0], parts[1])
    }

    /// A recipe of one layer for each input, or of one for all.
    /// - Parameters:
    ///   - named: inputs with layer names; those of one name make one layer.
    ///   - layer: the name of a single layer for all.
    static func document(
        of inputs: [String], and named: [NamedLayer], layer: String?
    ) -> JSONValue {
        var layers: [(name: String, sources: [JSONValue])] = []
        func add(_ input: String, to name: String) {
            if let index = layers.firstIndex(where: { $0.name == name }) {
                layers[index].sources.append(.string(input))
            } else {
                layers.append((name, [.string(input)]))
            }
        }
        for input in inputs {
            let stem = LayerName.stem(of: input)
            // If two files in different folders have one name, their layers get numbers.
            let free = (1...).lazy.map { $0 == 1 ? stem : "\(stem)-\($0)" }.first { name in
                !layers.contains { $0.name == name }
            }
            add(input, to: layer ?? free ?? stem)
        }
        for each in named { add(each.input, to: layer ?? each.name) }
        return [
            "layers": .array(
                layers.map { ["name": .string($0.name), "sources": .array($0.sources)] })
        ]
    }
}

/// The name of a layer that has none on the command line.
enum LayerName {
    /// The file's name without folders and endings; `points` for standard input, pipes of the shell and databases. For
    /// a pattern, it is the name of the folder.
    static func stem(of input: String) -> String {
        let isFolder = input.hasSuffix(".gdb") || input.hasSuffix(".gdb/")
        if !PointSource.isFile(input), !input.contains("://"), !isFolder { return "points" }
        if ["/dev/fd/", "/dev/stdin", "/proc/self/fd/"].contains(where: input.hasPrefix) {
            return "points"
        }
        // A `?` in an address begins its query; it is no pattern.
        let names = input.split(separator: "/")
            .filter { name in input.contains("://") || !name.contains { "*?=".contains($0) } }
        guard let name = names.last.map(String.init) else { return "points" }
        let path = name.split(separator: "?").first.map(String.init) ?? name
        let stem = path.split(separator: ".").first.map(String.init) ?? path
        return stem == "-" || stem.isEmpty ? "points" : stem
    }
}
