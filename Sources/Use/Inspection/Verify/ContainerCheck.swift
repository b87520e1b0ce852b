import TileArchive

/// Checks the container around the tiles by the rules of its own format.
struct ContainerCheck {
    let archive: Archive

    func findings() throws(ArchiveError) -> FindingList {
        var findings = FindingList()
        let audit = try archive.audit()
        for text in audit.damage {
            findings.add(.error, "integrity", Self.damage(of: archive), at: text)
        }
        for warning in archive.warnings { note(warning, &findings) }
        if let id = audit.foreignApplicationID {
            findings.add(
                .warning, "application-id", "the application id is that of another format",
                at: "0x" + String(id, radix: 16))
        }
        for (index, key) in audit.strayKeys.enumerated() {
            let isLast = index == audit.strayKeys.count - 1
            findings.add(
                .error, "key-range", "a row names a tile that does not exist", at: key,
                count: isLast ? audit.strayCount - index : 1)
        }
        for problem in audit.pmtiles {
            findings.add(
                problem.isHarmless ? .warning : .error, problem.code, problem.description)
        }
        if let fault = archive.clustersFault {
            findings.add(.error, "cluster-file", fault.description)
        }
        return findings
    }

    /// The message about a damaged container.
    private static func damage(of archive: Archive) -> String {
        archive.containerName == MBTiles.name
            ? "SQLite finds the database damaged" : "the \(archive.containerName) is damaged"
    }

    private func note(_ warning: ArchiveWarning, _ findings: inout FindingList) {
        switch warning {
        case .noIndex: findings.add(.warning, "no-index", warning.description)
        case .noMetadata: findings.add(.error, "no-metadata", warning.description)
        case .missing: findings.add(.error, "missing-row", warning.description)
        case .garbled: findings.add(.error, "garbled-row", warning.description)
        case .repeated: findings.add(.error, "repeated-row", warning.description)
        case .missingTable: findings.add(.error, "cluster-tables", warning.description)
        case .tooLong: findings.add(.error, "long-row", warning.description)
        }
    }
}
