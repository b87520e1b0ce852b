/// Why an archive cannot be updated.
public enum UpdateError: Error, Equatable {
    case noPointsKept(archive: String)
    case pointsAreGone(archive: String, file: String)
    /// The points should be in a job, which has them no longer.
    case jobIsGone(archive: String, folder: String)
    /// The points are in a job of another archive, of which this one is a copy.
    case jobIsOfOther(archive: String, folder: String, other: String)
    case damaged(file: String)
    case isLocked(archive: String)
    case noLayer(String, known: [String])
    case layerMissing(known: [String])
    /// Two points have the key that a change is about.
    case twoPoints(key: String, identity: PointIdentity, layer: String)
    case noKeys(identity: PointIdentity, layer: String)
    /// Features have texts as ids, which become an attribute named `id`, so that changes have no ids.
    case idsAreAttributes(layer: String)
    /// The expression for points to remove is none.
    case badExpression(String)
    case factsChange([String])
    case noPointsLeft(layer: String)
}

extension UpdateError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noPointsKept(let archive):
            "\(archive): does not say which points it was built from\n"
                + "build it again with --keep-points, or update the parts that it was joined of"
        case .pointsAreGone(let archive, let file):
            "\(file): is missing; it holds the points that \(archive) was built from\n"
                + "put it back beside the archive, under this name, or build with --keep-points again"
        case .jobIsGone(let archive, let folder):
            "\(folder): is not a job folder of this version of covey with the points that "
                + "\(archive) was built from\n"
                + "name that folder with --job if it has moved, "
                + "or build with --keep-points --job again, in a new folder"
        case .jobIsOfOther(let archive, let folder, let other):
            "\(archive): its points are in \(folder), the job of \(other), which could not be updated any more\n"
                + "copy the job's folder as well, and name the copy with --job"
        case .damaged(let file):
            "\(file): is damaged, or was written by another version of covey\n"
                + "build the archive again with --keep-points"
        case .isLocked(let archive):
            "\(archive): another run of covey is bringing it up to date\ntry again when that is done"
        case .noLayer(let name, let known):
            "there is no layer \(name)\nthe archive has \(known.joined(separator: ", "))"
        case .layerMissing(let known):
            "the archive has several layers: \(known.joined(separator: ", "))\nname one with --layer"
        case .twoPoints(let key, let identity, let layer):
            "layer \(layer): a change is for \(identity.words) \(key), which two points have (--dedupe may hide one)\n"
                + "name an attribute with --key that no two points share, or remove these by --delete-where"
        case .noKeys(let identity, let layer):
            "layer \(layer): no point has \(identity.article) \(identity.words), so none can be changed or deleted\n"
                + "name the attribute that tells points apart with --key"
        case .idsAreAttributes(let layer):
            "layer \(layer): the features of the changes have no numbers as ids, but an attribute id\n"
                + "tell points apart by that attribute: --key id"
        case .badExpression(let problem): "--delete-where: \(problem)"
        case .factsChange(let facts):
            "all tiles would change: \(facts.joined(separator: "; "))\n"
                + "leave out --no-rebuild, or set this explicitly in the build"
        case .noPointsLeft(let layer):
            "layer \(layer): no point would be left\nan archive needs at least one; remove the archive instead"
        }
    }
}

extension PointIdentity {
    fileprivate var words: String {
        switch self {
        case .id, .ids: "id"
        case .attribute(let name): "attribute \(name)"
        }
    }

    fileprivate var article: String { "an" }
}
