import Platform
import PointInput
import Points
import Recipes
import Synchronization

/// Takes points out of memory while they are read, as soon as they would be too many, and writes
/// those of each layer to a part.
final class PointStore: PointSpill {
    private struct State: ~Copyable {
        /// The writer of each layer whose part has been begun.
        var writers: [PartWriter?]
        var heads: [NamedHead?]
        /// The keys that occur in a record of each layer whose part is complete, found by name: they may be renamed later.
        var used: [Set<AttributeKey>?]
        var layer = 0
        /// Points of earlier inputs that are not written yet, as they are too few for a run.
        var waiting: PointTable
        /// The number of the layer's points that were taken.
        var count = 0
        /// The numbers of the layer's points at which inputs begin, from the last input of which
        /// points were taken; the last entry is for the present one.
        var inputs: [Int] = []
        /// What had been written when the present input began, if more has been written since.
        var before: PartWriter.Written?
        var isTaking: Bool
        var folder: JobFolder?
        /// The parts that are complete, if they are for a plan of this process.
        var own: [OwnPart] = []
        /// The points of earlier layers that are in memory, and their bytes.
        var earlierLayers = (points: 0, bytes: 0)

        /// How many points of the next finished input were not taken; nil if only the present input is left.
        mutating func rowsOfNextInput() -> Int? {
            guard inputs.count > 1 else { return nil }
            inputs.removeFirst()
            return inputs[0] - count
        }
    }

    private let state: Mutex<State>
    private let makeFolder: @Sendable () throws(JobError) -> JobFolder
    private let mustTake: @Sendable (_ points: Int, _ bytes: Int) -> Bool
    let recipe: Recipe
    let options: BuildOptions
    private let noPoints: PointSurvey
    private let ownsParts: Bool
    private let runs: PointRuns
    let keys: AttributeKeys

    /// - Parameters:
    ///   - makeFolder: makes the job's folder when the first points are taken.
    ///   - always: whether points are taken from the start.
    ///   - mustTake: whether a number of points is too much for memory.
    ///   - ownsParts: whether parts are removed unless a plan names them.
    ///   - runs: how many points make a run.
    init(
        _ recipe: Recipe, _ keys: AttributeKeys, _ options: BuildOptions, always: Bool,
        makeFolder: @escaping @Sendable () throws(JobError) -> JobFolder,
        mustTake: @escaping @Sendable (_ points: Int, _ bytes: Int) -> Bool = { _, _ in true },
        ownsParts: Bool = false, runs: PointRuns = PointRuns()
    ) throws {
        self.ownsParts = ownsParts
        self.runs = runs
        noPoints = try PointSurvey(of: recipe)
        (self.recipe, self.options, self.keys) = (recipe, options, keys)
        (self.makeFolder, self.mustTake) = (makeFolder, mustTake)
        state = Mutex(
            State(
                writers: recipe.layers.map { _ in nil }, heads: recipe.layers.map { _ in nil },
                used: recipe.layers.map { _ in nil },
                waiting: PointTable(keys: keys), isTaking: always))
    }

    var isTaking: Bool { state.withLock { $0.isTaking } }
    var count: Int { state.withLock { $0.count } }

    /// The job's folder, which is made if it does not exist.
    func folder() throws(JobError) -> JobFolder {
        if let folder = state.withLock({ $0.folder }) { return folder }
        let folder = try makeFolder()
        state.withLock { $0.folder = folder }
        return folder
    }

    func files() throws(JobError) -> PartFolder {
        PartFolder(try folder(), recipe, generator: options.generator)
    }

    /// Continues with the points of another layer.
    func begin(layer: Int) {
        state.withLock { state in
            state.layer = layer
            (state.count, state.inputs, state.before) = (0, [0], nil)
        }
    }

    func beginInput(behind count: Int) {
        state.withLock { state in
            state.inputs.append(count)
            state.before = nil
        }
    }

    /// Counts a layer that stays in memory, as far as is known.
    func keeps(_ table: PointTable) {
        state.withLock { state in
            state.earlierLayers.points += table.count
            state.earlierLayers.bytes += table.byteCount
        }
    }

    /// Takes all points from now on if those of earlier layers, and these or what clusters will carry, are too much.
    @discardableResult
    func takeAllIfTooMuch(points: Int = 0, bytes: Int) -> Bool {
        state.withLock {
            let (earlier, earlierBytes) = $0.earlierLayers
            $0.isTaking = $0.isTaking || mustTake(earlier + points, earlierBytes + bytes)
            return $0.isTaking
        }
    }

    func take(_ table: inout PointTable, of input: String) throws(InputError) {
        guard takeAllIfTooMuch(points: table.count, bytes: table.byteCount) else { return }
        try write(of: input) { () throws(JobError) in
            try takeEarlierInputs(&table)
            try takeRuns(&table)
        }
    }

