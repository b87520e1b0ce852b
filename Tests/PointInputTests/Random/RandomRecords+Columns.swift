import Foundation
import PointInput
import Points
import SQLite

// As bytes of tables.
extension RandomRecords {
    func bytes() throws -> Data {
        switch format {
        case .arrow: Data(arrow)
        case .sqlite: try database()
        default: Data(text.utf8)
        }
    }

    /// Batches of rows, some of which are empty.
    private var arrow: [UInt8] {
        var stream = ArrowBytes.schema(Self.columns([]))
        var rest = records[...]
        for count in [7, 0, 1, 64, 1_000] {
            let some = Array(rest.prefix(count))
            stream += ArrowBytes.batch(Self.columns(some), rows: some.count)
            rest = rest.dropFirst(some.count)
        }
        return stream + ArrowBytes.end
    }

    private static func columns(_ records: [Record]) -> [ArrowBytes.Column] {
        func integers(_ name: String) -> [Int64?] {
            records.map { if case .integer(let value)? = $0.values[name] { value } else { nil } }
        }
        return [
            .doubles("lon", records.map { $0.positions.first?[0] }),
            .doubles("lat", records.map { $0.positions.first?[1] }),
            .texts(
                "t", records.map { if case .text(let text)? = $0.values["t"] { text } else { nil } }
            ),
            .integers("n", integers("n").map { $0.map { Int16($0) } }),
            .doubles(
                "f", records.map { if case .number(let f)? = $0.values["f"] { f } else { nil } }),
            .integers("w", integers("w").map { $0.map { Int8($0) } }),
            .integers("i", integers("i")),
        ]
    }

    private func database() throws -> Data {
        try withFile(named: "a.sqlite") { path in
            try FileManager.default.removeItem(atPath: path)
            let database = try Database(path: path, mode: .readWriteCreate)
            try database.execute(
                "PRAGMA synchronous = OFF; BEGIN; CREATE TABLE p (lon, lat, t, n, f, w, i)")
            var insert = try database.prepare("INSERT INTO p VALUES (?, ?, ?, ?, ?, ?, ?)")
            for record in records {
                for column in 1...7 { try insert.bindNull(at: column) }
                if let position = record.positions.first {
                    try insert.bind(position[0], at: 1)
                    try insert.bind(position[1], at: 2)
                }
                for (index, name) in Self.names.enumerated() {
                    switch record.values[name] {
                    case .text(let text)?: try insert.bind(text, at: index + 3)
                    case .number(let number)?: try insert.bind(number, at: index + 3)
                    case .integer(let integer)?: try insert.bind(integer, at: index + 3)
                    default: break
                    }
                }
                try insert.run()
            }
            try database.execute("COMMIT")
            return try Data(contentsOf: URL(filePath: path))
        }
    }
}
