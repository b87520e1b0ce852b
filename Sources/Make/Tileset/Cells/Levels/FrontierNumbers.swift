import Clustering
import Points

/// The number of the first leaf, within its layer, of each node that a square handed up. The top gives the numbers for the
/// highest level, and each level gives those of the level below, down to the cells.
///
/// Cells have by far the most nodes. Their numbers are computed square by square and are not kept.
struct FrontierNumbers {
    /// What is known of the nodes of one square, hierarchy by hierarchy.
    struct Nodes: Sendable {
        var firstLeaves: [[Int]]
        /// The zoom at which the parent of each formed.
        var parentZooms: [[Int8]]

        /// - Parameter counts: how many nodes there are of each hierarchy.
        init(counts: [Int]) {
            firstLeaves = counts.map { Array(repeating: 0, count: $0) }
            parentZooms = counts.map { Array(repeating: 0, count: $0) }
        }
    }

    /// For each layer, the clusters with more leaves than any block may have, without those of the top.
    private(set) var large: [[LargeNode]]
    private let job: CellJob
    /// The number of nodes that each square handed up, hierarchy by hierarchy.
    private let counts: [[Int]]
    /// The nodes of the squares above the cells and of those that the top takes, by the number of the square.
    private var nodes: [Int: Nodes] = [:]
    /// For each square above the cells and each hierarchy, the number of leaves below each node.
    private var leafCounts: [Int: [[Int]]] = [:]

    /// - Parameters:
    ///   - counts: how many nodes each square handed up, hierarchy by hierarchy.
    ///   - highest: what the top says of the squares of the highest level.
    init(of job: CellJob, counts: [[Int]], highest: [Nodes]) throws {
        (self.job, self.counts) = (job, counts)
        large = job.plan.layers.map { _ in [] }
        for (number, known) in zip(job.levels.highest.numbers, highest) { nodes[number] = known }
        for level in job.levels.above.reversed() {
            let names = level.numbers.map(job.name)
            let passes = job.passLimit(of: level.numbers.lowerBound)
            try job.folder.fetchTails(of: names.map { job.files.tree(of: $0, passes) })
            try job.folder.fetch(names.map { job.files.members(of: $0, passes) })
            try job.forEach(Array(level.numbers)) {
                ($0, try UpperFile(of: $0, job))
            } consume: { (number: Int, file: UpperFile) in
                for unit in job.units.indices { try include(file, number, unit) }
            }
            if job.levels.index(of: level.numbers.lowerBound) > 1 {
                var below: [(number: Int, nodes: Nodes)] = []
                try handDown(from: level) { below += $0 }
                for (number, known) in below { nodes[number] = known }
            }
        }
    }

    /// Takes the large clusters of a square and the leaf counts of its nodes.
    private mutating func include(_ file: UpperFile, _ number: Int, _ unit: Int) throws {
        let (known, tree) = (nodes[number]?.firstLeaves[unit] ?? [], file.units[unit])
        guard known.count == tree.firstLeaves.count else {
            throw JobError.damaged(path: file.path)
        }
        large[job.units[unit].layer] += tree.large.map { node in
            let root = tree.root(ofLeaf: node.first)
            var node = node
            node.first += known[root] - tree.firstLeaves[root]
            return node
        }
        let ends = (0..<known.count).dropFirst().map { tree.firstLeaves[$0] } + [tree.leafCount]
        leafCounts[number, default: []].append(
            zip(known.indices, ends).map { $1 - tree.firstLeaves[$0] })
    }

    /// Computes the numbers of the squares below a level.
    /// - Parameter body: takes squares, each as soon as all its nodes have numbers.
    private func handDown(
        from level: CellLevels.Level, _ body: ([(number: Int, nodes: Nodes)]) throws -> Void
    ) throws {
        var below = SquaresBelow(job.levels.below(level.numbers.lowerBound).numbers, counts)
        let numbers = Array(level.numbers)
        let together = 4 * max(1, job.options.threads)
        for start in stride(from: 0, to: numbers.count, by: together) {
            try body(below.takeDone())
            let some = numbers[start..<min(start + together, numbers.count)]
            try job.forEach(Array(some)) { [job, counts] number in
                let counts = counts[number]
                return (number, try UpperMembersFile(of: number, counts, job, in: job.files))
            } consume: { (number: Int, file: UpperMembersFile) in
                guard let known = nodes[number] else { throw JobError.damaged(path: file.path) }
                for unit in file.units.indices {
                    try below.include(file, unit, known, level.cutZoom)
                }
            }
        }
        try body(below.takeDone())
        guard below.left == 0 else {
            throw JobError.doesNotAddUp("squares above lack \(below.left) nodes of those below")
        }
    }

