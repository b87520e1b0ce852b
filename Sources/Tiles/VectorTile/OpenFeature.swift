/// The state of a builder for the feature that it is writing.
struct OpenFeature: Sendable {
    /// How the geometry is kept until the tags before it are written.
    enum Shape {
        case point(x: Int32, y: Int32)
        /// The packed integers lie in the builder's scratch memory.
        case packed(GeometryType)
    }

    var isOpen = false
    var shape = Shape.packed(.unknown)
    /// Where the feature's and the tags' payloads begin in the builder's features.
    var start = 0
    var tagsStart: Int?
}
