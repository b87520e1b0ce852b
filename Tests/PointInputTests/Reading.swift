import Foundation
import PointInput
import Points

/// A table that was read from a text, and what became of its records.
struct Reading {
    var table: PointTable
    var report: InputReport

    init(_ text: String, name: String = "input", options: InputOptions = InputOptions()) throws {
        try self.init(Data(text.utf8), name: name, options: options)
    }

    init(_ bytes: Data, name: String = "input", options: InputOptions = InputOptions()) throws {
        let file = TemporaryFile(bytes)
        defer { file.remove() }
        (table, report) = try PointTable.read([.file(file.path, named: name)], options: options)
    }

    /// The attributes of a row by name.
    func attributes(_ row: Int) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for name in table.attributes.keys.names {
            values[name] = table.attributes.value(of: name, row: row)
        }
        return values
    }

    func longitude(_ row: Int) -> Double { table.position(of: row).lonLat.longitude }
    func latitude(_ row: Int) -> Double { table.position(of: row).lonLat.latitude }
}

/// A file that a test makes and removes.
struct TemporaryFile {
    let path: String

    init(_ bytes: Data = Data(), ending: String = "tmp") {
        path = NSTemporaryDirectory() + "covey-test-\(UUID().uuidString).\(ending)"
        precondition(FileManager.default.createFile(atPath: path, contents: bytes))
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// What reading that text is answered with, when it fails.
func complaint(
    about text: String, name: String, _ change: (inout InputOptions) -> Void = { _ in }
) -> String? {
    complaint(about: Data(text.utf8), name: name, change)
}

func complaint(
    about bytes: Data, name: String, _ change: (inout InputOptions) -> Void = { _ in }
) -> String? {
    var options = InputOptions()
    change(&options)
    do {
        _ = try Reading(bytes, name: name, options: options)
        return nil
    } catch let error as InputError {
        return error.description + (error.advice.map { "\n\($0)" } ?? "")
    } catch {
        return "\(error)"
    }
}
