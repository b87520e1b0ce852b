import Foundation
import Testing

/// A build that waits for an input that gives nothing ends when it is told to.
struct StoppingTests {
    @Test(arguments: ["standard input", "a fifo without a writer", "a fifo that is silent"])
    func `a signal ends a build that waits, and leaves nothing`(input: String) throws {
        let terminal = try Terminal()
        let fifo = terminal.folder.appending(path: "fifo.csv").path
        #expect(mkfifo(fifo, 0o600) == 0)
        let pipe = Pipe()
        let writer = input == "a fifo that is silent" ? open(fifo, O_RDWR) : -1
        defer { if writer >= 0 { close(writer) } }
        try terminal.write("", to: "words")
        let words = terminal.folder.appending(path: "words")
        let process = try terminal.start(
            "build", input == "standard input" ? "-" : "fifo.csv", "-o", "x.mbtiles",
            "--progress", "json", input: pipe, words: FileHandle(forWritingTo: words))
        // Once its output is begun, the program listens for signals.
        while try terminal.names.allSatisfy({ !$0.hasPrefix(".x.mbtiles") }), process.isRunning {
            usleep(5_000)
        }
        let start = ContinuousClock.now
        process.terminate()
        process.waitUntilExit()
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(process.terminationReason == .exit && process.terminationStatus == 130)
        #expect(try terminal.read("words").contains("stopped; nothing was written"))
        #expect(try terminal.names == ["fifo.csv", "words"])
    }
}
