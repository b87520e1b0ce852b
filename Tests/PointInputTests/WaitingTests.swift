import CLibrary
import Foundation
import PointInput
import Points
import Synchronization
import Testing

/// A flag that some thread sets for another.
final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

/// Inputs that give nothing while a reader waits.
struct WaitingTests {
    private func withFifo(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "covey-fifo-\(UUID().uuidString)"
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        try body(path)
    }

    @Test(arguments: [false, true])
    func `a fifo that gives nothing can be left, with and without a writer`(hasWriter: Bool) throws
    {
        try withFifo { path in
            let writer = hasWriter ? open(path, O_RDWR) : -1
            defer { if hasWriter { close(writer) } }
            let flag = Flag()
            var options = InputOptions()
            options.isCancelled = {
                // The first question comes before the wait.
                defer { flag.set() }
                return flag.isSet
            }
            let error = #expect(throws: InputError.self) {
                _ = try PointTable.read([.file(path, named: "pipe")], options: options)
            }
            #expect(error == .cancelled(input: "pipe"))
        }
    }

    @Test func `a fifo is read to its end, however slowly its writer comes`() throws {
        try withFifo { path in
            let text = "lon,lat\n" + (0..<30_000).map { "\($0 % 90),\($0 % 80)\n" }.joined()
            let writer = Thread {
                let handle = FileHandle(forWritingAtPath: path)!
                for start in stride(from: 0, to: text.utf8.count, by: 50_000) {
                    try? handle.write(contentsOf: Data(text.utf8.dropFirst(start).prefix(50_000)))
                }
                try? handle.close()
            }
            writer.start()
            let (table, _) = try PointTable.read([.file(path, named: "pipe")])
            #expect(table.count == 30_000)
        }
    }

    @Test func `where no temporary file can be made, that is told`() throws {
        try withFifo { path in
            let writer = Thread {
                let text = "lon,lat\n1,2\n"
                try? FileHandle(forWritingAtPath: path)?.write(contentsOf: Data(text.utf8))
            }
            writer.start()
            var options = InputOptions()
            options.temporaryDirectory = "/proc"
            let error = #expect(throws: InputError.self) {
                _ = try PointTable.read([.file(path, named: "pipe")], options: options)
            }
            #expect(error?.description.hasPrefix("/proc: a temporary file cannot be made") == true)
            #expect(error?.advice?.contains("--temp-dir") == true)
        }
        let full = InputError.copyTooLarge(
            input: "pipe", directory: "/tmp", bytes: 7, reason: "why")
        #expect(full.description == "pipe: its copy in /tmp ends after 7 bytes: why")
    }
}
