import JSON
import Tileset

/// Has files of a job brought by whoever started the program: it says which ones on standard output, and waits
/// for a line on standard input.
struct FileErrands {
    private let folder: String
    private let console: Console

    static func begin(in folder: String, _ console: Console) {
        let errands = FileErrands(folder: folder, console: console)
        BroughtFiles.bring(to: folder) { pieces throws(JobError) in
            try errands.send(for: pieces)
        }
    }

    private func send(for pieces: [BroughtFiles.Piece]) throws(JobError) {
        console.print(JSONValue.object(["bring": .array(pieces.map(json))]).text())
        guard readLine() != nil else {
            throw .cannotRead(path: pieces[0].path, reason: "nobody has brought it")
        }
    }

    /// The path below the folder; and where the stretch begins and how long it is, unless it is all.
    private func json(_ piece: BroughtFiles.Piece) -> JSONValue {
        let name = JSONValue.string(String(piece.path.dropFirst(folder.count + 1)))
        guard let bytes = piece.bytes else { return .array([name]) }
        return .array(
            [name, .integer(Int64(bytes.lowerBound)), .integer(Int64(bytes.count))])
    }
}
