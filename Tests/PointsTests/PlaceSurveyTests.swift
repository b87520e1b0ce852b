import Geometry
import Points
import Testing

/// What is told of where points lie, of an input that came in pieces.
struct PlaceSurveyTests {
    private func survey(_ places: [(x: Double, y: Double)]) -> PlaceSurvey {
        var batch = PointBatch()
        for place in places { batch.append(WorldPoint(x: place.x, y: place.y)) }
        return PlaceSurvey(of: batch)
    }

    @Test func `a piece without points adds nothing, before and behind others`() {
        let empty = [PlaceSurvey(), survey([])]
        for none in empty {
            var sum = none
            for other in empty { sum.add(other) }
            #expect(sum.count == 0 && !sum.isOnOneLine)
            sum.add(survey([(0.5, 0.5), (0.5, 0.5), (0.5, 0.5)]))
            sum.add(none)
            #expect(sum.count == 3 && sum.atOrigin == 3 && sum.isAtOnePlace)
        }
    }

    /// Each piece is on a line by itself, and together they are not, whichever comes first.
    @Test func `pieces make one box, whichever comes first`() {
        let pieces = [
            survey([(0.2, 0.3), (0.2, 0.3)]), survey([(0.6, 0.3), (0.6, 0.3)]),
            survey([(0.6, 0.7), (0.2, 0.7)]),
        ]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            var sum = PlaceSurvey()
            for piece in order { sum.add(pieces[piece]) }
            #expect(sum.count == 6 && !sum.isOnOneLine && !sum.isAtOnePlace, "\(order)")
        }
        var row = pieces[0]
        row.add(pieces[1])
        #expect(row.isOnOneLine && !row.isAtOnePlace)
        var column = survey([(0.2, 0.1)])
        column.add(survey([(0.2, 0.9), (0.2, 0.5)]))
        #expect(column.isOnOneLine && !column.isAtOnePlace)
        var place = pieces[0]
        place.add(pieces[0])
        #expect(place.isAtOnePlace)
    }

    @Test func `what is added up does not depend on the cut`() {
        let places = (0..<900).map { index -> (x: Double, y: Double) in
            let (column, row) = (index * 7_919 % 1_000, index * 104_729 % 1_000)
            return (Double(column) / 2_000 + 0.2, Double(row) / 4_000 + 0.4)
        }
        let whole = survey(places)
        for cut in [1, 450, 899] {
            for isTurned in [false, true] {
                let halves = [survey(Array(places[..<cut])), survey(Array(places[cut...]))]
                var sum = halves[isTurned ? 1 : 0]
                sum.add(halves[isTurned ? 0 : 1])
                #expect(String(describing: sum) == String(describing: whole))
            }
        }
    }

    /// Nearly all lie in one stripe, at any place of the world; the rest is far, or is not.
    @Test(arguments: [0, 3, 180, 356, 359])
    func `what is far from nearly all is counted, at the world's ends too`(stripe: Int) {
        let x = (Double(stripe) + 0.5) / 360
        let near = (0..<97).map { (x: x, y: 0.4 + Double($0) / 100_000) }
        // A band of one stripe has seven more on each side.
        for (distance, isFar) in [(0, false), (1, false), (7, false), (8, true), (120, true)] {
            for side in [-1, 1] {
                let other = stripe + side * distance
                guard (0..<360).contains(other) else { continue }
                let rest = (0..<3).map { _ in (x: (Double(other) + 0.5) / 360, y: 0.4) }
                let survey = survey(near + rest)
                #expect(survey.farCount == (isFar ? 3 : nil), "\(stripe) and \(other)")
            }
        }
        #expect(survey(near).farCount == nil)
    }

    @Test
    func `a point is at the origin where both coordinates are, to a millionth of a millionth`() {
        for (x, y, isThere) in [
            (0, 0, true), (0.9e-12, 0, true), (0, -0.9e-12, true), (1.1e-12, 0, false),
            (0, 1.1e-12, false),
            (-1.1e-12, 0, false), (0, -5e-12, false), (-0.9e-12, 0.9e-12, true), (0.1, 0, false),
            (0, 0.1, false),
        ] {
            #expect(survey([(0.5 + x, 0.5 + y)]).atOrigin == (isThere ? 1 : 0), "\(x) \(y)")
        }
        var sum = survey([(0.5, 0.5), (0.5, 0.5), (0.25, 0.5)])
        sum.add(survey([(0.5, 0.5)]))
        #expect(sum.atOrigin == 3 && sum.count == 4)
    }

    @Test func `points at the edges by the poles are counted`() {
        let inside = Double.leastNonzeroMagnitude
        var sum = survey([(0.5, 0), (0.5, inside), (0.5, 1), (0.5, 1.0.nextDown), (0.5, 0.5)])
        #expect(sum.atPoleEdges == 2)
        sum.add(survey([(0, 0), (1, 1)]))
        #expect(sum.atPoleEdges == 4)
    }

    @Test func `less than a hundred points are too few to tell which are far`() {
        for (count, far) in [(99, nil), (100, 3)] as [(Int, Int?)] {
            let near = (0..<count - 3).map { _ in (x: 0.5, y: 0.5) }
            #expect(survey(near + [(0.1, 0.5), (0.9, 0.5), (0.9, 0.5)]).farCount == far)
        }
        // Two of one place are nothing odd yet, three are.
        #expect(!survey([(0.5, 0.5), (0.5, 0.5)]).isOnOneLine)
        #expect(survey([(0.5, 0.5), (0.5, 0.5), (0.5, 0.5)]).isAtOnePlace)
    }

    @Test func `what lies outside of the world counts in its outermost stripes`() {
        let inside = (0..<97).map { _ in (x: 0.001, y: 0.999) }
        for x in [-0.5, -1e300, 0] {
            #expect(survey(inside + [(x, 1.5), (x, 1e300), (x, 1)]).farCount == nil)
        }
    }
}
