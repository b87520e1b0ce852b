import Clustering
import Platform
import Points
import Synchronization

/// The points below all that the cells handed up, for a top that looks at them again: their places in one
/// file, from which any are read as they are asked for, so that memory holds few at a time.
final class TopMembers: Sendable {
    /// Members of a hierarchy that follow one another.
    private struct Stretch {
        var first: Int
        var count: Int
        /// Where their places begin in the file.
        var offset: Int
        /// Where their block begins in the file of their cell.
        var cell: Int
        var block: Int
    }

    private let job: CellJob
    private let passes: Int
    private let path: String
    private let file: File
    /// For each hierarchy, in the order of the numbers.
    private let stretches: [[Stretch]]
    /// The first thing that went wrong.
    private let failure = Mutex<(any Error)?>(nil)

    /// Brings the places of all cells together. Their files are looked through, so that what is read
    /// later is known to be whole.
    init(_ job: CellJob, _ passes: Int) throws {
        self.job = job
        self.passes = passes
        path = "\(job.files.folder("top"))/members.\(Process.uniqueName).part"
        do throws(FileError) {
            file = try UnfinishedFiles.begin(path) { [path] () throws(FileError) in
                try File(creating: path)
            }
        } catch {
            throw JobError.cannotWrite(path: path, reason: "\(error)")
        }
        do {
            stretches = try Self.copy(job, passes, to: file, path)
        } catch {
            UnfinishedFiles.remove(path)
            throw error
        }
    }

    /// Copies the places of all cells; answers where they lie.
    private static func copy(
        _ job: CellJob, _ passes: Int, to file: borrowing File, _ path: String
    ) throws -> [[Stretch]] {
        try job.folder.fetch(
            job.division.cells.map { job.files.members(of: $0.cellName, passes) })
        var stretches: [[Stretch]] = job.units.map { _ in [] }
        var size = 0
        for cell in job.division.cells.indices {
            try job.checkCancelled()
            var reader = try MemberReader(of: cell, passes, job)
            while let block = try reader.next() {
                do throws(FileError) {
                    try file.write(block.places.span, at: size)
                } catch {
                    throw JobError.cannotWrite(path: path, reason: "\(error)")
                }
                let last = stretches[block.unit].last
                stretches[block.unit].append(
                    Stretch(
                        first: last.map { $0.first + $0.count } ?? 0,
                        count: block.places.count / MemberColumn.stride, offset: size, cell: cell,
                        block: block.offset))
                size += block.places.count
            }
        }
        return stretches
    }

    deinit { UnfinishedFiles.remove(path) }

    /// Throws what went wrong where members were asked for.
    func check() throws { if let error = failure.withLock({ $0 }) { throw error } }

    private func fail(_ error: any Error) { failure.withLock { $0 = $0 ?? error } }

    /// Those of one hierarchy.
    struct Hierarchy: HandedUpMembers {
        fileprivate let all: TopMembers
        fileprivate let unit: Int

        func append(_ members: Range<Int>, to places: inout MemberPlaces) {
            all.append(members, of: unit, to: &places)
        }

        func records(of members: [Int]) -> AttributeTable { all.records(of: members, unit) }
    }

    func hierarchy(_ unit: Int) -> Hierarchy { Hierarchy(all: self, unit: unit) }

    /// The stretch that holds a member.
    private func stretch(of member: Int, _ unit: Int) -> Int {
        let stretches = stretches[unit]
        var (low, high) = (0, stretches.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if stretches[middle].first <= member { low = middle } else { high = middle }
        }
        return low
    }

    private func append(_ members: Range<Int>, of unit: Int, to places: inout MemberPlaces) {
        let wanted = places.xs.count + members.count
        var next = members.lowerBound
        var index = stretch(of: next, unit)
        while next < members.upperBound, index < stretches[unit].count {
            let stretch = stretches[unit][index]
            let end = min(members.upperBound, stretch.first + stretch.count)
            let start = stretch.offset + (next - stretch.first) * MemberColumn.stride
            do throws(FileError) {
                MemberColumn.append(
                    try file.bytes(start..<start + (end - next) * MemberColumn.stride), to: &places)
            } catch {
                fail(JobError.cannotRead(path: path, reason: "\(error)"))
            }
            (next, index) = (end, index + 1)
        }
        guard places.xs.count < wanted else { return }
        fail(JobError.doesNotAddUp("members \(members) of hierarchy \(unit) are missing"))
        while places.xs.count < wanted {
            places.xs.append(0)
            places.ys.append(0)
            places.weights.append(1)
        }
    }

    private func records(of members: [Int], _ unit: Int) -> AttributeTable {
        // In the order of their blocks, so that each is read once.
        let order = members.indices.sorted { members[$0] < members[$1] }
        var sorted = AttributeTable(keys: job.keys)
        var places = Array(repeating: 0, count: members.count)
        var block: (index: Int, records: AttributeTable) = (-1, AttributeTable(keys: job.keys))
        for (place, ordinal) in order.enumerated() {
            let index = stretch(of: members[ordinal], unit)
            let stretch = stretches[unit][index]
            if index != block.index {
                block = (index, records(of: stretch))
            }
            let record = members[ordinal] - stretch.first
            if record < block.records.count {
                sorted.append(record: record, of: block.records)
            } else {
                fail(JobError.doesNotAddUp("member \(members[ordinal]) has no record"))
                sorted.append([], ends: [0].span)
            }
            places[ordinal] = place
        }
        var records = AttributeTable(keys: job.keys)
        for place in places { records.append(record: place, of: sorted) }
        return records
    }

    private func records(of stretch: Stretch) -> AttributeTable {
        do {
            return try MemberFile(job).records(at: stretch.block, of: stretch.cell, passes)
        } catch {
            fail(error)
            return AttributeTable(keys: job.keys)
        }
    }
}
