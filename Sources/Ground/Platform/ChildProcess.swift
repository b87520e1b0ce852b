import CLibrary

/// A program that runs as a child process, with pipes from its standard output and standard error.
///
/// It is started by name with a list of arguments, without a shell. It ends with its owner at the
/// latest, or with this program if that has to end at once.
public struct ChildProcess: ~Copyable {
    private let id: pid_t
    private let output: Int32
    private let errors: Int32
    private var isOutputOpen = true
    private var areErrorsOpen = true
    private var isRunning = true

    public enum StartFailure: Error { case notFound, failed(String) }

    /// Starts the program with this name that is found in `PATH`.
    public init(_ program: String, _ arguments: [String]) throws(StartFailure) {
        var pipes: [Int32] = [-1, -1, -1, -1]
        let opened = unsafe pipes.withUnsafeMutableBufferPointer { ends in
            guard let start = ends.baseAddress else { return false }
            return unsafe pipe(start) == 0 && pipe(start + 2) == 0
        }
        guard opened else {
            for end in pipes where end >= 0 { close(end) }
            throw .failed(FileError.words(for: errno))
        }
        for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var started: (id: pid_t, code: Int32) = (0, 0)
        RunningPrograms.begin {
            started = Self.spawn(program, arguments, output: pipes[1], errors: pipes[3])
            return started.code == 0 ? started.id : nil
        }
        close(pipes[1])
        close(pipes[3])
        guard started.code == 0 else {
            close(pipes[0])
            close(pipes[2])
            throw started.code == ENOENT ? .notFound : .failed(FileError.words(for: started.code))
        }
        id = started.id
        output = pipes[0]
        errors = pipes[2]
    }

    static func spawn(
        _ program: String, _ arguments: [String], output: Int32, errors: Int32
    ) -> (id: pid_t, code: Int32) {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // The program must not ask a user whose terminal this may be.
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        // Signals that this process handles or ignores get their default action. A terminal's
        // Ctrl-C reaches only this process: code that waits for a program also ends it.
        var usual = sigset_t()
        unsafe sigemptyset(&usual)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] {
            unsafe sigaddset(&usual, number)
        }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        // Threads that hear no signals start programs, too.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map {
            unsafe strdup($0)
        }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        var id: pid_t = 0
        let code = unsafe posix_spawnp(&id, program, &actions, &attributes, words, environ)
        return (id, code)
    }

    /// Output of the program, its end, or silence for the given time.
    public enum Event { case output(Int), errors(Int), end, silence }

    /// Waits for more output of the program, and puts it into `buffer`.
    public mutating func wait(_ buffer: inout [UInt8], milliseconds: Int32) -> Event {
        var ends = [
            pollfd(fd: isOutputOpen ? output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: areErrorsOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
        ]
        while isOutputOpen || areErrorsOpen {
            let ready = unsafe poll(&ends, nfds_t(ends.count), milliseconds)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return .silence }
            // Errors first: they contain the headers, which precede the body.
            if ends[1].revents != 0 {
                let count = unsafe read(errors, &buffer, buffer.count)
                if count > 0 { return .errors(count) }
                areErrorsOpen = false
                ends[1].fd = -1
            } else if ends[0].revents != 0 {
                let count = unsafe read(output, &buffer, buffer.count)
                if count > 0 { return .output(count) }
                isOutputOpen = false
                ends[0].fd = -1
            }
        }
        return .end
    }

    /// Waits for the program's end and returns its exit code, or nil if a signal ended it.
    public mutating func exitCode() -> Int32? {
        let status = RunningPrograms.waitForEnd(of: id)
        isRunning = false
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    deinit {
        if isRunning {
            kill(id, SIGKILL)
            _ = RunningPrograms.waitForEnd(of: id)
        }
        close(output)
        close(errors)
    }
}
