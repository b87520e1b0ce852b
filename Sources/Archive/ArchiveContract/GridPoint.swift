import Geometry

/// A position on a grid of 2^30 steps a world, 4 cm at the equator, as in the index and in the leaf blocks.
public struct GridPoint: Hashable, Sendable {
    public var x: Int32
    public var y: Int32

    public init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }

    /// The grid point nearest to a position of the unit square; `x` may lie up to a world outside.
    @inlinable
    public init(_ point: WorldPoint) {
        x = Int32((point.x * Self.steps).rounded())
        y = Int32((point.y * Self.steps).rounded())
    }

    /// The nearest grid point to a position of an untrusted file, which may lie anywhere.
    public init(clamping point: WorldPoint) {
        x = Self.step(clamping: point.x)
        y = Self.step(clamping: point.y)
    }

    private static func step(clamping coordinate: Double) -> Int32 {
        let step = (coordinate * steps).rounded()
        return step.isNaN ? 0 : Int32(min(max(step, Double(Int32.min)), Double(Int32.max)))
    }

    public var worldPoint: WorldPoint {
        WorldPoint(x: Double(x) / Self.steps, y: Double(y) / Self.steps)
    }

    public static let steps = 0x1p30
}

extension GridPoint {
    /// The points whose x and y are four little-endian bytes each; nil if the length is wrong.
    public static func unpack(_ bytes: Span<UInt8>) -> [GridPoint]? {
        guard bytes.count % 8 == 0 else { return nil }
        return stride(from: 0, to: bytes.count, by: 8).map { start in
            func number(at offset: Int) -> Int32 {
                (0..<4).reduce(0) { $0 | Int32(bytes[offset + $1]) << Int32(8 * $1) }
            }
            return GridPoint(x: number(at: start), y: number(at: start + 4))
        }
    }
}
