import Foundation
import Testing

@testable import Platform

struct MachineMemoryTests {
    @Test(arguments: [
        ("0::/a/b\n", ["a/memory.max": "2000", "a/b/memory.max": "max"], 2000),
        ("0::/a/b\n", ["a/memory.max": "2000", "a/b/memory.max": "1000"], 1000),
        // A container sees its own group as the root.
        ("0::/\n", ["memory.max": "3000"], 3000),
        ("9:cpu:/x\n4:memory:/docker/1\n0::/\n", ["memory/memory.limit_in_bytes": "4000"], 4000),
        (
            "4:hugetlb,memory:/s\n",
            ["memory/s/memory.limit_in_bytes": "5000", "memory/memory.limit_in_bytes": "9000"], 5000
        ),
        ("4:memory:/s:t\n", ["memory/s:t/memory.limit_in_bytes": "6000"], 6000),
        ("0::/\n", ["memory.max": "max"], nil), ("0::/\n", [:], nil), ("odd\n0:\n", [:], nil),
    ])
    func `the least limit of a container counts`(
        groups: String, files: [String: String], limit: Int?
    ) throws {
        let folder =
            FileManager.default.temporaryDirectory.path + "/covey-groups-\(UUID().uuidString)"
        defer { try? Directory.removeTree(folder) }
        for (name, text) in files {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: Directory.split(path).directory, withIntermediateDirectories: true)
            try File.write(Array((text + "\n").utf8).span, toNew: path)
        }
        #expect(MachineMemory.limit(of: groups, under: folder) == limit)
        #expect(MachineMemory.bytes > 1 << 20)
    }
}
