import CLibrary

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
        var template = Array("\(directory)/covey-XXXXXX".utf8CString)
        let descriptor = unsafe template.withUnsafeMutableBufferPointer { template -> Int32 in
            guard let start = template.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(start)
            if descriptor >= 0, !isNamed { unsafe unlink(start) }
            return descriptor
        }
        file = try File(descriptor: descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.isNamed = isNamed
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
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

    deinit { if isNamed { try? File.remove(path) } }
}
