import Geometry

/// Walks over the points below some nodes, of which most were handed up without their members.
struct MemberScan {
    /// Members that follow one another: those of a cluster, or a point that stands for itself.
    struct Stretch {
        var members: Range<Int>
        var point: UInt32
        var isPoint: Bool
    }

    private let stretches: [Stretch]
    private let members: any HandedUpMembers
    private let input: ClusterInput
    private let isWeighted: Bool
    /// All places, where they are few.
    private var kept: MemberPlaces?

    /// How many places are in memory at once.
    private static let most = 1 << 15

    init(_ stretches: [Stretch], of members: any HandedUpMembers, _ input: ClusterInput) {
        // So that none is longer than what is in memory at once.
        self.stretches = stretches.flatMap { stretch in
            stride(
                from: stretch.members.lowerBound, to: stretch.members.upperBound, by: Self.most
            ).map { start in
                var part = stretch
                part.members = start..<min(start + Self.most, stretch.members.upperBound)
                return part
            }
        }
        self.members = members
        self.input = input
        isWeighted = input.options.weighted
        guard stretches.reduce(0, { $0 + $1.members.count }) <= Self.most else { return }
        var places = MemberPlaces()
        for stretch in self.stretches { append(stretch, to: &places) }
        kept = places
    }

    private func append(_ stretch: Stretch, to places: inout MemberPlaces) {
        guard stretch.isPoint else { return members.append(stretch.members, to: &places) }
        places.xs.append(input.x[stretch.point])
        places.ys.append(input.y[stretch.point])
        places.weights.append(input.weight(stretch.point))
    }

    /// Calls `body` with all members in their order.
    private func forEach(
        _ body: (_ member: Int, _ x: Double, _ y: Double, _ weight: Double) -> Void
    ) {
        var places = kept ?? MemberPlaces()
        var start = 0
        for stretch in stretches {
            if kept == nil {
                places.removeAll()
                start = 0
                append(stretch, to: &places)
            }
            for (offset, member) in stretch.members.enumerated() {
                let index = start + offset
                body(
                    member, places.xs[index], places.ys[index],
                    isWeighted ? places.weights[index] : 1)
            }
            start += stretch.members.count
        }
    }

    /// The member nearest to the mean of all; at a tie the first.
    func nearestToMean(wraps: Bool) -> RepresentativeChoice.Chosen {
        var first = MemberPlaces()
        if let stretch = stretches.first {
            var single = stretch
            single.members = single.members.lowerBound..<single.members.lowerBound + 1
            append(single, to: &first)
        }
        var search = NearestToMean(from: first.xs.first ?? 0, wraps: wraps)
        if isWeighted {
            forEach { _, _, _, weight in search.weigh(weight) }
        } else {
            for stretch in stretches { search.weigh(each: stretch.members.count) }
        }
        forEach { _, x, y, weight in search.average(x, y, weight) }
        forEach { member, x, y, _ in search.compare(UInt32(member), x, y) }
        return search.best
    }
}

extension Hierarchy {
    /// The members of all points and clusters that were handed up and are under some nodes, depth first.
    func stretches(under nodes: [NodeReference], _ given: GivenClusters) -> [MemberScan.Stretch] {
        var stretches: [MemberScan.Stretch] = []
        var stack = Array(nodes.reversed())
        while let node = stack.popLast() {
            guard node.isCluster else {
                for index in sites.range(of: node.number) {
                    stretches.append(given.stretch(of: sites.points[index], isPoint: true))
                }
                continue
            }
            if node.number < givenPoints.count {
                stretches.append(given.stretch(of: givenPoints[node.number], isPoint: false))
                continue
            }
            for child in childRange(of: node.number).reversed() { stack.append(children[child]) }
        }
        return stretches
    }
}
