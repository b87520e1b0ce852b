import Testing

@testable import TileService
@testable import covey

/// What a server that runs tells people, in a process whose words are read.
struct JournalTests {
    private static func words(of result: ExitTest.Result?) -> [String] {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            .split(separator: "\n").map(String.init).filter { $0.contains("refused") }
    }

    @Test func `connections past the limits are told as they come, and none twice`() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let journal = ServiceJournal(console: Console(), isQuiet: true)
            for total in [0, 1, 1, 3, 3, 1_003] { journal.tell(refusedConnections: total) }
        }
        let rest = " refused: past --max-connections or --max-connections-per-ip"
        #expect(
            Self.words(of: result)
                == ["1 connection", "2 connections", "1000 connections"].map {
                    "covey: \($0)\(rest)"
                })
    }
}
