// The benchmarks: `scripts/bench NAME… [--json] [--long] [-- ARGUMENTS]`, one figure a line.

import Foundation

let benchmarks: [any Benchmark.Type] = [
    GeometryBenchmark.self,
    BuildBenchmark.self,
    CodecBenchmark.self,
    InputBenchmark.self,
    ClusteringBench.self,
    ExpressionsBenchmark.self,
    CompressionBenchmark.self,
    ArchiveBenchmark.self,
    SourcesBenchmark.self,
    InspectBenchmark.self,
]

var names: [String] = []
var asJSON = false
var long = false
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst(), word != "--" {
    switch word {
    case "--json": asJSON = true
    case "--long": long = true
    default: names.append(word)
    }
}

let unknown = names.filter { name in !benchmarks.contains { $0.name == name } }
guard !names.isEmpty, unknown.isEmpty else {
    for name in unknown { print("no benchmark is called \(name)") }
    print("usage: scripts/bench NAME… [--json] [--long] [-- ARGUMENTS]")
    for benchmark in benchmarks { print("  \(benchmark.name): \(benchmark.summary)") }
    exit(2)
}

var session = BenchSession(arguments: Array(words), long: long) { figure in
    asJSON ? figure.printAsJSON() : figure.printAsText()
}
for benchmark in benchmarks where names.contains(benchmark.name) {
    session.current = benchmark.name
    try benchmark.run(&session)
}
