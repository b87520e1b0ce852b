import Foundation
import Testing

@testable import Platform

struct MachineMemoryTests {
    struct Case: Sendable {
        let groups: String
        let files: [String: String]
        let limit: Int?
    }

    static let cases: [Case] = [
        Case(
            groups: "0::/a/b\n", files: ["a/memory.max": "2000", "a/b/memory.max": "max"],
            limit: 2000),
        Case(
            groups: "0::/a/b\n", files: ["a/memory.max": "2000", "a/b/memory.max": "1000"],
            limit: 1000),
        // A container sees its own group as the root.
        Case(groups: "0::/\n", files: ["memory.max": "3000"], limit: 3000),
        Case(
            groups: "9:cpu:/x\n4:memory:/docker/1\n0::/\n",
            files: ["memory/memory.limit_in_bytes": "4000"], limit: 4000),
        Case(
            groups: "4:hugetlb,memory:/s\n", files: ["memory/s/memory.limit_in_bytes": "5000"],
            limit: 5000),
        Case(
            groups: "4:memory:/s:t\n", files: ["memory/s:t/memory.limit_in_bytes": "6000"],
            limit: 6000),
        Case(groups: "0::/\n", files: ["memory.max": "max"], limit: nil),
        Case(groups: "odd\n0:\n0::/\n", files: [:], limit: nil),
    ]

    @Test(arguments: cases) func `the least limit of a container counts`(known: Case) throws {
        let folder =
            FileManager.default.temporaryDirectory.path + "/covey-groups-\(UUID().uuidString)"
        defer { try? Directory.removeTree(folder) }
        for (name, text) in known.files {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: Directory.split(path).directory, withIntermediateDirectories: true)
            try File.write(Array((text + "\n").utf8).span, toNew: path)
        }
        #expect(MachineMemory.limit(of: known.groups, under: folder) == known.limit)
        #expect(MachineMemory.bytes > 1 << 20)
    }
}
