import Clustering
import Geometry
import TileArchive

/// How a build is carried out; nothing here changes what the archive holds.
public struct BuildOptions: Sendable {
    /// Whether an existing archive of the output's name may be replaced, at the very end.
    public var replacesExisting = false
    public var threads = 2
    /// The most bytes of memory to use; nil means three quarters of the machine's, or of its container's.
    public var memory: Int?
    /// The folder for temporary files.
    public var temporaryDirectory = "/tmp"
    /// The folder that relative source paths start from.
    public var sourceDirectory: String?
    /// Further files that the build is made from, such as the recipe; the archive may not replace
    /// them either.
    public var otherInputs: [String] = []
    /// The name of the program that the archive gives as its maker.
    public var generator = "covey"
    /// How a folder of tiles is written, if the output is one.
    public var folder = FolderOptions()
    /// How the world is cut, if cells are asked for.
    public var cells = CellOptions()
    /// Whether the points stay in a file beside the archive, for updates.
    public var keepsPoints = false
    /// Is called with the complete archive before it gets its name; false stops the build.
    public var willPublish: (@Sendable (_ temporaryPath: String) -> Bool)?
    /// Is called with the changes of an archive that is changed in place, and with its new
    /// metadata; false stops the build.
    public var willChange:
        (@Sendable ([(tile: TileID, change: TileChange)], ArchiveMetadata) -> Bool)?
    /// Is asked now and then; true stops the build, and nothing is left behind.
    public var isCancelled: @Sendable () -> Bool = { false }

    public init() {}

    /// Throws if the build is cancelled.
    func checkCancelled() throws {
        if isCancelled() { throw BuildError.cancelled }
    }
}

/// How a build is cut into cells.
public struct CellOptions: Sendable {
    /// The zoom of the cells; nil means that the points decide.
    public var zoom: Int?
    /// The margin in which a cell is looked at first, in radii at the cut; nil means the usual one.
    public var margin: Double?
    /// The folder of the job, which is kept; nil means a temporary one, if any is needed.
    public var folder: String?
    /// Fetches files of the job that are not in its folder.
    public var remote: RemoteFiles?
    /// How many zooms the cut is below cells of a given zoom; nil means the usual number.
    package var cutDepth: Int?
    /// How many zooms each level above the cells clusters; nil means the usual number, 0 no levels.
    package var levelZooms: Int?
    /// About how many leaves one task of the index makes blocks of; nil means the usual number.
    package var leavesInTask: Int?
    /// The most passes that a zoom is supposed to take, until a cell finds more.
    package var passLimit = ClusterOptions.usualPassLimit

    public init() {}

    /// Whether the build is cut even if it fits into the memory.
    var isForced: Bool { zoom != nil || folder != nil }

    /// Whether the job stays on this machine, so that a later one may take over its files.
    var stays: Bool { folder != nil && remote == nil }
}
