import Testing

@testable import TileService

/// Which public names a line of a script declares.
struct ScriptBundleTests {
    @Test func `names are read with their digits and low lines, whatever declares them`() {
        for (line, names) in [
            ("export function to3d_view(a1, b2) {", ["to3d_view"]),
            ("export async function load2(map) {", ["load2"]),
            ("export class _Tree4 {", ["_Tree4"]), ("export const x_1 = y_2;", ["x_1"]),
            ("export { one, two_2, x3 };", ["one", "two_2", "x3"]), ("export { };", []),
        ] as [(Substring, [Substring])] {
            #expect(ScriptBundle.names(in: line) == names, "\(line)")
        }
    }
}
