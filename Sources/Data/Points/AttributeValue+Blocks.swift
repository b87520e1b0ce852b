extension AttributeValue {
    /// Writes the value with its kind.
    package func write(to sink: inout BlockSink) {
        switch self {
        case .text(let text):
            sink.write(byte: 0)
            sink.write(text)
        case .number(let number):
            sink.write(byte: 1)
            sink.write(number)
        case .integer(let integer):
            sink.write(byte: 2)
            sink.write(UInt64(bitPattern: integer))
        case .unsigned(let unsigned):
            sink.write(byte: 3)
            sink.write(unsigned)
        case .bool(let flag):
            sink.write(byte: 4)
            sink.write(byte: flag ? 1 : 0)
        }
    }

    package init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        switch try source.byte() {
        case 0: self = .text(try source.text())
        case 1: self = .number(try source.double())
        case 2: self = .integer(Int64(bitPattern: try source.unsigned()))
        case 3: self = .unsigned(try source.unsigned())
        case 4: self = .bool(try source.byte() != 0)
        default: throw BlockSource.Damaged()
        }
    }
}
