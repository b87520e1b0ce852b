import Foundation
import JSON
import Platform
import Points
import Tileset

/// The whole build, from points to an archive, compared with tippecanoe if that is installed.
///
///     scripts/bench build                       a million points, zooms 0–14 and 0–10
///     scripts/bench build --long                ten and a hundred million as well
///     scripts/bench build -- FILE.geojsonl      these points
enum BuildBenchmark: Benchmark {
    static let name = "build"
    static let summary = "points in, archive out: time by stage, size, memory, beside tippecanoe"

    static func run(_ session: inout BenchSession) throws {
        let folder = try WorkFolder()
        let input = try session.arguments.first ?? folder.points(1_000_000)
        for maxZoom in [14, 10] {
            let own = try build(input, maxZoom: maxZoom, leaves: false, folder, session)
            try comparePeer(input, maxZoom: maxZoom, own, folder, session)
        }
        let plain = try build(input, maxZoom: 14, leaves: false, folder, session, reports: false)
        let leaves = try build(input, maxZoom: 14, leaves: true, folder, session, reports: false)
        session.figure(
            "leaf blocks and index", (leaves.seconds / plain.seconds - 1) * 100, "% time",
            wanted: "≤ 15 %")
        session.figure(
            "leaf blocks and index", Double(leaves.bytes - plain.bytes) / Double(plain.points),
            "bytes/point", wanted: "≤ 20 + compressed attributes")
        guard session.long else { return }
        let ten = try build(
            try folder.points(10_000_000), maxZoom: 14, leaves: false, folder, session)
        session.figure("10 M against 1 M", ten.seconds / plain.seconds, "×", wanted: "≤ 11 ×")
        let hundred = try folder.points(100_000_000)
        _ = try build(hundred, maxZoom: nil, leaves: true, folder, session)
    }

    struct Outcome {
        var seconds: Double
        var bytes: Int
        var points: Int
    }

    /// Builds in a separate process, so that its peak memory can be measured.
    private static func build(
        _ input: String, maxZoom: Int?, leaves: Bool, _ folder: WorkFolder,
        _ session: BenchSession, reports: Bool = true
    ) throws -> Outcome {
        let output = folder.path("own.mbtiles")
        let report = folder.path("report.json")
        var arguments = [
            "build", input, "-o", output, "--force", "--cluster-radius", "40", "--aggregate",
            "sum=sum:value", "--report", report, "--progress", "none", "--quiet",
            // Tiles have no size limit, as for tippecanoe.
            "--max-tile-bytes", "1000000000",
            // A hundred million points need nearly all memory of the machine; nothing else runs here.
            "--memory", "64G",
        ]
        arguments += maxZoom.map { ["--max-zoom", "\($0)"] } ?? []
        arguments += leaves ? [] : ["--no-leaves"]
        var program = ChildProgram([WorkFolder.ownProgram] + arguments)
        program.isQuiet = false
        let seconds = try program.run().wall
        let json = try JSONValue(parsing: try String(contentsOfFile: report, encoding: .utf8))
        let root = JSONNode(json)
        let points = try root.required("layers").elements[0].required("points").integer
        let outcome = Outcome(
            seconds: seconds, bytes: Int(try root.required("file_bytes").integer),
            points: Int(points))
        guard reports else { return outcome }
        let label = "\(points / 1_000_000) M, z0–\(maxZoom.map { "\($0)" } ?? "auto")"
        session.figure("\(label): build", seconds, "s")
        var peak: Int64 = 0
        for stage in try root.required("stages").elements {
            session.figure(
                "\(label):   \(try stage.required("stage").string)",
                try stage.required("seconds").number, "s")
            peak = max(peak, try stage.required("peak_bytes").integer)
        }
        session.figure(
            "\(label): peak memory", Double(peak) / Double(points), "bytes/point",
            wanted: "≤ 350 bytes/point")
        session.figure("\(label): archive", Double(outcome.bytes) / 1e6, "MB")
        return outcome
    }

    private static func comparePeer(
        _ input: String, maxZoom: Int, _ own: Outcome, _ folder: WorkFolder,
        _ session: BenchSession
    ) throws {
        guard let peer = WorkFolder.peerProgram else {
            print("build  tippecanoe is not installed (scripts/setup test does); no ratio")
            return
        }
        let output = folder.path("peer.mbtiles")
        var program = ChildProgram([
            peer, "-o", output, "-f", "-q", "-r1", "-P", "--no-tile-size-limit",
            "--no-feature-limit", "-K20", "-k\(maxZoom - 1)", "-E", "value:sum", "-Z0",
            "-z\(maxZoom)", input,
        ])
        program.isQuiet = false
        let seconds = try program.run().wall
        let bytes = try FileStatus.byteCount(at: output)
        session.figure("z0–\(maxZoom): tippecanoe", seconds, "s")
        session.figure(
            "z0–\(maxZoom): speed against tippecanoe", seconds / own.seconds, "×",
            wanted: "≥ 25 ×")
        session.figure(
            "z0–\(maxZoom): size against tippecanoe's", Double(own.bytes) / Double(bytes), "×",
            wanted: maxZoom == 14 ? "≤ 0.75 ×" : nil)
    }
}
