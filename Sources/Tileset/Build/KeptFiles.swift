import Platform

/// Files that must not be replaced, by whatever name.
public struct KeptFiles {
    private var names: [FileStatus.Identity: String] = [:]

    /// - Parameter paths: what is not there needs no keeping.
    public init(_ paths: [String]) {
        for path in paths {
            guard let status = try? FileStatus(of: path) else { continue }
            names[status.identity] = path
        }
    }

    /// Throws if writing to a path would replace one of them.
    public func check(_ path: String) throws(BuildError) {
        guard let status = try? FileStatus(of: path), let input = names[status.identity] else {
            return
        }
        throw .outputIsInput(output: path, input: input)
    }
}
