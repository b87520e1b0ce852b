import ArchiveContract
import Platform
import TestSupport
import Foundation
import Testing

@testable import Tileset

/// What errors of builds and jobs say: what is wrong, where, and what to do.
struct ErrorWordTests {
    private static let jobs: [(JobError, String)] = [
        (
            .cannotWrite(path: "/p", reason: "why"),
            "/p: cannot be written: why\nsee that the folder is there and has room, or name another"
        ),
        (
            .cannotRead(path: "/p", reason: "why"),
            "/p: cannot be read: why\nrun the phase again that writes it"
        ),
        (.damaged(path: "/p"), "/p: is damaged\nremove it and run its phase again"),
        (
            .otherVersion(path: "/p"),
            "/p: was written by another version of covey\n"
                + "finish the job with the version that began it, or plan it again in a new folder"
        ),
        (
            .otherJob(path: "/p"),
            "/p: belongs to a job with other inputs or options\n"
                + "remove it and run its phase again"
        ),
        (
            .notPlanned(folder: "/j"),
            "/j: holds no plan\nbegin with covey cells plan INPUT… --job /j"
        ),
        (
            .plannedOtherwise(folder: "/j"),
            "/j: holds a plan for other inputs or options\nname another folder, or remove this one"
        ),
        (
            .missing(phase: "top", cells: ["a", "b", "c"], folder: "/j"),
            "/j: phase top is not done for a, b, c\nrun covey cells top --job /j; "
                + "covey cells status --job /j shows what can run next"
        ),
        (
            .missing(phase: "tiles", cells: ["a", "b", "c", "d", "e"], folder: "/j"),
            "/j: phase tiles is not done for a, b, c and 2 more\nrun covey cells tiles --job /j; "
                + "covey cells status --job /j shows what can run next"
        ),
        (
            .cannotCut(reason: "why"),
            "this build cannot be cut into cells: why\nbuild it in memory, without --cell-zoom and "
                + "--job; --memory sets how much it may use"
        ),
        (
            .noCell("1-0-0", folder: "/j"),
            "/j: has no cell 1-0-0\ncovey cells status --job /j --json lists its cells"
        ),
        (
            .noPart("x"),
            "x: is not the name of a part\nuse the names that covey cells read printed"
        ),
        (
            .tooManyInvalid(limit: 3, account: "4 of 9"),
            "more than 3 records are not valid: 4 of 9\n"
                + "use --skip-invalid without a number to leave all of them out"
        ),
        (
            .cellTooHeavy(cell: "1-0-0", points: 7, needed: 5 << 20, allowed: 3 << 20),
            "cell 1-0-0 holds 7 points, which need about 5 MiB where 3 MiB are allowed; cells "
                + "cannot be smaller than that\nallow each task more memory"
        ),
        (.inCell("1-0-0", phase: "tiles", problem: "why"), "tiles of cell 1-0-0: why"),
        (
            .diskTooSmall(folder: "/j", needed: 9 << 20, free: 2 << 20),
            "/j: the job needs about 9 MiB of disk, and only 2 MiB are free\n"
                + "name a folder on a larger disk with --job or --temp-dir"
        ),
        (
            .doesNotAddUp("what"),
            "the cells do not add up: what\nbegin again in a new folder"
        ),
    ]

