import Clustering
import Points

/// Where in a layer the leaves begin of all that squares handed up: what the top says of the highest level, and from there
/// on level by level down to the cells.
struct FrontierNumbers {
    /// What is known of the nodes of one square, hierarchy by hierarchy.
    struct Nodes: Sendable {
        var firstLeaves: [[UInt32]]
        /// The zoom at which the parent of each formed.
        var parentZooms: [[Int8]]

        /// - Parameter counts: how many nodes there are of each hierarchy.
        init(counts: [Int]) {
            firstLeaves = counts.map { Array(repeating: 0, count: $0) }
            parentZooms = counts.map { Array(repeating: 0, count: $0) }
        }
    }

    /// By the numbers of the squares.
    private(set) var nodes: [Nodes]
    /// For each layer the clusters with more leaves than any block may have, but for those of the top.
    private(set) var large: [[LargeNode]]
    /// For each square above the cells and each hierarchy, how many leaves the nodes have.
    private(set) var leafCounts: [Int: [[Int]]] = [:]
    private let job: CellJob

    /// - Parameters:
    ///   - counts: how many nodes each square handed up, hierarchy by hierarchy.
    ///   - highest: what the top says of the squares of the highest level.
    init(of job: CellJob, counts: [[Int]], highest: [Nodes]) throws {
        self.job = job
        nodes = counts.map(Nodes.init)
        large = job.plan.layers.map { _ in [] }
        for (number, known) in zip(job.levels.highest.numbers, highest) { nodes[number] = known }
        for level in job.levels.above.reversed() { try handDown(from: level) }
    }

    private mutating func handDown(from level: CellLevels.Level) throws {
        let job = job
        try UpperFile.fetch(\.members, of: level.numbers, job)
        var count = 0
        try job.forEach(Array(level.numbers)) { number in
            let file = try UpperFile(of: number, job)
            return (number, file, try job.units.indices.map { try file.members(of: $0) })
        } consume: { (number: Int, file: UpperFile, members: [[UpperFile.Members]]) in
            for (unit, members) in members.enumerated() {
                try include(members, of: file, number, unit)
                count += members.reduce(0) { $0 + $1.rows.count }
            }
        }
        let below = job.levels.below(level.numbers.lowerBound).numbers
        let wanted = nodes[below].reduce(0) { $0 + $1.firstLeaves.reduce(0) { $0 + $1.count } }
        guard count == wanted else {
            throw JobError.doesNotAddUp("squares above hold \(count) nodes of \(wanted)")
        }
    }

    private mutating func include(
        _ members: [UpperFile.Members], of file: UpperFile, _ number: Int, _ unit: Int
    ) throws {
        let (known, tree) = (nodes[number], file.units[unit])
        guard known.firstLeaves[unit].count == tree.firstLeaves.count else {
            throw JobError.damaged(path: file.path)
        }
        let cutZoom = job.levels.level(of: number).cutZoom
        let (firsts, zooms) = (known.firstLeaves[unit], known.parentZooms[unit])
        for part in members {
            // Taken out, so that each is not looked up again.
            var below = Nodes(counts: [])
            swap(&below, &nodes[part.square])
            defer { swap(&below, &nodes[part.square]) }
            for index in 0..<part.rows.count {
                let (row, root) = (Int(part.rows[index]), Int(part.roots[index]))
                guard row < below.firstLeaves[unit].count else {
                    throw JobError.damaged(path: file.path)
                }
                below.firstLeaves[unit][row] = firsts[root] &+ part.offsets[index]
                let zoom = part.parentZooms[index]
                // What goes up as it is has its parent above.
                below.parentZooms[unit][row] = Int(zoom) < cutZoom ? zooms[root] : zoom
            }
        }
        large[job.units[unit].layer] += tree.large.map { node in
            let root = tree.root(ofLeaf: UInt32(node.first))
            var node = node
            node.first += Int(known.firstLeaves[unit][root]) - Int(tree.firstLeaves[root])
            return node
        }
        let ends = (0..<tree.firstLeaves.count).dropFirst().map { Int(tree.firstLeaves[$0]) }
        let counts = zip(0..<tree.firstLeaves.count, ends + [tree.leafCount]).map { root, end in
            end - Int(tree.firstLeaves[root])
        }
        leafCounts[number, default: []].append(counts)
    }

    /// Writes what is known of each square.
    /// - Parameters:
    ///   - neighbours: the cells that hold what each cell may draw.
    ///   - covering: what covers tiles of cells, where some are left out.
    func write(_ neighbours: [[Int]], _ covering: VariableDepth.Covering) throws {
        try job.forEach(Array(nodes.indices)) { [job, nodes] number in
            let (isCell, square) = (job.levels.isCell(number), job.levels.square(number))
            try CellNumbers(
                name: job.name(of: number), square: square,
                neighbours: isCell ? neighbours[number] : [],
                firstLeaves: nodes[number].firstLeaves.map { Column($0) },
                parentZooms: nodes[number].parentZooms.map { Column($0) },
                covering: isCell ? covering.below(square) : VariableDepth.Covering()
            ).write(for: job)
        }
    }

    /// Says of each task which squares hold its leaves, or clusters that begin with them.
    func share(among tasks: inout [LeafTask]) {
        for number in nodes.indices {
            let isCell = job.levels.isCell(number)
            var has = tasks.map { _ in false }
            for (unit, hierarchy) in job.units.enumerated() {
                let firsts = nodes[number].firstLeaves[unit]
                for (root, first) in firsts.enumerated() {
                    var task = tasks.index(ofLeaf: Int(first), layer: hierarchy.layer)
                    let end = isCell ? 1 : leafCounts[number]?[unit][root] ?? 1
                    while tasks.indices.contains(task), tasks[task].layer == hierarchy.layer,
                        tasks[task].leaves.lowerBound < Int(first) + end
                    {
                        has[task] = true
                        task += 1
                    }
                }
            }
            for task in tasks.indices where has[task] { tasks[task].squares.append(number) }
        }
    }
}