    /// Calls `body` with every square and the numbers of its nodes, some squares at a time.
    func forEachSquare(_ body: ([(number: Int, nodes: Nodes)]) throws -> Void) throws {
        try body(nodes.map { (number: $0.key, nodes: $0.value) })
        if let lowest = job.levels.above.first { try handDown(from: lowest, body) }
    }

    /// Writes the numbers of all squares, and gives each task the squares that hold its leaves or clusters that begin with them.
    /// - Parameters:
    ///   - neighbours: the cells that hold what each cell may draw.
    ///   - covering: what covers tiles of cells, where some are left out.
    func write(
        _ neighbours: [[Int]], _ covering: VariableDepth.Covering, sharing tasks: inout [LeafTask]
    ) throws {
        try forEachSquare { squares in
            try job.forEach(squares) { [job] number, nodes in
                let (isCell, square) = (job.levels.isCell(number), job.levels.square(number))
                try CellNumbers(
                    name: job.name(of: number), square: square,
                    neighbours: isCell ? neighbours[number] : [],
                    firstLeaves: nodes.firstLeaves.map { Column($0) },
                    parentZooms: nodes.parentZooms.map { Column($0) },
                    covering: isCell ? covering.below(square) : VariableDepth.Covering()
                ).write(for: job)
            }
            for (number, nodes) in squares { share(nodes, of: number, among: &tasks) }
        }
        for task in tasks.indices { tasks[task].squares.sort() }
    }

    private func share(_ nodes: Nodes, of number: Int, among tasks: inout [LeafTask]) {
        let isCell = job.levels.isCell(number)
        var own: Set<Int> = []
        for (unit, hierarchy) in job.units.enumerated() {
            // Most nodes are of the same task as the one before.
            var known = 0..<0
            for (root, first) in nodes.firstLeaves[unit].enumerated() {
                let end = first + (isCell ? 1 : leafCounts[number]?[unit][root] ?? 1)
                if known.contains(first), end <= known.upperBound { continue }
                var task = tasks.index(ofLeaf: first, layer: hierarchy.layer)
                while tasks.indices.contains(task), tasks[task].layer == hierarchy.layer,
                    tasks[task].leaves.lowerBound < end
                {
                    own.insert(task)
                    known = tasks[task].leaves
                    task += 1
                }
            }
        }
        for task in own { tasks[task].squares.append(number) }
    }
}

/// The numbers of the squares below a level, while the squares of the level are read.
private struct SquaresBelow {
    private let counts: [[Int]]
    /// The number of nodes of each square that have no number yet.
    private var open: [Int: Int] = [:]
    private var nodes: [Int: FrontierNumbers.Nodes] = [:]
    private var done: [Int] = []

    init(_ numbers: Range<Int>, _ counts: [[Int]]) {
        self.counts = counts
        for number in numbers {
            let count = counts[number].reduce(0, +)
            if count > 0 { open[number] = count } else { done.append(number) }
        }
    }

    /// The number of nodes without a number.
    var left: Int { open.values.reduce(0, +) }

    /// Removes the squares whose nodes all have numbers, and returns them.
    mutating func takeDone() -> [(number: Int, nodes: FrontierNumbers.Nodes)] {
        defer { done = [] }
        return done.sorted().map {
            ($0, nodes.removeValue(forKey: $0) ?? FrontierNumbers.Nodes(counts: counts[$0]))
        }
    }

    mutating func include(
        _ file: UpperMembersFile, _ unit: Int, _ above: FrontierNumbers.Nodes, _ cutZoom: Int
    ) throws {
        let (firsts, zooms) = (above.firstLeaves[unit], above.parentZooms[unit])
        for part in file.units[unit] {
            guard let left = open[part.square], part.rows.count <= left else {
                throw JobError.damaged(path: file.path)
            }
            // Removed from the dictionary, so that its arrays are not copied when they change.
            var below =
                nodes.removeValue(forKey: part.square)
                ?? FrontierNumbers.Nodes(counts: counts[part.square])
            for index in 0..<part.rows.count {
                let (row, root) = (Int(part.rows[index]), Int(part.roots[index]))
                guard row < below.firstLeaves[unit].count else {
                    throw JobError.damaged(path: file.path)
                }
                below.firstLeaves[unit][row] = firsts[root] + part.offsets[index]
                let zoom = part.parentZooms[index]
                // What goes up as it is has its parent above.
                below.parentZooms[unit][row] = Int(zoom) < cutZoom ? zooms[root] : zoom
            }
            nodes[part.square] = below
            open[part.square] = left == part.rows.count ? nil : left - part.rows.count
            if left == part.rows.count { done.append(part.square) }
        }
    }
}