    /// Takes the rest of a layer, which completes its part.
    @discardableResult
    func end(
        _ table: inout PointTable, _ report: InputReport, of input: String
    ) throws(InputError) -> NamedHead {
        try write(of: input) { () throws(JobError) in
            beginInput(behind: count + table.count)
            try takeEarlierInputs(&table)
            try writeWaiting()
            let writer = try writer()
            let (files, folder) = (try files(), try folder())
            let head = try writer.finish(report, in: files)
            state.withLock { state in
                if ownsParts { state.own.append(OwnPart(head.name, in: folder)) }
                state.heads[state.layer] = head
                state.used[state.layer] = Set(head.head.used.compactMap(keys.key))
                state.writers[state.layer] = nil
            }
            return head
        }
    }

    /// The heads of the layers' complete parts; `own` has the parts that are removed unless a plan names them.
    var heads: [NamedHead?] { state.withLock { $0.heads } }
    var own: [OwnPart] { state.withLock { $0.own } }
    var used: [Set<AttributeKey>?] { state.withLock { $0.used } }

    /// Takes the rest of earlier inputs, which is never given back.
    private func takeEarlierInputs(_ table: inout PointTable) throws(JobError) {
        var taken = 0
        while let rows = state.withLock({ $0.rowsOfNextInput() }) {
            let input = taken..<taken + rows
            let written = try writeRuns(of: table, in: input)
            let rest = written.upperBound..<input.upperBound
            state.withLock { state in
                state.waiting.append(table.slice(rest))
                state.count += rest.count
            }
            if runs.first(of: state.withLock { $0.waiting }) != nil { try writeWaiting() }
            taken = input.upperBound
        }
        table = table.slice(taken..<table.count)
    }

    /// Takes runs of the present input, which may be given back.
    private func takeRuns(_ table: inout PointTable) throws(JobError) {
        let written = try writeRuns(of: table, in: 0..<table.count) { writer in
            state.withLock { if $0.before == nil { $0.before = writer.written } }
        }
        table = table.slice(written.upperBound..<table.count)
    }

    /// Writes the waiting points, even if they are few.
    private func writeWaiting() throws(JobError) {
        let (waiting, first) = state.withLock { ($0.waiting, $0.count - $0.waiting.count) }
        guard waiting.count > 0 else { return }
        try writer().write(waiting, 0..<waiting.count, from: first)
        state.withLock { $0.waiting = PointTable(keys: keys) }
    }

    /// Writes all whole runs of some rows, after the waiting points.
    /// - Parameter begin: is called before the first run.
    /// - Returns: the rows that were written.
    private func writeRuns(
        of table: PointTable, in rows: Range<Int>, begin: (PartWriter) -> Void = { _ in }
    ) throws(JobError) -> Range<Int> {
        var end = rows.lowerBound
        while let run = runs.first(of: table, in: end..<rows.upperBound) {
            let writer = try writer()
            if end == rows.lowerBound {
                try writeWaiting()
                begin(writer)
            }
            try writer.write(table, run, from: count - run.lowerBound)
            state.withLock { $0.count += run.count }
            end = run.upperBound
        }
        return rows.lowerBound..<end
    }

    /// The writer of the present layer's points.
    private func writer() throws(JobError) -> PartWriter {
        let layer = state.withLock { $0.layer }
        if let writer = state.withLock({ $0.writers[layer] }) { return writer }
        let files = try files()
        try JobFolder.make(files.path)
        let writer = try PartWriter(
            in: files, recipe, layer: layer, noPoints, keys, threads: options.threads)
        state.withLock { $0.writers[layer] = writer }
        return writer
    }

    /// Turns an error into one of inputs, which says why points cannot be taken out of memory.
    private func write<Result>(
        of input: String, _ body: () throws(JobError) -> Result
    ) throws(InputError) -> Result {
        do {
            return try body()
        } catch {
            let written = state.withLock { $0.writers[$0.layer]?.byteCount }
            guard case .cannotWrite(let path, let reason) = error else {
                throw .noTemporaryFile(directory: "--job", reason: "\(error)")
            }
            guard let written else { throw .noTemporaryFile(directory: path, reason: reason) }
            let directory = Directory.split(path).directory
            throw .copyTooLarge(input: input, directory: directory, bytes: written, reason: reason)
        }
    }

    func startAgain(_ table: inout PointTable) {
        state.withLock { state in
            guard let before = state.before else {
                return table.truncate(to: (state.inputs.last ?? 0) - state.count)
            }
            state.writers[state.layer]?.written = before
            (state.count, state.before) = (state.inputs[0], nil)
            table = PointTable(keys: keys)
        }
    }
}
