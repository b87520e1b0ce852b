import Points

extension HandedUpNodes {
    /// The nodes as bytes that mean the same on any machine; attributes by their names.
    public var bytes: [UInt8] {
        var sink = ByteSink()
        write(to: &sink)
        return sink.bytes
    }

    public init(bytes: [UInt8], keys: AttributeKeys) throws(CellBytesError) {
        var source = ByteSource(bytes)
        try self.init(from: &source, keys: keys)
        guard source.isAtEnd else { throw source.fail() }
    }
}
