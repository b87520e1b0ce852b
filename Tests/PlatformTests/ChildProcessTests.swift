import CLibrary
import Platform
import Testing

struct ChildProcessTests {
    #if os(Linux)
        @Test func `where no pipe can be opened, nothing else is closed`() async {
            await #expect(processExitsWith: .success) {
                var none = rlimit(rlim_cur: 0, rlim_max: 1_000)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
                do {
                    _ = try ChildProcess("true", [])
                    exit(EXIT_FAILURE)
                } catch {
                    exit(fcntl(STDOUT_FILENO, F_GETFD) >= 0 ? EXIT_SUCCESS : EXIT_FAILURE)
                }
            }
        }
    #endif

    @Test func `a program that has closed its output alone is waited for in peace`() throws {
        var process = try ChildProcess("sh", ["-c", "exec >&-; sleep 0.4; echo last >&2"])
        let start = Self.threadSeconds
        var buffer = [UInt8](repeating: 0, count: 100)
        var errors = ""
        reading: while true {
            switch process.wait(&buffer, milliseconds: 5_000) {
            case .errors(let count): errors += String(decoding: buffer[..<count], as: UTF8.self)
            case .output: Issue.record("there is no output")
            default: break reading
            }
        }
        #expect(errors == "last\n" && process.exitCode() == 0)
        #expect(Self.threadSeconds - start < 0.03)
    }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
