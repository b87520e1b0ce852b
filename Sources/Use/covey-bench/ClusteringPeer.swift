import Clustering
import Foundation
import Points

/// Supercluster, which does the same as `greedy` in JavaScript, on the same points and options.
///
/// It is not part of Covey: an environment variable gives its path, and Node runs it.
enum ClusteringPeer {
    static let variable = "COVEY_SUPERCLUSTER"

    static func run(_ points: PointTable, _ session: BenchSession) throws {
        guard let folder = ProcessInfo.processInfo.environment[variable] else {
            print(
                "Supercluster: skipped; \(variable)=FOLDER names one where Node finds the package "
                    + "(FOLDER/node_modules/supercluster and kdbush)")
            return
        }
        let work = try WorkFolder()
        let file = work.path("points")
        try write(points, to: file)
        let load = try seconds(in: folder, points: file)
        session.figure("Supercluster, load", load, "s")
        for algorithm in [ClusterOptions.Algorithm.greedy, .spaced] {
            for threads in [1, 2] {
                let time = try session.seconds(runs: 5) {
                    try ClusteringBench.cluster(points, algorithm, threads: threads)
                }
                let name = "\(algorithm), \(threads) thread\(threads == 1 ? "" : "s")"
                session.figure("\(name), elapsed", time, "s")
                session.figure("Supercluster ÷ \(name)", load / time, "×", wanted: "≥ 10×")
            }
        }
    }

    /// Writes longitude, latitude and value of each point, as 64-bit numbers one after another.
    private static func write(_ points: PointTable, to file: String) throws {
        var numbers: [Double] = []
        numbers.reserveCapacity(3 * points.count)
        for row in 0..<points.count {
            let place = points.position(of: row).lonLat
            let value = points.attributes.value(of: "value", row: row)?.asNumber ?? 0
            numbers += [place.longitude, place.latitude, value]
        }
        let bytes = unsafe numbers.withUnsafeBufferPointer { unsafe Data(buffer: $0) }
        try bytes.write(to: URL(fileURLWithPath: file))
    }

    /// The median seconds of three loads, after one for the engine to compile the code.
    private static func seconds(in folder: String, points file: String) throws -> Double {
        let output = Pipe()
        var node = ChildProgram([
            "node", "--max-old-space-size=16384", "--input-type=module", "-e", script, file,
        ])
        node.isQuiet = false
        // A module without a file resolves its imports from the current folder.
        node.folder = folder
        let process = try node.start(output: output)
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let time = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            throw ChildProgram.Failure(
                description: "node found no Supercluster in \(folder), or could not run it")
        }
        return time
    }

    /// The options must be those of `ClusteringBench.options`.
    private static let script = """
        import {readFileSync} from 'node:fs';
        import Supercluster from 'supercluster';
        const bytes = readFileSync(process.argv[1]);
        const numbers = new Float64Array(new Uint8Array(bytes).buffer);
        const points = [];
        for (let i = 0; i < numbers.length; i += 3) points.push({
            type: 'Feature', properties: {value: numbers[i + 2]},
            geometry: {type: 'Point', coordinates: [numbers[i], numbers[i + 1]]}});
        const times = [];
        for (let run = 0; run < 4; run++) {
            const index = new Supercluster({
                radius: 40, minZoom: 0, maxZoom: 14, minPoints: 2,
                map: properties => ({sum: properties.value}),
                reduce: (sums, next) => { sums.sum += next.sum; }});
            const start = performance.now();
            index.load(points);
            times.push((performance.now() - start) / 1000);
        }
        console.log(times.slice(1).sort((a, b) => a - b)[1]);
        """
}
