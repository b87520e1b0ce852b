import Geometry
import TestSupport
import Testing

@testable import ArchiveContract

/// Where blocks end, held against the sentences of docs/archive.md, one by one.
struct BlockCutterTests {
    /// A node of a random tree: a leaf, or a cluster of several nodes.
    private indirect enum Node {
        case leaf(GridPoint, weight: Int64)
        case cluster(GridPoint, [Node])

        var position: GridPoint {
            switch self {
            case .leaf(let position, _), .cluster(let position, _): position
            }
        }

        var key: UInt64 { SquareCutter.key(of: position) }

        var count: Int64 {
            switch self {
            case .leaf: 1
            case .cluster(_, let nodes): nodes.reduce(0) { $0 + $1.count }
            }
        }

        var weight: Int64 {
            switch self {
            case .leaf(_, let weight): weight
            case .cluster(_, let nodes): nodes.reduce(0) { $0 + $1.weight }
            }
        }
    }

    private static func node(_ depth: Int, _ random: inout SeededRandom) -> Node {
        let position = GridPoint(
            x: Int32(random.next() % (1 << 30)), y: Int32(random.next() % (1 << 30)))
        guard depth > 0, random.next() % 3 > 0 else {
            return .leaf(position, weight: Int64(55 + random.next() % 8_746))
        }
        return .cluster(
            position, (0..<2 + random.next() % 5).map { _ in node(depth - 1, &random) })
    }

    /// Roots along the curve, some of them in one square.
    private static func roots(_ count: Int, depth: Int, seed: UInt64) -> [Node] {
        var random = SeededRandom(seed: seed)
        let towns = (0..<3).map { _ in
            GridPoint(x: Int32(random.next() % (1 << 30)), y: Int32(random.next() % (1 << 30)))
        }
        let roots = (0..<count).map { _ -> Node in
            let root = node(depth, &random)
            guard random.next() % 2 == 0 else { return root }
            let town = towns[Int(random.next() % 3)]
            let spread = Int32(1) << Int32(random.next() % 20)
            let place = GridPoint(
                x: town.x / spread * spread, y: min(town.y + Int32(random.next() % 600), 1 << 30))
            if case .cluster(_, let nodes) = root { return .cluster(place, nodes) }
            return .leaf(place, weight: root.weight)
        }
        return roots.sorted { $0.key < $1.key }
    }

    private static func walk(_ nodes: [Node], _ rule: Rule, _ cutter: inout BlockCutter) {
        for node in nodes {
            guard case .cluster(let position, let children) = node else {
                cutter.addLeaf(at: { node.position }, weighing: { node.weight })
                continue
            }
            cutter.add(
                cluster: node.count, at: { position }, weighing: { node.weight },
                record: {
                    ClusterRecord(
                        key: ClusterKey(firstLeaf: 0, zoom: 1), leafCount: node.count,
                        position: position, parent: nil)
                })
            if rule.size(node) > rule.most { walk(children, rule, &cutter) }
        }
    }

    /// What a block may hold at most, of what.
    private struct Rule {
        var most: Int64
        var size: (Node) -> Int64

        static var weight: Rule { Rule(most: LeafWeight.mostOfBlock, size: \.weight) }

        static func leaves(_ most: Int64) -> Rule { Rule(most: most, size: \.count) }
    }

    /// The same by the sentences: the ends of blocks, and large clusters as their first and last leaves.
    private struct Sentences {
        let rule: Rule
        var leaf: Int64 = 0
        var ends: [Int64] = []
        var large: [Range<Int64>] = []

        mutating func roots(_ nodes: [Node]) {
            for run in runs(nodes) {
                if run.count == 1, isLarge(run[0]) {
                    inside(run[0])
                } else {
                    squares(run, depth: 0)
                }
            }
        }

        /// Roots between large ones, and these by themselves.
        private func runs(_ nodes: [Node]) -> [[Node]] {
            var runs: [[Node]] = [[]]
            for node in nodes {
                if isLarge(node) {
                    runs += [[node], []]
                } else {
                    runs[runs.count - 1].append(node)
                }
            }
            return runs.filter { !$0.isEmpty }
        }

        private func isLarge(_ node: Node) -> Bool { rule.size(node) > rule.most }

