import JSON
import PointInput
import Recipes

/// The changes to the points of an archive.
public struct UpdateRequest: Sendable {
    /// Files of points to add or replace, and of removals.
    public var sources: [String] = []
    /// How these files are read, if not as the archive's recipe says.
    public var input: InputRecipe?
    /// The layer to change; nil if there is only one.
    public var layer: String?
    public var identity = PointIdentity.id
    /// The keys of points to remove.
    public var deletions: [PointKey] = []
    /// An expression of the style specification that is true of points to remove.
    public var leaves: JSONValue?
    /// The attribute that is true in records that remove a point.
    public var removalMark = "delete"
    /// Whether to refuse changes that would change all tiles.
    public var keepsFacts = false

    public init() {}
}
