import Points

/// Nodes of a square below that went into clusters of a square above the cells, or that it hands up unchanged.
struct UpperMembers: Sendable {
    let square: Int
    /// The rows of these nodes in the frontier of their square.
    var rows = Column<UInt32>()
    /// The nodes handed up here that they are below, and the number of leaves before them there.
    var roots = Column<UInt32>()
    var offsets = Column<Int>()
    var parentZooms = Column<Int8>()

    /// The rows of some nodes in the frontier of their square, in the job before and now.
    struct MovedRows {
        let before: [UInt32]
        let now: [UInt32]

        func row(of row: UInt32) -> UInt32? {
            let index = before.indices.partitionPoint { before[$0] >= row }
            return index < before.count && before[index] == row ? now[index] : nil
        }
    }
}

/// The file with all of these of a square. It names nodes by rows, which may change where the square does not.
struct UpperMembersFile {
    let path: String
    /// Those of each hierarchy.
    private(set) var units: [[UpperMembers]]

    init(_ units: [[UpperMembers]], to path: String) { (self.path, self.units) = (path, units) }

    /// - Parameters:
    ///   - files: those of this job, or of the job before it.
    ///   - rootCounts: how many nodes the square hands up, hierarchy by hierarchy.
    init(of number: Int, _ rootCounts: [Int], _ job: CellJob, in files: JobFiles) throws {
        path = files.members(of: job.name(of: number), job.passLimit(of: number))
        let squares = job.levels.below(number).numbers
        units = try job.read(path) { (source) throws(BlockSource.Damaged) in
            var units: [[UpperMembers]] = []
            for roots in rootCounts {
                units.append(
                    try source.array { (source) throws(BlockSource.Damaged) in
                        try source.upperMembers(squares, roots)
                    })
            }
            return units
        }
    }

    func write(for job: CellJob) throws {
        try job.write(path) { sink in
            for members in units { sink.write(members) { $0.write($1) } }
        }
    }

    /// The same nodes, where they are now, in another file.
    /// - Parameter moved: for each square whose rows changed, those of each hierarchy.
    func moved(_ moved: [Int: [UpperMembers.MovedRows]], to path: String) throws -> Self {
        var file = UpperMembersFile(units, to: path)
        for unit in units.indices {
            for index in units[unit].indices {
                guard let rows = moved[units[unit][index].square]?[unit] else { continue }
                let old = units[unit][index].rows
                file.units[unit][index].rows = Column(
                    try (0..<old.count).map { node in
                        guard let row = rows.row(of: old[node]) else {
                            throw JobError.damaged(path: self.path)
                        }
                        return row
                    })
            }
        }
        return file
    }
}

extension BlockSink {
    mutating func write(_ members: UpperMembers) {
        write(members.square)
        for column in [members.rows, members.roots] { write(column) }
        write(counts: members.offsets)
        write(members.parentZooms)
    }
}

extension BlockSource {
    fileprivate mutating func upperMembers(
        _ squares: Range<Int>, _ rootCount: Int
    ) throws(Damaged) -> UpperMembers {
        var members = UpperMembers(square: try int())
        (members.rows, members.roots, members.offsets) = (
            try column(), try column(), try counts()
        )
        members.parentZooms = try column()
        guard squares.contains(members.square),
            [members.roots.count, members.offsets.count, members.parentZooms.count]
                .allSatisfy({ $0 == members.rows.count }),
            (0..<members.roots.count).allSatisfy({ members.roots[$0] < rootCount })
        else { throw Damaged() }
        return members
    }
}
