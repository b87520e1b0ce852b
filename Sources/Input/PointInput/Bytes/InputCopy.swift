import Platform

/// A copy of an input's bytes in a temporary file, which is removed with its owner.
struct InputCopy: ~Copyable, Sendable {
    private var file: TemporaryFile
    private let directory: String
    /// The name of the input.
    let name: String

    var path: String { file.path }
    var count: Int { file.count }

    init(
        in directory: String, of name: String, isNamed: Bool = true, ending: String = ""
    ) throws(InputError) {
        self.directory = directory
        self.name = name
        do { file = try TemporaryFile(in: directory, isNamed: isNamed, ending: ending) } catch {
            throw .noTemporaryFile(directory: directory, reason: error.description)
        }
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
        do { try file.append(bytes) } catch { throw unwritable(error, count: file.count) }
    }

    /// Writes at an offset; the file may have gaps.
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(InputError) {
        do { try file.write(bytes, at: offset) } catch { throw unwritable(error, count: offset) }
    }

    private func unwritable(_ error: FileError, count: Int) -> InputError {
        .copyTooLarge(
            input: name, directory: directory, bytes: count, reason: error.description)
    }

    /// Reads at an offset, so that readers don't disturb each other; 0 at the end.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(InputError) -> Int {
        do { return try unsafe file.read(into: buffer, at: offset) } catch {
            throw .readFailed(input: name, offset: offset, reason: error.description)
        }
    }
}
