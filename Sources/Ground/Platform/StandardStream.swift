import CLibrary

/// One of the three standard streams of a program.
public enum StandardStream: Int32, CaseIterable, Sendable {
    case input, output, errors

    /// Opens the streams that were closed when the program was started, so that no other file gets
    /// their number and, with it, their data. Call it before anything else is opened.
    ///
    /// The null device is opened in the wrong direction: reading or writing such a stream fails, as
    /// it does with a closed stream, so that lost output is not taken for written output.
    public static func openClosed() {
        for stream in allCases where fcntl(stream.rawValue, F_GETFD) < 0 {
            // A new descriptor gets the lowest free number, which is the stream's.
            let device = unsafe open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
            // Without devices a folder serves: it can't be read or written either.
            if device < 0 { _ = unsafe open("/", O_RDONLY) }
        }
    }

    /// Writes all the bytes.
    public func write(_ bytes: Span<UInt8>) throws(FileError) {
        var written = 0
        try write(bytes, written: &written)
    }

    /// Writes all the bytes, and counts those written if it fails.
    public func write(_ bytes: Span<UInt8>, written: inout Int) throws(FileError) {
        try File.write(bytes, to: rawValue, written: &written)
    }

    /// The most bytes that a pipe takes at once if it takes any.
    public static let bytesAtOnce = Int(PIPE_BUF)

    /// Whether `bytesAtOnce` can be written without waiting for who reads it; true also if writing would fail.
    public var isWritable: Bool {
        var end = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&end, 1, 0) != 0
    }

    /// Whether it is a terminal.
    public var isTerminal: Bool { isatty(rawValue) == 1 }
}
