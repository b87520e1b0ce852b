import Arguments
import Inspection
import JSON

/// `covey verify FILE`.
enum VerifyVerb: Verb {
    static let name = "verify"
    static let summary = "decodes every tile and checks format, metadata and clusters"
    static let usage = "verify FILE [OPTION]…"
    static let examples = ["verify places.mbtiles", "verify places.mbtiles --deep --json"]

    static let json = Option(flag: "json", "the findings as JSON")
    static let quiet = Option(
        flag: "quiet", short: "q", "no progress, and no output if all is well")
    static let deep = Option(
        flag: "deep", "recompute the clusters' attributes from all points, and compare")
    static let syntax = VerbSyntax(
        operands: [.init("FILE", "an archive, a tile (gzip or not), or - for a tile")],
        groups: [
            .init("Options", deep, json, quiet, InspectVerb.threads)
        ])

    /// As of `diff`: 1 says that errors were found.
    static let failure = ExitCode.badUsage

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let path = arguments.operands[0]
        let verdict: Verdict
        switch try Subject(path: path) {
        case .tile(let loose):
            let verification = TileVerification(of: loose)
            verdict = Verdict(
                path: path, findings: verification.findings, json: verification.json,
                summary: "a tile of \(loose.stored.count.grouped) bytes")
        case .archive(let archive):
            let progress = ProgressLine(
                console, isShown: !arguments[quiet] && !arguments[json])
            defer { progress.clear() }
            let verification = try Verification(
                of: archive, threads: arguments.threadCount, isDeep: arguments[deep]
            ) {
                progress.show("\($0.grouped) tiles checked")
            }
            verdict = Verdict(
                path: path, findings: verification.findings, json: verification.json,
                summary: verification.summary)
        }
        try verdict.show(on: console, arguments)
    }
}

/// The result of a verification, and the exit code for it.
struct Verdict {
    let path: String
    let findings: FindingList
    let json: JSONValue
    let summary: String

    func show(on console: Console, _ arguments: ParsedArguments) throws {
        if arguments[VerifyVerb.json] {
            console.print(json.text(.pretty))
        } else if !arguments[VerifyVerb.quiet] || !findings.all.isEmpty {
            console.show(lines)
        }
        guard !findings.hasErrors else { throw FoundErrors(path: path) }
    }

    var lines: [String] {
        var lines = ["\(path): \(summary)"]
        for finding in findings.all {
            let times = finding.count > 1 ? " (\(finding.count.grouped) times)" : ""
            lines.append("")
            lines.append(
                "\(finding.severity.rawValue) \(finding.code): \(finding.message)\(times)"
                    .wrapped(to: AlignedTable.lineWidth, indent: 4))
            for location in finding.locations {
                lines.append("    \(location)".wrapped(to: AlignedTable.lineWidth, indent: 8))
            }
            let rest = finding.count - finding.locations.count
            if rest > 0, !finding.locations.isEmpty { lines.append("    and \(rest.grouped) more") }
        }
        if findings.all.isEmpty { lines.append("all is well") }
        return lines
    }
}

/// The error of a check that found errors: they have been printed, so this is short.
struct FoundErrors: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path): not as it should be; the findings say where" }
}

extension Verification {
    fileprivate var summary: String {
        var words = ["\(survey.tiles.grouped) tiles decoded"]
        if isCovey {
            words.append(
                hasIndex ? "clusters held against their index" : "clusters checked by tiles alone")
        } else if survey.hasClusters {
            words.append(
                "the archive does not describe its clusters, so only their tiles were checked")
        }
        return words.joined(separator: ", ")
    }
}

/// A line on the terminal that shows progress; nothing if there is no terminal.
final class ProgressLine {
    private let console: Console
    private let isShown: Bool
    private var last = ContinuousClock.now
    private var hasText = false

    init(_ console: Console, isShown: Bool) {
        self.console = console
        self.isShown = isShown && console.isInteractive
    }

    func show(_ text: String) {
        let now = ContinuousClock.now
        guard isShown, now - last > .milliseconds(100) else { return }
        last = now
        hasText = true
        console.sayInPlace(text)
    }

    func clear() {
        if hasText { console.sayInPlace("") }
        hasText = false
    }
}
