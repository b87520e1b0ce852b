import Foundation
import Testing

@testable import PointInput

/// Files that are just long enough, one byte too short, or shorter than they were.
struct ShortFileTests {
    @Test func `a FlatGeobuf is known by seven bytes`() {
        func isKnown(_ bytes: [UInt8]) -> Bool {
            let known = FlatGeobufReader.recognises(bytes.span)
            return known
        }
        let start = Array("fgb\u{3}fgb".utf8)
        #expect(isKnown(start) && isKnown(start + [0]))
        for end in 0..<7 { #expect(!isKnown(Array(start[..<end]))) }
        for index in [0, 1, 2, 4, 5, 6] {
            var other = start
            other[index] = UInt8(ascii: "x")
            #expect(!isKnown(other))
        }
    }

    /// Its end is a record of 22 bytes, which is all that an archive of nothing has.
    @Test func `a zip archive of no files is whole, and a byte less is cut off`() throws {
        let end: [UInt8] = Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18)
        let whole = TemporaryFile(Data(end))
        defer { whole.remove() }
        #expect(try ZipDirectory(whole.path, of: "a.zip").members == [])
        let cut = TemporaryFile(Data(end.dropLast()))
        defer { cut.remove() }
        let error = #expect(throws: InputError.self) { try ZipDirectory(cut.path, of: "a.zip") }
        #expect(error?.description.contains("is cut off") == true)
    }

    @Test func `a file of columns that gets shorter while it is read is told of`() throws {
        let stored = TemporaryFile(Data(repeating: 7, count: 100))
        defer { stored.remove() }
        let input = try OpenInput(MemoryStream([]), name: "a", path: stored.path)
        let file = try InputFile(input, temporaryDirectory: NSTemporaryDirectory())
        #expect(try file.bytes(90..<100).count == 10 && file.size == 100)
        try FileHandle(forWritingTo: URL(filePath: stored.path)).truncate(atOffset: 95)
        #expect(try file.bytes(90..<95).count == 5)
        let error = #expect(throws: InputError.self) { try file.bytes(90..<100) }
        guard case .changedWhileRead(input: "a")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