    @Test func `errors of jobs say where and what to do`() {
        for (error, words) in Self.jobs { #expect(error.description == words) }
    }

    private static let builds: [(BuildError, String)] = [
        (.cancelled, "stopped; nothing was written"),
        (
            .noPoints(layers: ["a", "b"], accounts: ["none", "one"]),
            "no points in a, b\na: none\nb: one\n"
                + "an archive needs at least one; check --filter and what was skipped"
        ),
        (
            .noPointInRegions(layer: "a", file: "r.geojson"),
            "a: no point lies in a region of r.geojson\ncheck whether both are of one place, and "
                + "what coordinates the file of regions has"
        ),
        (
            .reservedNames(["x", "y"], layer: "a"),
            "a: its points have x, y, by which clients tell a cluster from a point\n"
                + "use --reserved-names rename or drop, or --exclude"
        ),
        (
            .outputIsInput(output: "o", input: "o"),
            "o is itself an input of this build\nname another output"
        ),
        (
            .outputIsInput(output: "o", input: "i"),
            "o is the same file as i, which this build reads\nname another output"
        ),
        (
            .tooLarge("tile 1/0/0", bytes: 33 << 20, most: 32 << 20, attribute: "a"),
            "tile 1/0/0 would take 33 MiB, and readers take 32 MiB\n"
                + "most of it is a: leave that out (--exclude), or shorten its texts"
        ),
        (
            .tooLarge("tile 1/0/0", bytes: (32 << 20) + 1, most: 32 << 20, attribute: nil),
            "tile 1/0/0 would take 33 MiB, and readers take 32 MiB\n"
                + "use a larger radius, or fewer attributes of clusters"
        ),
        (
            .notEnoughMemory(needed: 5_121, allowed: 20 << 20),
            "this build needs about 6 KiB of memory and may use 20 MiB\n"
                + "use --memory to allow more, --exclude attributes, or split the input"
        ),
        (
            .notEnoughAddresses(needed: 30 << 20, left: 1_024),
            "this build needs about 30 MiB of addresses and ulimit -v leaves it 1 KiB\n"
                + "raise that limit, use fewer --threads, --exclude attributes, or split the input"
        ),
    ]

    @Test func `errors of builds say what is wrong and what to do`() {
        for (error, words) in Self.builds { #expect(error.description == words) }
    }

    private static let updates: [(UpdateError, String)] = [
        (.noPointsKept(archive: "a"), "a: does not say which points"),
        (
            .pointsAreGone(archive: "a", file: "f"),
            "f: is missing; it holds the points that a was built from"
        ),
        (.jobIsGone(archive: "a", folder: "/j"), "/j: is not a job folder"),
        (.damaged(file: "f"), "f: is damaged, or was written by another version"),
        (.isLocked(archive: "a"), "a: another run of covey is bringing it up to date"),
        (.noLayer("x", known: ["a", "b"]), "there is no layer x\nthe archive has a, b"),
        (.layerMissing(known: ["a", "b"]), "the archive has several layers: a, b\n"),
        (
            .twoPoints(key: "7", identity: .id, layer: "a"),
            "layer a: a change is for id 7, which two points have"
        ),
        (
            .twoPoints(key: "7", identity: .attribute("nr"), layer: "a"),
            "layer a: a change is for attribute nr 7, which two points have"
        ),
        (.noKeys(identity: .id, layer: "a"), "layer a: no point has an id, so none"),
        (
            .noKeys(identity: .attribute("nr"), layer: "a"),
            "layer a: no point has an attribute nr, so none"
        ),
        (
            .idsAreAttributes(layer: "a"),
            "layer a: the features of the changes have no numbers as ids"
        ),
        (.factsChange(["x", "y"]), "all tiles would change: x; y\n"),
        (.noPointsLeft(layer: "a"), "layer a: no point would be left\n"),
    ]

    @Test func `errors of updates say what is wrong, and something to do`() {
        for (error, words) in Self.updates {
            #expect(error.description.hasPrefix(words), "\(error)")
            #expect(error.description.split(separator: "\n").count == 2)
        }
    }

    @Test func `a build does not write over what it reads, by whatever name`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(5, seed: 1), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 1])
        let input = builds.path("in0.geojsonl")
        let other = builds.path("recipe.json")
        try Data("{}".utf8).write(to: URL(filePath: other))
        let link = builds.path("link.mbtiles")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: input)
        for (output, named) in [(input, input), (other, other), (link, input)] {
            var options = BuildOptions()
            (options.replacesExisting, options.otherInputs) = (true, [other])
            #expect(throws: BuildError.outputIsInput(output: output, input: named)) {
                _ = try TilesetBuild(builds.recipe, to: output, options: options).run()
            }
        }
        #expect(try builds.bytes("recipe.json") == Data("{}".utf8))
    }
}
