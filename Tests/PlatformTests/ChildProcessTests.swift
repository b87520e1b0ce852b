import CLibrary
import Platform
import Testing

struct ChildProcessTests {
    /// The thread that starts it may hear none.
    @Test func `a program hears the signals that end it`() throws {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        for name in ["TERM", "INT", "HUP"] {
            var process = try ChildProcess("sh", ["-c", "kill -\(name) $$; exit 3"])
            #expect(process.exitCode() == nil, "\(name)")
        }
    }

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

        /// Without a standard input the first pipe takes its number. Other threads of the process may open or close a file
        /// meanwhile, so one turn of several has to end as it should; what a turn leaves open stays open in all that follow.
        @Test func `where a second pipe cannot be opened, the first is closed again`() async {
            await #expect(processExitsWith: .success) {
                close(STDIN_FILENO)
                for _ in 0..<50 {
                    var few = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few)
                    // As many as there are, and two more.
                    let second = fcntl(STDERR_FILENO, F_DUPFD, 1)
                    close(second)
                    few.rlim_cur = rlim_t(second) + 1
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few)
                    do {
                        // Another thread closed a file, and there was room for both.
                        var process = try ChildProcess("true", [])
                        _ = process.exitCode()
                    } catch {
                        let areClosed = [STDIN_FILENO, second].allSatisfy { fcntl($0, F_GETFD) < 0 }
                        if areClosed { exit(EXIT_SUCCESS) }
                    }
                    usleep(10_000)
                }
                exit(EXIT_FAILURE)
            }
        }

        /// Of ten turns each; the process itself may open a few meanwhile.
        @Test func `no program leaves a descriptor open, whether it starts or not`() async {
            await #expect(processExitsWith: .success) {
                func openDescriptors() throws -> Int {
                    try Directory("/proc/self/fd").names().count
                }
                for name in ["true", "no-such-program"] {
                    let before = try openDescriptors()
                    for _ in 0..<10 {
                        do throws(ChildProcess.StartFailure) {
                            var process = try ChildProcess(name, [])
                            guard process.exitCode() == 0, name == "true" else { exit(2) }
                        } catch {
                            guard case .notFound = error, name != "true" else { exit(3) }
                        }
                    }
                    guard try openDescriptors() < before + 10 else { exit(4) }
                }
                exit(EXIT_SUCCESS)
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

    /// More than a pipe holds, while the program still runs.
    @Test func `what a program writes is read as it comes`() throws {
        var process = try ChildProcess(
            "sh", ["-c", "head -c 300000 /dev/zero; sleep 0.1; echo end"])
        var buffer = [UInt8](repeating: 1, count: 1 << 16)
        var (count, last) = (0, "")
        let deadline = ContinuousClock.now + .seconds(20)
        reading: while ContinuousClock.now < deadline {
            switch process.wait(&buffer, milliseconds: 1_000) {
            case .output(let read):
                count += read
                last = String(decoding: buffer[max(0, read - 4)..<read], as: UTF8.self)
            case .errors, .silence: Issue.record("it writes to its output alone")
            case .end: break reading
            }
        }
        #expect(count == 300_004 && last == "end\n" && process.exitCode() == 0)
    }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
