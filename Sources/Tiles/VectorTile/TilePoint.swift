/// A position in a tile's own grid: x to the right, y down, from the upper left corner.
public struct TilePoint: Hashable, Sendable, BitwiseCopyable {
    public var x: Int32
    public var y: Int32

    @inlinable
    public init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }
}
