import Inspection
import SQLite
import Testing

/// Archives as they are built: nothing may be found in them.
struct WholeArchiveTests {
    @Test(arguments: ArchiveKind.allCases)
    func `an archive as it was built has no findings, however deep one looks`(
        kind: ArchiveKind
    ) throws {
        let built = try BuiltArchive(kind, keepsHash: true)
        let verification = try Verification(of: built.archive, threads: 2, isDeep: true)
        #expect(verification.findings.all == [])
        #expect(verification.isCovey && verification.hasIndex)
        #expect(verification.survey.hasClusters == (kind != .lone))
    }

    @Test func `hashes are the same in every run`() {
        #expect(Fingerprint.hash(of: Array("covey".utf8).span) == 5_011_269_663_120_412_007)
    }
}
