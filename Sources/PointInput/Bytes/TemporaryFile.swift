import CLibrary

/// A new file of our own, which only this user may read and which goes away with its owner.
///
/// One that has no name goes away even if the program is killed, but only we can read it.
struct TemporaryFile: ~Copyable {
    let path: String
    private let isNamed: Bool
    private let descriptor: Int32
    private(set) var count = 0

    init(in folder: String, isNamed: Bool = true) throws(InputError) {
        var template = Array("\(folder)/covey-XXXXXX".utf8CString)
        let opened = unsafe template.withUnsafeMutableBufferPointer { template -> Int32 in
            guard let start = template.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(start)
            if descriptor >= 0, !isNamed { unsafe unlink(start) }
            return descriptor
        }
        guard opened >= 0 else {
            throw .cannotOpen(input: "a file in \(folder)", reason: Self.reason())
        }
        descriptor = opened
        self.isNamed = isNamed
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Appends all the bytes of an input.
    mutating func append(contentsOf input: OpenInput) throws(InputError) {
        var window = InputWindow(input)
        while try window.fill(1) {
            try append(window.bytes(window.available))
            _ = try window.skip(window.available)
        }
    }

    mutating func append(_ bytes: Span<UInt8>) throws(InputError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            let more = unsafe rest.withUnsafeBytes { rest in
                unsafe write(descriptor, rest.baseAddress, rest.count)
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else {
                throw .cannotOpen(input: path, reason: "writing failed: \(Self.reason())")
            }
            written += more
        }
        count += written
    }

    /// Reads at an offset, so that readers don't disturb each other; 0 says that there is no more.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(InputError) -> Int {
        while true {
            let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .readFailed(input: path, offset: offset, reason: Self.reason())
            }
            return count
        }
    }

    private static func reason() -> String { unsafe String(cString: strerror(errno)) }

    deinit {
        close(descriptor)
        if isNamed { unsafe unlink(path) }
    }
}
