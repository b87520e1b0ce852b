import JSON
import Tileset

/// Asks the program that started this one for files of a job: prints their names on standard
/// output, and waits for a line on standard input.
struct FileRequests {
    let folder: String
    let console: Console

    var files: RemoteFiles { RemoteFiles { pieces throws(JobError) in try ask(for: pieces) } }

    private func ask(for pieces: [RemoteFiles.Piece]) throws(JobError) {
        console.print(JSONValue.object(["bring": .array(pieces.map(json))]).text())
        // If the request could not be written, there will be no answer.
        guard !console.hasLostOutput, readLine() != nil else {
            throw .cannotRead(
                path: pieces[0].path,
                reason: "the program that started covey did not provide it")
        }
    }

    /// The path below the folder, followed by the start and length of the stretch, unless the whole file is needed.
    private func json(_ piece: RemoteFiles.Piece) -> JSONValue {
        let name = JSONValue.string(String(piece.path.dropFirst(folder.count + 1)))
        guard let bytes = piece.bytes else { return .array([name]) }
        return .array(
            [name, .integer(Int64(bytes.lowerBound)), .integer(Int64(bytes.count))])
    }
}
