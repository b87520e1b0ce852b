import Arguments
import CLibrary
import Tileset

/// `covey build --watch`: builds again whenever inputs change, until it is stopped.
struct BuildWatch {
    private let arguments: ParsedArguments
    private let console: Console
    private var build: LiveBuild

    init(_ build: LiveBuild, _ arguments: ParsedArguments, console: Console) throws(UsageError) {
        guard LiveBuild.canWatch(build.inputs) else {
            throw .contradiction(
                "--watch is for files, whose dates tell when they have changed",
                remedy: "leave out --watch, or name files")
        }
        self.build = build
        self.arguments = arguments
        self.console = console
    }

    /// The first build is like any other; errors of later ones are reported, and the archive stays as it was.
    mutating func run() throws -> Never {
        try once(replacing: arguments[BuildVerb.force])
        while true {
            usleep(500_000)
            guard build.isDue() else { continue }
            do {
                try once(replacing: true)
            } catch let error as Interrupted {
                throw error
            } catch {
                console.complain("\(build.path): stays as it was: \(explanation(of: error))")
            }
        }
    }

    private mutating func once(replacing: Bool) throws {
        let run = BuildRun(arguments, console: console)
        try run.run { options, progress in
            var options = options
            options.replacesExisting = replacing
            return try build.build(options, progress)
        }
        try Interruption.goOn()
        let words = "watching its inputs; Ctrl-C ends it"
        run.say(words, remarks: [words])
    }
}
