import CLibrary

extension File {
    /// Reads what is available, up to the buffer's size; 0 at the end.
    ///
    /// It waits if nothing is available yet, also for a fifo's first writer.
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

    /// Reads at an offset, so that readers of one file don't disturb each other; 0 at the end.
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

    /// Whether `read` would not wait. It waits at most this long to find out, or without limit if the time is negative.
    ///
    /// The end counts as readable. A fifo that is not open for writing yet does not.
    public func waitUntilReadable(milliseconds: Int32) throws(FileError) -> Bool {
        var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&end, 1, milliseconds)
        // After a signal the result is false, so that a caller that waits without limit checks again, too.
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

    /// The bytes in a range of offsets; fewer if the file ends earlier.
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
