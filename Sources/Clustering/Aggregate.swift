/// A value that a cluster gets from its points: `mean_price=mean:price`.
public struct Aggregate: Equatable, Sendable {
    public var name: String
}
