import Platform

/// An input with random access from any number of threads.
final class InputFile: Sendable {
    let name: String
    let size: Int
    private let file: File
    /// The copy of a pipe's bytes, which exists while it is read.
    private let copy: InputCopy?
    /// The download that provides the file's bytes.
    private let download: PartialDownload?

    /// A file by its path.
    init(_ path: String, of name: String) throws(InputError) {
        self.name = name
        copy = nil
        download = nil
        do throws(FileError) {
            file = try File(readingRegular: path)
            size = try file.status().size
        } catch { throw .cannotOpen(input: name, reason: error.description) }
    }

    init(_ input: OpenInput, temporaryDirectory: String) throws(InputError) {
        name = input.name
        download = input.download
        var path = input.path ?? download?.path
        if path == nil {
            var copy = try InputCopy(in: temporaryDirectory, of: input.name)
            try copy.append(contentsOf: input)
            path = copy.path
            self.copy = consume copy
        } else {
            copy = nil
        }
        do throws(FileError) {
            file = try File(readingRegular: path ?? "")
            let stored = try file.status().size
            size = download?.size ?? stored
        } catch {
            throw .cannotOpen(input: input.name, reason: error.description)
        }
    }

    /// Announces the ranges that will be read, so that a download needs few requests.
    func expect(_ parts: [Range<Int>]) throws(InputError) { try download?.fetch(parts) }

    /// The bytes of a range within the file.
    func bytes(_ range: Range<Int>) throws(InputError) -> [UInt8] {
        try expect([range])
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.bytes(range) } catch {
            throw .readFailed(input: name, offset: range.lowerBound, reason: error.description)
        }
        guard bytes.count == range.count else { throw .changedWhileRead(input: name) }
        return bytes
    }

    /// The bytes from an offset on, at most `count`; fewer at the end of the file.
    func bytes(at offset: Int, upTo count: Int) throws(InputError) -> [UInt8] {
        let start = min(offset, size)
        return try bytes(start..<start + min(count, size - start))
    }

    /// Reads at an offset; 0 at the end.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(InputError) -> Int {
        do { return try unsafe file.read(into: buffer, at: offset) } catch {
            throw .readFailed(input: name, offset: offset, reason: error.description)
        }
    }

    func malformed(_ fault: some CustomStringConvertible, at location: String) -> InputError {
        .malformed(input: name, location: location, problem: fault.description)
    }
}
