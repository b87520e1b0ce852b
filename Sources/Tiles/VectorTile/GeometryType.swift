/// The type of a feature's geometry (MVT 4.3.4).
public enum GeometryType: UInt8, Sendable, CaseIterable {
    case unknown = 0
    case point = 1
    case lineString = 2
    case polygon = 3
}
