import CLibrary

extension File {
    /// Reads what there is, up to the buffer's size; 0 says that there is no more.
    ///
    /// It waits where nothing is there yet, for a fifo's first writer too.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        guard buffer.count > 0 else { return 0 }
        while true {
            let count = unsafe CLibrary.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: _ = try waitUntilReadable(milliseconds: -1)
            default: throw .last
            }
        }
    }

    /// Reads at an offset, so that readers of one file don't disturb each other; 0 says that there
    /// is no more.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileError) -> Int {
        while true {
            let count = unsafe pread(
                descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last }
        }
    }

    /// Whether `read` would not wait; asked for at most that long, and for ever if it is negative.
    ///
    /// An end, too, is something to read. A fifo that is not open for writing yet is not.
    public func waitUntilReadable(milliseconds: Int32) throws(FileError) -> Bool {
        var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&end, 1, milliseconds)
        // Who waits in small steps looks again anyway; who waits for ever is asked to look again.
        guard ready >= 0 || errno == EINTR else { throw .last }
        return ready > 0
    }

    /// The next bytes, up to a count or the end.
    public func bytes(upTo count: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(count, 1 << 16))
        while bytes.count < count {
            let wanted = min(piece.count, count - bytes.count)
            let more = try unsafe piece.withUnsafeMutableBufferPointer {
                piece throws(FileError) in
                try unsafe read(
                    into: UnsafeMutableRawBufferPointer(
                        UnsafeMutableBufferPointer(rebasing: piece[..<wanted])))
            }
            if more == 0 { break }
            bytes += piece[..<more]
        }
        return bytes
    }

    /// The bytes at some offsets; fewer where the file ends before.
    public func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            unsafe fill(UnsafeMutableRawBufferPointer(buffer), from: range, &count, &failure)
        }
        if let failure { throw failure }
        return bytes
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from range: Range<Int>, _ count: inout Int,
        _ failure: inout FileError?
    ) {
        do {
            while count < range.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let more = try unsafe read(into: rest, at: range.lowerBound + count)
                if more == 0 { return }
                count += more
            }
        } catch {
            failure = error
        }
    }

    /// All bytes of a regular file; nil if it has more than `limit`.
    public static func contents(
        of path: String, limit: Int
    ) throws(FileError) -> [UInt8]? {
        let bytes = try File(readingRegular: path).bytes(upTo: limit + 1)
        return bytes.count > limit ? nil : bytes
    }
}
