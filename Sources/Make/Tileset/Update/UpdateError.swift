/// Why an archive cannot be updated.
public enum UpdateError: Error, Equatable {
    case noPointsKept(archive: String)
    case pointsAreGone(archive: String, file: String)
    /// The points should be in a job, which has them no longer.
    case jobIsGone(archive: String, folder: String)
    case damaged(file: String)
    case isLocked(archive: String)
    case noLayer(String, known: [String])
    case layerMissing(known: [String])
    /// Two points have the key that a change is about.
    case twoPoints(key: String, identity: PointIdentity, layer: String)
    case noKeys(identity: PointIdentity, layer: String)
    /// Features have texts as ids, which become an attribute named `id`, so that changes have no ids.
    case idsAreAttributes(layer: String)
    case factsChange([String])
    case noPointsLeft(layer: String)
}

extension UpdateError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noPointsKept(let archive):
            "\(archive): says nothing of the points that it was built of\n"
                + "build it with --keep-points, which keeps them in a file beside it"
        case .pointsAreGone(let archive, let file):
            "\(file): is not there, and \(archive) was built of its points\n"
                + "put it back beside the archive, under this name, or build with --keep-points again"
        case .jobIsGone(let archive, let folder):
            "\(folder): is not the folder of a job of this version with the points that \(archive) was built of\n"
                + "name that folder with --job if it has moved, or build with --keep-points --job again"
        case .damaged(let file):
            "\(file): is damaged, or of another version of covey\nbuild the archive again with --keep-points"
        case .isLocked(let archive):
            "\(archive): another run of covey is bringing it up to date\ntry again when that is done"
        case .noLayer(let name, let known):
            "there is no layer \(name)\nthe archive has \(known.joined(separator: ", "))"
        case .layerMissing(let known):
            "the archive has several layers: \(known.joined(separator: ", "))\nname one with --layer"
        case .twoPoints(let key, let identity, let layer):
            "layer \(layer): two points have the \(identity.words) \(key), which is to change\n"
                + "name an attribute with --key that no two points share"
        case .noKeys(let identity, let layer):
            "layer \(layer): no point has \(identity.article) \(identity.words), so none can be changed or deleted\n"
                + "name the attribute that tells points apart with --key"
        case .idsAreAttributes(let layer):
            "layer \(layer): the changes have an attribute id, and no numbers as ids of features\n"
                + "tell points apart by it: --key id"
        case .factsChange(let facts):
            "all tiles would be others: \(facts.joined(separator: "; "))\n"
                + "leave out --no-rebuild, or state this when building"
        case .noPointsLeft(let layer):
            "layer \(layer): no point would be left\nan archive needs at least one; remove the archive instead"
        }
    }
}

extension PointIdentity {
    fileprivate var words: String {
        switch self {
        case .id: "id"
        case .attribute(let name): "attribute \(name)"
        }
    }

    fileprivate var article: String { "an" }
}
