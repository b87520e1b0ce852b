import Foundation
import Testing

@testable import covey

/// A signal that comes when some work is about to be complete.
struct LateSignalTests {
    @Test func `what is complete is kept, and nothing follows`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let console = Console()
            let first = try Interruption.stopping(console, clean: {}) { _ in 1 }
            try Interruption.goOn()
            let second = try Interruption.stopping(console, clean: {}) { interruption in
                kill(getpid(), SIGINT)
                while !interruption.isRequested { usleep(1_000) }
                return 2
            }
            guard first == 1, second == 2 else { exit(1) }
            do {
                try Interruption.goOn()
                exit(2)
            } catch {
                exit("\(error)" == "stopped" ? 0 : 3)
            }
        }
    }
}
