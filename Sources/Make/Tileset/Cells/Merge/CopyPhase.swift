import TileArchive

/// Copies the bytes of a PMTiles archive from the files of the job to their places.
struct CopyPhase {
    let job: CellJob
    let laid: LaidOut

    /// Some bytes of a piece.
    private struct Portion: Sendable {
        let piece: LaidOut.Piece
        /// Its range in its stream.
        let range: Range<Int>
        let file: Int
    }

    /// Copies some bytes of all files, which are numbered through, one file after the other.
    func run(
        _ range: Range<Int>, progress: (Int) -> Void,
        write: (_ bytes: ArraySlice<UInt8>, _ offset: Int, _ file: Int) throws -> Void
    ) throws {
        let portions = portions(of: range)
        try fetch(portions)
        var done = 0
        try job.forEach(portions) { portion in
            let (reader, _) = try job.read(path(of: portion.piece.source))
            return (portion, try portion.piece.stream.bytes(portion.range, in: reader))
        } consume: { (portion: Portion, bytes: ArraySlice<UInt8>) in
            try write(bytes, portion.piece.offset + portion.range.lowerBound, portion.file)
            done += bytes.count
            progress(done)
        }
    }

    private func portions(of range: Range<Int>) -> [Portion] {
        var portions: [Portion] = []
        var first = 0
        for (file, size) in laid.sizes.enumerated() {
            let own = (first..<first + size).clamped(to: range)
            let wanted = own.lowerBound - first..<own.upperBound - first
            first += size
            for piece in laid.files[file] where piece.bytes.overlaps(wanted) {
                let part = piece.bytes.clamped(to: wanted)
                let own = part.lowerBound - piece.offset..<part.upperBound - piece.offset
                portions += JobStream.portions(of: own).map {
                    Portion(piece: piece, range: $0, file: file)
                }
            }
        }
        return portions
    }

    private func fetch(_ portions: [Portion]) throws {
        guard job.folder.isRemote else { return }
        try job.folder.fetch(
            portions.flatMap { portion -> [RemoteFiles.Piece] in
                let path = path(of: portion.piece.source)
                return [0..<JobFolder.usualHead, portion.piece.stream.place(of: portion.range)]
                    .map { .init(path: path, bytes: $0) }
            })
    }

    private func path(of source: LaidOut.Source) -> String {
        switch source {
        case .own: job.files.laidOut
        case .part(let part): IndexPlan.path(ofPart: part, job)
        case .index(let unit): job.files.index(unit)
        }
    }
}
