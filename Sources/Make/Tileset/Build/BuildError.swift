import ArchiveContract
import Platform

/// Why a build failed, apart from the errors of its stages.
public enum BuildError: Error, Equatable {
    case cancelled
    /// No layer has points; the accounts say in words what was read of each.
    case noPoints(layers: [String], accounts: [String])
    case noPointInRegions(layer: String, file: String)
    case notEnoughMemory(needed: Int, allowed: Int)
    /// `ulimit -v` leaves too little address space.
    case notEnoughAddresses(needed: Int, left: Int)
    case reservedNames([String], layer: String)
    case tooManyClusters(layer: String, ClusterNamesError)
    /// Readers would refuse a tile, a leaf block or a point of so many bytes; an attribute has most of them.
    case tooLarge(String, bytes: Int, most: Int, attribute: String?)
    /// The archive would replace one of the files that it is made from.
    case outputIsInput(output: String, input: String)
}

extension BuildError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cancelled:
            "stopped; nothing was written"
        case .noPoints(let layers, let accounts):
            "no points in \(layers.joined(separator: ", "))"
                + zip(layers, accounts).map { "\n\($0): \($1)" }.joined()
                + "\nan archive needs at least one; check --filter and what was skipped"
        case .noPointInRegions(let layer, let file):
            "\(layer): no point lies in a region of \(file)\n"
                + "check whether both are of one place, and what coordinates the file of regions has"
        case .reservedNames(let names, let layer):
            "\(layer): its points have \(names.joined(separator: ", ")), by which clients tell a "
                + "cluster from a point\n"
                + "use --reserved-names rename or drop, or --exclude"
        case .tooManyClusters(let layer, let error):
            "\(layer): \(error.clusters) clusters of zoom \(error.zoom) stand in one tile, and ids "
                + "name \(error.names) there\n"
                + "group by an attribute of fewer values, or use a larger radius"
        case .tooLarge(let what, let bytes, let most, let attribute):
            "\(what) would take \(Self.size(atLeast: bytes)), and readers take \(Self.size(most))\n"
                + (attribute.map {
                    "most of it is \($0): leave that out (--exclude), or shorten its texts"
                } ?? "use a larger radius, or fewer attributes of clusters")
        case .outputIsInput(let output, let input):
            output == input
                ? "\(output) is itself an input of this build\nname another output"
                : "\(output) is the same file as \(input), which this build reads\n"
                    + "name another output"
        case .notEnoughMemory(let needed, let allowed):
            "this build needs about \(Self.size(atLeast: needed)) of memory and may use "
                + "\(Self.size(allowed))\n"
                + "use --memory to allow more, --exclude attributes, or split the input"
        case .notEnoughAddresses(let needed, let left):
            "this build needs about \(Self.size(atLeast: needed)) of addresses and ulimit -v leaves it "
                + "\(Self.size(left))\n"
                + "raise that limit, use fewer --threads, --exclude attributes, or split the input"
        }
    }
    private static func size(_ bytes: Int) -> String {
        bytes < 10 << 20 ? "\((bytes + 1_023) >> 10) KiB" : "\(bytes >> 20) MiB"
    }

    /// A size that suffices if it is given.
    private static func size(atLeast bytes: Int) -> String {
        size(bytes < 10 << 20 ? bytes : bytes + (1 << 20) - 1)
    }
}

extension KeptFiles {
    /// Throws if writing to a path would replace one of these files.
    public func check(_ path: String) throws(BuildError) {
        guard let input = file(at: path) else { return }
        throw .outputIsInput(output: path, input: input)
    }
}