        private mutating func squares(_ nodes: [Node], depth: UInt64) {
            if nodes.reduce(0, { $0 + rule.size($1) }) <= rule.most { return end(nodes) }
            guard depth < 21 else { return greedy(nodes) }
            let shift = 2 * (20 - depth)
            let parts = Dictionary(grouping: nodes) { $0.key >> shift }
            for (_, nodes) in parts.sorted(by: { $0.key < $1.key }) {
                squares(nodes, depth: depth + 1)
            }
        }

        private mutating func greedy(_ nodes: [Node]) {
            var waiting: [Node] = []
            for node in nodes {
                if waiting.reduce(rule.size(node), { $0 + rule.size($1) }) > rule.most {
                    end(waiting)
                    waiting = []
                }
                waiting.append(node)
            }
            end(waiting)
        }

        private mutating func end(_ nodes: [Node]) {
            guard !nodes.isEmpty else { return }
            leaf += nodes.reduce(0) { $0 + $1.count }
            ends.append(leaf)
        }

        private mutating func inside(_ node: Node) {
            guard case .cluster(_, let children) = node else { return }
            large.append(leaf..<leaf + node.count)
            for run in runs(children) {
                if run.count == 1, isLarge(run[0]) { inside(run[0]) } else { greedy(run) }
            }
        }
    }

    @Test(arguments: UInt64(0)..<120)
    func `blocks end where the rules say`(seed: UInt64) throws {
        // Early archives of format 4 count leaves.
        let most: Int64? = [1, 3, nil, 25, nil, 400, nil][Int(seed % 7)]
        let roots = Self.roots(Int(seed), depth: Int(seed % 4), seed: seed)
        let rule = most.map(Rule.leaves) ?? .weight
        var cutter = BlockCutter(mostLeaves: most)
        Self.walk(roots, rule, &cutter)
        cutter.finish()
        var wanted = Sentences(rule: rule)
        wanted.roots(roots)
        #expect(cutter.ends == wanted.ends)
        let bounds = [0] + cutter.ends
        let large = cutter.large.map { cluster in
            bounds[Int(cluster.blocks.lowerBound)]..<bounds[Int(cluster.blocks.upperBound)]
        }
        #expect(large == wanted.large)
        #expect(zip(bounds, cutter.ends).allSatisfy { $1 > $0 && $1 - $0 <= most ?? 4_000 })
    }

    /// What is cut in one part of the map does not depend on another.
    @Test(arguments: UInt64(0)..<40)
    func `a root more changes blocks of its square alone`(seed: UInt64) throws {
        func blocks(_ roots: [Node]) -> Set<[UInt64]> {
            var cutter = BlockCutter(mostLeaves: 20)
            Self.walk(roots, .leaves(20), &cutter)
            cutter.finish()
            let keys = roots.flatMap { Array(repeating: $0.key, count: Int($0.count)) }
            return Set(zip([0] + cutter.ends, cutter.ends).map { Array(keys[Int($0)..<Int($1)]) })
        }
        let roots = Self.roots(400, depth: 1, seed: seed).filter { $0.count <= 20 }
        var more = roots
        more.insert(more[200], at: 200)
        let changed = blocks(more).subtracting(blocks(roots))
        // Its own block, which may have been too full and come apart into squares.
        #expect(changed.count <= 6, "\(changed.count)")
    }

    @Test func `points on both sides of the antimeridian have a hull in one piece`() {
        let world = Int32(1) << 30
        let points = [world - 9, 5, 7, world - 3].map { GridPoint(x: $0, y: $0 % 5) }
        let box = GridBox(around: GridHull(wrapping: points).corners)
        #expect(box?.west == Int64(world) - 9 && box?.east == Int64(world) + 7)
        let far = [0, world / 2 + 1, world].map { GridPoint(x: $0, y: 0) }
        #expect(GridHull(wrapping: far).corners.map(\.x) == [world / 2 + 1, world])
        // Of two gaps that are as wide the first.
        let equal = [0, world / 5 * 2, world / 5 * 4].map { GridPoint(x: $0, y: 0) }
        #expect(GridHull(wrapping: equal).corners.map(\.x) == [world / 5 * 2, world])
        let plain = [0, world / 2].map { GridPoint(x: $0, y: 0) }
        #expect(GridHull(wrapping: plain) == GridHull(of: plain))
    }
}
