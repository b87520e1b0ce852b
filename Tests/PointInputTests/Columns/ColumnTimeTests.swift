import Testing

@testable import PointInput

/// Moments of columnar files.
struct ColumnTimeTests {
    @Test(
        arguments: [
            (-1, 1, "1969-12-31T23:59:59"), (-1, 1_000, "1969-12-31T23:59:59.999"),
            (1_500, 1_000, "1970-01-01T00:00:01.5"),
            (86_400_000_000, 1_000_000, "1970-01-02T00:00:00"),
            (.min, 1_000_000_000, "1677-09-21T00:12:43.145224192"),
            (.max, 1_000_000_000, "2262-04-11T23:47:16.854775807"),
        ] as [(Int64, Int64, String)])
    func `a moment is a day and a time`(count: Int64, perSecond: Int64, text: String) {
        #expect(ColumnTime.moment(count, perSecond: perSecond, isUTC: false) == text)
    }

    /// Databases use the ends of their range for times without end.
    @Test(arguments: [1, 1_000, 1_000_000] as [Int64])
    func `the first and the last moments have texts`(perSecond: Int64) {
        for count in [Int64.min, .min + 1, .max - 1, .max] {
            let text = ColumnTime.moment(count, perSecond: perSecond, isUTC: true)
            #expect(text.hasPrefix("-") == (count < 0) && text.hasSuffix("Z"), "\(text)")
        }
    }
}
