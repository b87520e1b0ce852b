import Testing

@testable import TileArchive

extension HostilePMTilesTests {
    /// Twenty-two million tiles down to zoom 12, of which bounds of a degree hold a few.
    @Test(
        arguments: [
            ([1_790_000_000, 0, 1_800_000_000, 10_000_000], true),
            ([-1_800_000_000, 0, -1_790_000_000, 10_000_000], true),
            ([1_790_000_000, 0, 1_800_000_001, 10_000_000], false),
            ([0, 0, 10_000_000, 900_000_001], false), ([0, -900_000_001, 10_000_000, 0], false),
        ] as [([Int32], Bool)])
    func `bounds forbid tiles as far as the world's end, and beyond it they are none`(
        bounds: [Int32], isFound: Bool
    ) throws {
        let root = [Entry(id: 0, offset: 0, length: 3, run: 22_369_621)]
        let path = try file(root: root) { ($0.maxZoom, $0.bounds) = (12, bounds) }
        let problems = try Archive(path: path).audit().pmtiles
        let isBeyond = problems.contains { if case .beyondBounds = $0 { true } else { false } }
        #expect(isBeyond == isFound)
    }
}
