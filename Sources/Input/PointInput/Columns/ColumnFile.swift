import Platform

/// A columnar file that is read here and there, by any number of threads at once.
final class ColumnFile: Sendable {
    let name: String
    let size: Int
    private let file: File
    /// What came from a pipe, for as long as it is read.
    private let copy: InputCopyOwner?

    // It is only kept.
    private final class InputCopyOwner: @unchecked Sendable {
        let copy: InputCopy
        init(_ copy: consuming InputCopy) { self.copy = copy }
    }

    init(_ input: OpenInput, temporaryDirectory: String) throws(InputError) {
        name = input.name
        var path = input.path
        if path == nil {
            var copy = try InputCopy(in: temporaryDirectory, of: input.name)
            try copy.append(contentsOf: input)
            path = copy.path
            self.copy = InputCopyOwner(copy)
        } else {
            copy = nil
        }
        do throws(FileError) {
            file = try File(readingRegular: path ?? "")
            size = try file.status().size
        } catch {
            throw .cannotOpen(input: input.name, reason: error.description)
        }
    }

    /// The bytes of a range that is within the file.
    func bytes(_ range: Range<Int>) throws(InputError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.bytes(range) } catch {
            throw .readFailed(input: name, offset: range.lowerBound, reason: error.description)
        }
        guard bytes.count == range.count else { throw .changedWhileRead(input: name) }
        return bytes
    }

    func malformed(_ fault: some CustomStringConvertible, at location: String) -> InputError {
        .malformed(input: name, location: location, problem: fault.description)
    }
}
