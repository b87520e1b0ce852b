/// A walk over the readable features of a layer.
public struct FeatureCursor: ~Escapable {
    let layer: LayerView
    private var index = 0
    /// The faults of the features that were left out so far.
    public private(set) var skipped: [TileError] = []

    @_lifetime(copy layer)
    init(_ layer: LayerView) { self.layer = layer }

    /// The next feature, or nil after the last.
    /// - Throws: fatal faults only.
    @_lifetime(copy self)
    public mutating func next() throws(TileError) -> FeatureView? {
        while index < layer.featureCount {
            index += 1
            do throws(TileError) {
                return try layer.feature(at: index - 1)
            } catch {
                guard error.isRecoverable else { throw error }
                skipped.append(error)
            }
        }
        return nil
    }
}
