import Synchronization

/// The files and folders that must not outlive this process: unfinished outputs, and temporary
/// files with a name.
///
/// The code that makes one removes it when its work is done or given up. A program that has to end
/// at once can't wait for that: it removes them in its last step.
public enum UnfinishedFiles {
    private struct State {
        var paths: Set<String> = []
        var isAnyPublished = false
    }
    private static let state = Mutex(State())

    /// Creates a file that is unfinished from then on.
    public static func begin<Made: ~Copyable>(
        _ path: String, _ make: () throws(FileError) -> Made
    ) throws(FileError) -> Made {
        try change { state throws(FileError) in
            let made = try make()
            state.paths.insert(path)
            return made
        }
    }

    /// Does what gives a file its final name. `sweep` cannot run in between. If it throws, the file
    /// stays unfinished.
    public static func publish(
        _ path: String, _ work: () throws(FileError) -> Void
    ) throws(FileError) {
        try change { state throws(FileError) in
            try work()
            state.paths.remove(path)
            state.isAnyPublished = true
        }
    }

    /// Removes a file, or a folder with its contents, if possible.
    public static func discard(_ path: String) {
        do {
            try File.remove(path)
        } catch {
            guard !error.isMissing else { return }
            try? Directory.removeTree(path)
        }
    }

    /// Removes an unfinished file or folder; one that can't be removed does no harm.
    public static func remove(_ path: String) {
        state.withLock { state in
            discard(path)
            state.paths.remove(path)
        }
    }

    /// Removes all of them and ends the program; meanwhile none begins or is published.
    /// - Parameter end: receives whether a file has been published.
    public static func sweep(andThen end: (_ isAnyPublished: Bool) -> Never) -> Never {
        state.withLock { state in
            for path in state.paths { discard(path) }
            end(state.isAnyPublished)
        }
    }

    private static func change<Result: ~Copyable>(
        _ body: (inout State) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        var result: Swift.Result<Result, FileError>?
        state.withLock { state in
            do throws(FileError) {
                result = .success(try body(&state))
            } catch {
                result = .failure(error)
            }
        }
        return try result.take()!.get()
    }
}
