// Points that represent an outline. Only its parts of the highest dimension are used, as in simple
// features (OGC 06-103r4): areas, otherwise lines, otherwise points.

extension Outline {
    /// The centroid. Sums are relative to a vertex of each part, so that small shapes far from the origin keep their precision.
    func centroid(from origin: SIMD2<Double>) -> SIMD2<Double> {
        var (area, areaSum) = (0.0, SIMD2<Double>.zero)
        var (length, lengthSum) = (0.0, SIMD2<Double>.zero)
        var (count, sum) = (0.0, SIMD2<Double>.zero)
        for part in parts {
            if (part.kind == .ring || part.kind == .hole), !part.range.isEmpty {
                let (own, moment) = ringMoment(part.range)
                // Rings may have either orientation.
                let sign = (own < 0) == (part.kind == .ring) ? -1.0 : 1.0
                area += sign * own
                areaSum += sign * (moment + own * (vertices[part.range.lowerBound] - origin))
            }
            if part.kind != .point {
                for (start, end) in edges(part.range) {
                    let own = Self.length(end - start)
                    length += own
                    lengthSum += own * ((start - origin) + (end - origin)) / 2
                }
            }
            for vertex in vertices[part.range] {
                count += 1
                sum += vertex - origin
            }
        }
        if area > 0 { return origin + areaSum / area }
        return origin + (length > 0 ? lengthSum / length : sum / count)
    }

    /// A ring's area, negative if clockwise, and the integral of the offset from its first vertex.
    private func ringMoment(_ range: Range<Int>) -> (area: Double, moment: SIMD2<Double>) {
        let origin = vertices[range.lowerBound]
        var (area, moment) = (0.0, SIMD2<Double>.zero)
        for (start, end) in edges(range) {
            let (a, b) = (start - origin, end - origin)
            let cross = a.x * b.y - b.x * a.y
            area += cross / 2
            moment += (a + b) * cross / 6
        }
        return (area, moment)
    }

    private func edges(
        _ range: Range<Int>
    ) -> Zip2Sequence<ArraySlice<SIMD2<Double>>, ArraySlice<SIMD2<Double>>> {
        zip(vertices[range], vertices[range].dropFirst())
    }

    private static func length(_ step: SIMD2<Double>) -> Double {
        (step.x * step.x + step.y * step.y).squareRoot()
    }

    /// The middle of the widest section of an area on a horizontal line through its middle; nil without areas.
    var areaPoint: SIMD2<Double>? {
        var (best, width) = (SIMD2<Double>?.none, 0.0)
        var index = 0
        while index < parts.count {
            let start = index
            index += 1
            guard parts[start].kind == .ring else { continue }
            while index < parts.count, parts[index].kind == .hole { index += 1 }
            let rings = parts[start..<index]
            guard let level = level(of: parts[start].range, among: rings) else { continue }
            let ends = rings.flatMap { crossings(of: $0.range, at: level) }.sorted()
            for pair in stride(from: 0, to: ends.count - 1, by: 2) {
                let own = ends[pair + 1] - ends[pair]
                guard own > width else { continue }
                (best, width) = (SIMD2(ends[pair] + own / 2, level), own)
            }
        }
        return best
    }

    /// A height near the middle, half-way between the neighbouring vertices, so that the line meets none of them.
    private func level(of ring: Range<Int>, among rings: ArraySlice<Part>) -> Double? {
        let heights = vertices[ring].map(\.y)
        guard let low = heights.min(), let high = heights.max(), low < high else { return nil }
        let middle = low + (high - low) / 2
        var (below, above) = (low, high)
        for part in rings {
            for vertex in vertices[part.range] {
                if vertex.y <= middle { below = max(below, vertex.y) }
                if vertex.y > middle { above = min(above, vertex.y) }
            }
        }
        return below + (above - below) / 2
    }

    private func crossings(of ring: Range<Int>, at level: Double) -> [Double] {
        edges(ring).compactMap { start, end in
            guard (start.y > level) != (end.y > level) else { return nil }
            return start.x + (level - start.y) / (end.y - start.y) * (end.x - start.x)
        }
    }

    /// The point half-way along the longest line; nil without lines.
    var linePoint: SIMD2<Double>? {
        func length(_ part: Part) -> Double {
            edges(part.range).reduce(0) { $0 + Self.length($1.1 - $1.0) }
        }
        let lines = parts.filter { $0.kind != .point && !$0.range.isEmpty }
        guard let longest = lines.max(by: { length($0) < length($1) }) else { return nil }
        var left = length(longest) / 2
        for (start, end) in edges(longest.range) {
            let own = Self.length(end - start)
            if own > 0, own >= left { return start + (end - start) * (left / own) }
            left -= own
        }
        return vertices[longest.range.lowerBound]
    }
}
