import JSON
import PointInput
import Recipes

/// What is to change about the points of an archive.
public struct UpdateRequest: Sendable {
    /// Files of points that come or are replaced, and of removals.
    public var sources: [String] = []
    /// How those are read, where that is not as the archive's recipe says.
    public var input: InputRecipe?
    /// The layer that changes; nil where there is only one.
    public var layer: String?
    public var identity = PointIdentity.id
    /// The keys of points that go.
    public var deletions: [PointKey] = []
    /// Points go for which this expression of the style specification is true.
    public var leaves: JSONValue?
    /// The attribute that is true of records that take a point away.
    public var removalMark = "delete"
    /// Whether to refuse what makes all tiles others.
    public var keepsFacts = false

    public init() {}
}
