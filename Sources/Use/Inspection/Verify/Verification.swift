import ArchiveContract
import Geometry
import JSON
import TileArchive

/// The check of an archive against the formats, its own metadata, and the promises of Covey's clusters.
public struct Verification: Sendable {
    public private(set) var findings: FindingList
    public let survey: Survey
    /// Whether there were clusters of Covey to check.
    public let isCovey: Bool
    /// Whether there was an index to compare the tiles with.
    public let hasIndex: Bool

    /// Checks an archive with several threads.
    /// - Parameters:
    ///   - isDeep: whether to compute the clusters' attributes again, with all points in memory.
    ///   - progress: is called now and then with the number of tiles done.
    public init(
        of archive: Archive, threads: Int, isDeep: Bool = false,
        progress: (Int) -> Void = { _ in }
    ) throws {
        var findings = try ContainerCheck(archive: archive).findings()
        let facts = try Self.facts(of: archive, &findings)
        var pass = VerifyingPass(archive, facts)
        if facts == nil, Self.pictures.contains(archive.metadata.format) {
            findings.add(
                .warning, "pictures", "the tiles are pictures, so only the container was checked",
                at: archive.metadata.format)
            self.findings = findings
            (survey, isCovey, hasIndex) = (pass.survey, false, false)
            return
        }
        do {
            let passage = try pass.run(threads: threads, &findings, progress: progress)
            Self.check(passage, archive.metadata, &findings)
            let metadata = MetadataCheck(
                metadata: archive.metadata, survey: pass.survey, facts: facts)
            findings.merge(metadata.findings())
            if let facts { try pass.checkClusters(facts, threads: threads, &findings) }
            if isDeep, let facts {
                try DeepCheck(archive: archive, facts: facts, threads: threads).run(&findings)
            }
        } catch ArchiveError.damagedClusters(_, let reason) {
            findings.add(.error, "block-index", "cluster blocks cannot be read", at: reason)
        } catch ArchiveError.corrupt(_, let reason) {
            // If a page cannot be read, nothing more can be checked.
            findings.add(.error, "integrity", "the archive cannot be read to its end", at: reason)
        }
        self.findings = findings
        survey = pass.survey
        isCovey = facts != nil
        hasIndex = pass.hasIndex
    }

    private static let pictures: Set = ["png", "jpg", "jpeg", "webp", "avif"]

    public var json: JSONValue {
        [
            "errors": .bool(findings.hasErrors), "tiles": .integer(Int64(survey.tiles)),
            "covey": .bool(isCovey), "cluster_index": .bool(hasIndex),
            "findings": .array(findings.all.map(\.json)),
        ]
    }

    private static func facts(
        of archive: Archive, _ findings: inout FindingList
    ) throws(ArchiveError) -> CoveyFacts? {
        if archive.hasClusters, archive.description == nil {
            findings.add(
                .error, "covey-row",
                "there are tables of clusters, but the archive does not say what is in them")
        }
        do throws(DescriptionError) {
            return try archive.description.map { described throws(DescriptionError) in
                var facts = CoveyFacts(try described.get())
                facts.conventions = TileConventions(of: archive)
                return facts
            }
        } catch {
            // The promises of a later version cannot be checked.
            if case .newerFormat = error {
                throw .unreadableClusters(path: archive.path, error)
            }
            findings.add(
                .error, "covey-row", "what the archive says of its clusters makes no sense",
                at: error.description)
            return nil
        }
    }

    private static func check(
        _ passage: TileFeed.Passage, _ metadata: ArchiveMetadata,
        _ findings: inout FindingList
    ) {
        for tile in passage.duplicates {
            findings.add(
                .error, "duplicate-tile", "a tile is stored more than once",
                at: tile.description)
        }
        if let said = metadata.tilesHash, let real = passage.hash, said.uppercased() != real {
            findings.add(
                .error, "hash", "agg_tiles_hash is not the hash of the tiles",
                at: "\(said), not \(real)")
        }
    }
}
