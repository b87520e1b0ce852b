import Arguments
import CLibrary
import Platform
import PointInput

/// Does the work of the program and ends it.
func finish(_ console: Console, after work: () throws -> Void) -> Never {
    let code = console.end(code(of: work, console: console))
    // Threads that were in the middle of something may still own temporary files.
    UnfinishedFiles.sweep { _ in exit(code.rawValue) }
}

/// Only here do errors become messages and exit codes.
private func code(of work: () throws -> Void, console: Console) -> ExitCode {
    do {
        try work()
        return .done
    } catch let error as UsageError {
        for problem in error.problems { console.complain(problem.description) }
        return .badUsage
    } catch let error as Interrupted {
        console.complain(error.description)
        return error.exitCode
    } catch {
        console.complain(explanation(of: error))
        return error is ArchivesDiffer || error is FoundErrors ? .badData : console.failure
    }
}

/// What an error says and, on the lines below it, what to do.
func explanation(of error: any Error) -> String {
    let advice = (error as? InputError)?.advice
    return (["\(error)"] + [advice].compactMap(\.self)).joined(separator: "\n")
}

func dispatch(_ words: [String], console: Console) throws {
    if CommandLine.arguments.isEmpty {
        throw UsageError.contradiction(
            "the command line cannot be read", remedy: "mount /proc: it is read from there")
    }
    guard let first = words.first else {
        console.say(HelpVerb.overview)
        throw UsageError.missingArgument("VERB")
    }
    switch first {
    case "--version", "-V":
        console.print("covey \(version)")
    case "--help", "-h":
        console.print(HelpVerb.overview)
    default:
        guard let verb = verb(named: first) else { throw UsageError.unknownVerb(near: first) }
        let rest = Array(words.dropFirst())
        if let extent = helpExtent(asked: rest) {
            console.print(verb.helpText(extent))
        } else {
            var console = console
            console.endsWithOutput = verb.onlyPrints
            console.failure = verb.failure
            let arguments = try verb.syntax.parse(rest)
            if !arguments[BuildVerb.quiet] {
                for note in arguments.notes { console.say("covey: \(note)") }
            }
            try verb.run(arguments, console: console)
        }
    }
}

/// How much help is asked for. Before `--`, a request for help comes before errors of the command line.
func helpExtent(asked words: [String]) -> HelpExtent? {
    let words = words.prefix { $0 != "--" }
    if words.contains("--help=all") { return .all }
    return words.contains("--help") || words.contains("-h") ? .screen : nil
}

// This comes before any file is opened, which could get the number of a closed stream.
StandardStream.openClosed()
// A reader that closes the pipe (`covey … | head`) shows as a failed write, not as a signal.
signal(SIGPIPE, SIG_IGN)
// So does the limit of a file's size (ulimit -f): unfinished files can still be removed.
signal(SIGXFSZ, SIG_IGN)
// Otherwise, each thread that had a tile of many megabytes would keep its memory.
ProcessMemory.givesBackLargeBlocks()
ProcessMemory.savesAddresses()
let console = Console()
finish(console) { try dispatch(Array(CommandLine.arguments.dropFirst()), console: console) }
