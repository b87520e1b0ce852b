/// A new file of our own, which only this user may read and which goes away with its owner.
///
/// One that has no name goes away even if the program is killed, but only we can read it.
public struct TemporaryFile: ~Copyable {
    public let path: String
    private let isNamed: Bool
    private let file: File
    /// How many bytes were appended.
    public private(set) var count = 0

    public init(in directory: String, isNamed: Bool = true) throws(FileError) {
        let path = "\(directory)/covey-\(Process.uniqueName)"
        file = try UnfinishedFiles.begin(path) { () throws(FileError) in
            try File(creating: path, permissions: 0o600)
        }
        self.isNamed = isNamed
        self.path = path
        if !isNamed { UnfinishedFiles.remove(path) }
    }

    public mutating func append(_ bytes: Span<UInt8>) throws(FileError) {
        try file.write(bytes)
        count += bytes.count
    }

    /// Reads at an offset, so that readers don't disturb each other; 0 says that there is no more.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileError) -> Int {
        try unsafe file.read(into: buffer, at: offset)
    }

    deinit { if isNamed { UnfinishedFiles.remove(path) } }
}
