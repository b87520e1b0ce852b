import Platform

/// The files in a zip archive, by its central directory (APPNOTE 4.3.12 to 4.3.16, with zip64).
struct ZipDirectory {
    static let signature = Array("PK\u{3}\u{4}".utf8)

    struct Member: Equatable {
        var name: String
        /// 0 is stored, 8 deflate (4.4.5).
        var method: Int
        var isEncrypted: Bool
        var checksum: UInt32
        var packedSize: Int
        var size: Int
        /// The offset of its local header.
        var offset: Int
    }

    let members: [Member]

    /// A larger directory is not one of an archive of points.
    private static let longest = 1 << 26

    init(_ path: String, of input: String) throws(InputError) {
        func fault(_ problem: String) -> InputError {
            .malformed(input: input, location: "zip archive", problem: problem)
        }
        let file = try InputFile(path, of: input)
        // A comment of up to 64 KiB may follow the end record.
        let tail = try file.bytes(max(0, file.size - 65_557 - 20)..<file.size)
        guard let end = tail.span.lastIndex(of: 0x0605_4B50, size: 22) else {
            throw fault("is cut off: the directory at its end is missing")
        }
        var (size, offset) = (tail.span.number(end + 12, 4), tail.span.number(end + 16, 4))
        if end >= 20, tail.span.number(end - 20, 4) == 0x0706_4B50 {
            let start = tail.span.number(end - 12, 8)
            let end64 = try file.bytes(at: start, upTo: 56)
            guard end64.count == 56, end64.span.number(0, 4) == 0x0606_4B50 else {
                throw fault("its directory is damaged")
            }
            (size, offset) = (end64.span.number(40, 8), end64.span.number(48, 8))
        }
        guard size <= Self.longest else { throw fault("its directory is too long") }
        let directory = try file.bytes(at: offset, upTo: size)
        guard directory.count == size, let members = Self.members(in: directory.span) else {
            throw fault("its directory is damaged")
        }
        self.members = members.filter { member in
            let names = member.name.split(separator: "/", omittingEmptySubsequences: false)
            // No folders, and no files that macOS adds.
            return names.last != "" && !names.contains { $0 == "__MACOSX" || $0.hasPrefix("._") }
        }
    }

    private static func members(in bytes: Span<UInt8>) -> [Member]? {
        var members: [Member] = []
        var start = 0
        while start < bytes.count {
            guard bytes.count - start >= 46, bytes.number(start, 4) == 0x0201_4B50 else {
                return nil
            }
            let nameEnd = start + 46 + bytes.number(start + 28, 2)
            let extraEnd = nameEnd + bytes.number(start + 30, 2)
            let next = extraEnd + bytes.number(start + 32, 2)
            guard next <= bytes.count else { return nil }
            var member = Member(
                name: String(copying: bytes.extracting(start + 46..<nameEnd)),
                method: bytes.number(start + 10, 2),
                isEncrypted: bytes.number(start + 8, 2) & 1 == 1,
                checksum: UInt32(bytes.number(start + 16, 4)),
                packedSize: bytes.number(start + 20, 4), size: bytes.number(start + 24, 4),
                offset: bytes.number(start + 42, 4))
            member.takeLongNumbers(bytes.extracting(nameEnd..<extraEnd))
            members.append(member)
            start = next
        }
        return members
    }
}

extension ZipDirectory.Member {
    /// Sizes that exceed 32 bits are in an extra field (4.5.3): only those needed, in this order.
    fileprivate mutating func takeLongNumbers(_ extra: Span<UInt8>) {
        var start = 0
        while extra.count - start >= 4 {
            let end = start + 4 + extra.number(start + 2, 2)
            guard end <= extra.count else { return }
            if extra.number(start, 2) == 1 {
                var index = start + 4
                for part in [\Self.size, \.packedSize, \.offset]
                where self[keyPath: part] == 0xFFFF_FFFF && end - index >= 8 {
                    self[keyPath: part] = extra.number(index, 8)
                    index += 8
                }
            }
            start = end
        }
    }
}

extension ZipDirectory {
    /// A file of points in an archive.
    struct Choice {
        var archive: String
        var member: Member
        /// Its name in the archive, or that of the folder of several shapefiles.
        var name: String

        /// GDAL's name of it.
        var nameOfGDAL: String {
            (["/vsizip/{\(archive)}"] + name.split(separator: "/").map(String.init))
                .joined(separator: "/")
        }
    }

    /// The file in an archive that a path names, or the only one with points; nil if there is none.
    /// - Parameter start: the first bytes of the archive, if the path is its own without a file in it.
    static func choice(
        of path: String, startingWith start: [UInt8]?, input: String
    ) throws(InputError) -> Choice? {
        guard start == nil else {
            let directory = try ZipDirectory(path, of: input)
            guard GDALSource.name(ofWhole: path, directory) == nil else { return nil }
            return try directory.only(path, of: input)
        }
        guard let (archive, wanted) = split(path) else { return nil }
        let directory = try ZipDirectory(archive, of: input)
        guard let member = directory.members.first(where: { $0.name == wanted }) else {
            throw .ambiguous(
                input: input, problem: "there is no such file in the archive",
                advice: "there are \(InputError.some(directory.members.map(\.name)))")
        }
        return Choice(archive: archive, member: member, name: wanted)
    }

    /// The only file that may have points. GDAL reads the shapefiles of a folder as layers of one source.
    func only(_ path: String, of input: String) throws(InputError) -> Choice? {
        let found = pointMembers
        guard let first = found.first else { return nil }
        let folders = Set(
            found.map { $0.name.split(separator: "/").dropLast().joined(separator: "/") })
        let areShapefiles = found.allSatisfy { $0.name.lowercased().hasSuffix(".shp") }
        if found.count > 1, areShapefiles, folders.count == 1, let folder = folders.first {
            return Choice(archive: path, member: first, name: folder)
        }
        guard found.count > 1 else { return Choice(archive: path, member: first, name: first.name) }
        let isFile = PointSource.isFile(input) && input != PointSource.standardInput.name
        let archive = isFile ? input : "FILE.zip"
        throw .ambiguous(
            input: input, problem: "\(found.count) of its files may have points",
            advice: (isFile ? "name one: " : "save it as a file, and name one: ")
                + InputError.some(found.map { "\(archive)/\($0.name)" }))
    }

    /// The archive and the file name in a path that is not itself a file.
    static func split(_ path: String) -> (archive: String, name: String)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.firstIndex(where: { $0.lowercased().hasSuffix(".zip") }),
            last + 1 < parts.count, !File.isReadable(path),
            case let archive = parts[...last].joined(separator: "/"), File.isReadable(archive)
        else { return nil }
        return (archive, parts[(last + 1)...].joined(separator: "/"))
    }

    /// The files that may have points, by their names; a `doc.kml` is what a KMZ shows, and all else belongs to it.
    private var pointMembers: [Member] {
        if let document = members.first(where: { $0.name == "doc.kml" }) { return [document] }
        return PointReaders.certain(
            among: members.filter { PointReaders.reader(ofName: $0.name) != nil }, \.name)
    }
}

extension Span<UInt8> {
    /// The last offset of a record with this signature.
    fileprivate func lastIndex(of signature: Int, size: Int) -> Int? {
        guard count >= size else { return nil }
        return (0...(count - size)).last { number($0, 4) == signature }
    }
}
