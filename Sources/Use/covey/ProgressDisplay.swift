import Arguments
import JSON
import Synchronization
import Tileset

enum ProgressStyle: String, ArgumentChoice {
    /// A moving line on a terminal, plain lines elsewhere.
    case auto
    case plain
    case json
    case none
}

/// Shows the progress of a build, to people or to a program.
final class ProgressDisplay: Sendable {
    private struct State {
        var stage: BuildStage?
        var stageStart = ContinuousClock.now
        var lastShown = ContinuousClock.now
        /// The latest progress, and whether it was shown.
        var last: (progress: BuildProgress, isShown: Bool)?
        var hasLine = false
    }

    private let style: ProgressStyle
    private let console: Console
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    init(_ style: ProgressStyle, console: Console) {
        self.style = style == .auto ? (console.isInteractive ? .auto : .plain) : style
        self.console = console
    }

    /// May be called from any thread at any rate; shows at most ten updates a second.
    func show(_ progress: BuildProgress) {
        guard style != .none else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            let isNew = state.stage != progress.stage
            if isNew {
                endStage(&state, now)
                state.stage = progress.stage
                state.stageStart = now
            }
            let pause: Duration = style == .plain ? .seconds(5) : .milliseconds(100)
            let isShown = isNew || now - state.lastShown >= pause
            state.last = (progress, isShown)
            guard isShown else { return }
            state.lastShown = now
            let seconds = (now - state.stageStart) / .seconds(1)
            switch style {
            case .json: tell(progress.json(seconds: seconds))
            case .plain: console.say(progress.line(seconds: seconds))
            case .auto:
                console.sayInPlace(progress.line(seconds: seconds))
                state.hasLine = true
            case .none: break
            }
        }
    }

    /// Tells programs that all of a stage is done, unless the latest line said so.
    private func endStage(_ state: inout State, _ now: ContinuousClock.Instant) {
        guard style == .json, var (progress, isShown) = state.last else { return }
        if let total = progress.total, progress.done != total {
            (progress.done, isShown) = (total, false)
        }
        if !isShown { tell(progress.json(seconds: (now - state.stageStart) / .seconds(1))) }
        state.last = nil
    }

    private func tell(_ line: JSONValue) { console.say(line.text()) }

    /// Tells programs what there is to say besides how far it is.
    func note(_ text: String) { tell(["note": .string(text)]) }

    /// Tells programs that nothing comes after this.
    func end() {
        guard style == .json else { return }
        let now = ContinuousClock.now
        state.withLock { endStage(&$0, now) }
        tell(["stage": "done", "seconds": .init(thousandths: (now - start) / .seconds(1))])
    }

    /// Clears the moving line.
    func finish() {
        state.withLock { state in
            if state.hasLine { console.sayInPlace("") }
            state.hasLine = false
        }
    }
}

extension BuildProgress {
    func line(seconds: Double) -> String {
        var text = stage.rawValue
        if let subject { text += " \(subject)" }
        guard !unit.isEmpty else { return text }
        guard done > 0 else {
            // Before anything is done, only the total is shown.
            return text + (total.map { $0 > 0 ? ", \(Quantity.text($0, unit))" : "" } ?? "")
        }
        text += ": " + Quantity.text(done, of: total.flatMap { $0 > 0 ? $0 : nil }, unit)
        guard seconds >= 1 else { return text }
        let rate = Double(done) / seconds
        text += ", \(Quantity.text(Int(rate), unit))/s"
        if let total, total > done { text += ", \(Int(Double(total - done) / rate) + 1) s left" }
        return text
    }

    fileprivate func json(seconds: Double) -> JSONValue {
        var object: JSONObject = [
            "stage": .string(stage.rawValue), "unit": .string(unit), "done": .integer(Int64(done)),
            "seconds": .init(thousandths: seconds),
        ]
        object["total"] = total.map { .integer(Int64($0)) }
        object["subject"] = subject.map(JSONValue.string)
        return .object(object)
    }
}

extension JSONValue {
    fileprivate init(thousandths number: Double) {
        self.init(canonical: (number * 1000).rounded() / 1000)
    }
}
