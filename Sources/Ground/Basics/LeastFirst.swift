/// A heap whose first element is the least. Insertion and removal are O(log n).
public struct LeastFirst<Element: Comparable> {
    @usableFromInline
    var elements: [Element] = []

    @inlinable
    public init() {}

    @inlinable
    public var least: Element? { elements.first }

    @inlinable
    public var count: Int { elements.count }

    @inlinable
    public mutating func insert(_ element: Element) {
        var hole = elements.count
        elements.append(element)
        while hole > 0, element < elements[(hole - 1) / 2] {
            elements[hole] = elements[(hole - 1) / 2]
            hole = (hole - 1) / 2
        }
        elements[hole] = element
    }

    @inlinable
    public mutating func removeLeast() -> Element? {
        guard let least = elements.first, let last = elements.popLast() else { return nil }
        if !elements.isEmpty { sink(last) }
        return least
    }

    /// Replaces the least element by another.
    @inlinable
    public mutating func replaceLeast(by element: Element) { sink(element) }

    @inlinable
    mutating func sink(_ element: Element) {
        var hole = 0
        while true {
            var child = 2 * hole + 1
            guard child < elements.count else { break }
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < element else { break }
            elements[hole] = elements[child]
            hole = child
        }
        elements[hole] = element
    }
}

extension LeastFirst: Sendable where Element: Sendable {}

/// An item with its sort key; items with equal keys are compared themselves.
public struct Keyed<Key: Comparable, Item: Comparable>: Comparable {
    public let key: Key
    public let item: Item

    @inlinable
    public init(_ key: Key, _ item: Item) {
        self.key = key
        self.item = item
    }

    @inlinable
    public static func < (a: Keyed, b: Keyed) -> Bool { (a.key, a.item) < (b.key, b.item) }
}

extension Keyed: Sendable where Key: Sendable, Item: Sendable {}
