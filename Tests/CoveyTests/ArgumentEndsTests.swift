import Arguments
import Testing

@testable import covey

/// Words of the command line at the ends of what they may be, and one past them.
struct ArgumentEndsTests {
    @Test(arguments: [
        ("180,90", true), ("-180,-90", true), ("180.1,0", false), ("0,90.1", false),
        ("-181,0", false),
        ("1", false), ("1,2,3", false), ("1,x", false), ("1,", false), ("inf,0", false),
    ])
    func `a position is within the world`(word: String, isOne: Bool) throws {
        guard isOne else {
            #expect(throws: ValueError.self) { _ = try PositionArgument(argument: word) }
            return
        }
        let position = try PositionArgument(argument: word).position
        #expect("\(Int(position.longitude)),\(Int(position.latitude))" == word)
    }

    @Test(arguments: [
        ("-180,-5,180,5", true), ("170,-5,-170,5", true), ("1,2,3,2", true),
        ("-180.1,0,0,1", false),
        ("0,0,180.1,1", false), ("0,2,1,1", false), ("0,0,1", false), ("0,0,1,1,1", false),
    ])
    func `a box is within the world, its south below its north`(word: String, isOne: Bool) throws {
        guard isOne else {
            #expect(throws: ValueError.self) { _ = try BoxArgument(argument: word) }
            return
        }
        let box = try BoxArgument(argument: word).box
        let edges = [box.west, box.south, box.east, box.north].map { "\(Int($0))" }
        #expect(edges.joined(separator: ",") == word)
    }

    @Test(arguments: [
        ("0", 0, 0), ("31", 31, 31), ("3-7", 3, 7), ("5-5", 5, 5), ("0-31", 0, 31),
    ])
    func `zooms are one, or from one to another`(word: String, first: Int, last: Int) throws {
        #expect(try ZoomArgument(argument: word).zooms == first...last)
    }

    @Test(arguments: ["32", "-1", "7-3", "3-32", "1-2-3", "", "x", "3-", "-"])
    func `what is no zoom is none`(word: String) {
        #expect(throws: ValueError.self) { _ = try ZoomArgument(argument: word) }
    }

    @Test(arguments: [
        ("0/0/0", true), ("3/7/7", true), ("3/8/0", false), ("3/0/8", false), ("3/-1/0", false),
        ("3/1", false), ("3/1/1/1", false), ("a/b/c", false), ("32/0/0", false),
    ])
    func `a tile is one of its zoom`(word: String, isOne: Bool) throws {
        guard isOne else {
            #expect(throws: ValueError.self) { _ = try TileArgument(argument: word) }
            return
        }
        #expect("\(try TileArgument(argument: word).tile)" == word)
    }
}
