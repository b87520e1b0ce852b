import CLibrary

/// One of the three streams with which a program is started.
public enum StandardStream: Int32, CaseIterable, Sendable {
    case input, output, errors

    /// Opens those that were closed when the program was started, so that no other file gets their
    /// number and, with it, what is meant for them. To be called before anything else is opened.
    ///
    /// The null device is opened the wrong way round: what reads or writes such a stream fails, as it
    /// does where the stream is closed, and a lost output is not taken for a written one.
    public static func openClosed() {
        for stream in allCases where fcntl(stream.rawValue, F_GETFD) < 0 {
            // The lowest number that is free is that of the stream.
            let device = unsafe open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
            // Where there are no devices, a folder can't be read or written either.
            if device < 0 { _ = unsafe open("/", O_RDONLY) }
        }
    }

    /// Writes all the bytes.
    public func write(_ bytes: Span<UInt8>) throws(FileError) {
        var written = 0
        try write(bytes, written: &written)
    }

    /// Writes all the bytes, and counts those that were written where not all can be.
    public func write(_ bytes: Span<UInt8>, written: inout Int) throws(FileError) {
        try File.write(bytes, to: rawValue, written: &written)
    }

    /// Whether it is a terminal.
    public var isTerminal: Bool { isatty(rawValue) == 1 }
}
