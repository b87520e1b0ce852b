/// The values of all lines of a head with one name.
struct HeaderLines {
    /// The name in lower case.
    let name: StaticString
    private(set) var joined: String?

    init(name: StaticString) { self.name = name }

    mutating func take(name: Span<UInt8>, value: Span<UInt8>) {
        guard RequestFraming.isSame(name, self.name) else { return }
        joined = (joined.map { $0 + ", " } ?? "") + String(value)
    }
}
