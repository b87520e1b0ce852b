/// Why a job's folder cannot be used as it is.
public enum JobError: Error, Equatable {
    case cannotWrite(path: String, reason: String)
    case cannotRead(path: String, reason: String)
    case damaged(path: String)
    /// A damaged file of an earlier job, which is removed.
    case discarded(path: String)
    case otherVersion(path: String)
    /// A file belongs to a job with other inputs or options.
    case otherJob(path: String)
    case notPlanned(folder: String)
    /// The folder already has a plan, and it is not the one that is asked for.
    case plannedOtherwise(folder: String)
    /// A phase that must come first is not done for these cells.
    case missing(phase: String, cells: [String], folder: String)
    case cannotCut(reason: String)
    case noCell(String, folder: String)
    /// A text that should be the name of a part is not one.
    case noPart(String)
    case tooManyInvalid(limit: Int, account: String)
    /// A cell takes too much memory, however the world is cut.
    case cellTooHeavy(cell: String, points: Int, needed: Int, allowed: Int)
    /// The error of a phase in one cell.
    case inCell(String, phase: String, problem: String)
    case diskTooSmall(folder: String, needed: Int, free: Int)
    /// The cells' counts differ from those of the plan.
    case doesNotAddUp(String)
}

extension JobError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotWrite(let path, let reason):
            "\(path): cannot be written: \(reason)\nsee that the folder is there and has room, or name another"
        case .cannotRead(let path, let reason):
            "\(path): cannot be read: \(reason)\nrun the phase again that writes it"
        case .damaged(let path):
            "\(path): is damaged\nremove it and run its phase again"
        case .discarded(let path):
            "\(path): was damaged, and is removed\nrun it again, and the file is made anew"
        case .otherVersion(let path):
            "\(path): was written by another version of covey\n"
                + "finish the job with the version that began it, or plan it again in a new folder"
        case .otherJob(let path):
            "\(path): belongs to a job with other inputs or options\n"
                + "remove it and run its phase again"
        case .notPlanned(let folder):
            "\(folder): holds no plan\nbegin with covey cells plan INPUT… --job \(folder)"
        case .plannedOtherwise(let folder):
            "\(folder): holds a plan for other inputs or options\n"
                + "name another folder, or remove this one"
        case .missing(let phase, let cells, let folder):
            "\(folder): phase \(phase) is not done for \(Self.some(cells))\n"
                + "run covey cells \(phase) --job \(folder); "
                + "covey cells status --job \(folder) shows what can run next"
        case .cannotCut(let reason):
            "this build cannot be cut into cells: \(reason)\n"
                + "build it in memory, without --cell-zoom and --job; --memory sets how much it may use"
        case .noCell, .noPart, .tooManyInvalid, .cellTooHeavy, .inCell: ofPart
        case .diskTooSmall(let folder, let needed, let free):
            "\(folder): the job needs about \((needed + (1 << 20) - 1) >> 20) MiB of disk, and only "
                + "\(free >> 20) MiB are free\nname a folder on a larger disk with --job or --temp-dir"
        case .doesNotAddUp(let what):
            "the cells do not add up: \(what)\nbegin again in a new folder"
        }
    }

    /// The errors about one cell, or about one part of the points.
    private var ofPart: String {
        switch self {
        case .noCell(let name, let folder):
            "\(folder): has no cell \(name)\ncovey cells status --job \(folder) --json lists its cells"
        case .noPart(let name):
            "\(name): is not the name of a part\nuse the names that covey cells read printed"
        case .tooManyInvalid(let limit, let account):
            "more than \(limit) records are not valid: \(account)\n"
                + "use --skip-invalid without a number to leave all of them out"
        case .cellTooHeavy(let cell, let points, let needed, let allowed):
            "cell \(cell) holds \(points) points, which need about \((needed + (1 << 20) - 1) >> 20) MiB where "
                + "\(allowed >> 20) MiB are allowed; cells cannot be smaller than that\n"
                + "allow each task more memory"
        case .inCell(let cell, let phase, let problem): "\(phase) of cell \(cell): \(problem)"
        default: ""
        }
    }

    private static func some(_ cells: [String]) -> String {
        let first = cells.prefix(3).joined(separator: ", ")
        return cells.count > 3 ? "\(first) and \(cells.count - 3) more" : first
    }
}
