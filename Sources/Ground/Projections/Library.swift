import CLibrary

/// The functions of PROJ that are used, loaded from the system's library when they are first needed.
///
/// PROJ is loaded at run time, not linked: it depends on forty libraries (curl's, Kerberos, LDAP),
/// which would make each start of the program take half as long again, and it could not be linked
/// into a program that runs without them. The functions used have been the same since PROJ 6.2.
@safe
struct Library: @unchecked Sendable {
    typealias Context = OpaquePointer
    typealias Object = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Doubles = UnsafeMutablePointer<Double>

    let makeContext: @convention(c) () -> Context?
    let destroyContext: @convention(c) (Context?) -> Context?
    let setLogLevel: @convention(c) (Context?, CInt) -> CInt
    let databasePath: @convention(c) (Context?) -> Text?
    let create: @convention(c) (Context?, Text?) -> Object?
    let destroy: @convention(c) (Object?) -> Object?
    let name: @convention(c) (Object?) -> Text?
    let type: @convention(c) (Object?) -> CInt
    let part: @convention(c) (Context?, Object?, CInt) -> Object?
    let areaOfUse:
        @convention(c) (
            Context?, Object?, Doubles?, Doubles?, Doubles?, Doubles?,
            UnsafeMutablePointer<Text?>?
        ) -> CInt
    let connect:
        @convention(c) (Context?, Object?, Object?, OpaquePointer?, UnsafePointer<Text?>?) ->
            Object?
    let normalize: @convention(c) (Context?, Object?) -> Object?
    let transform:
        @convention(c) (
            Object?, CInt, Doubles?, Int, Int, Doubles?, Int, Int, Doubles?, Int, Int, Doubles?,
            Int, Int
        ) -> Int
    let makeSearch: @convention(c) (Context?, Text?) -> OpaquePointer?
    let destroySearch: @convention(c) (OpaquePointer?) -> Void
    let setGridUse: @convention(c) (Context?, OpaquePointer?, CInt) -> Void
    let setCriterion: @convention(c) (Context?, OpaquePointer?, CInt) -> Void
    let operations: @convention(c) (Context?, Object?, Object?, OpaquePointer?) -> OpaquePointer?
    let listCount: @convention(c) (OpaquePointer?) -> CInt
    let listed: @convention(c) (Context?, OpaquePointer?, CInt) -> Object?
    let destroyList: @convention(c) (OpaquePointer?) -> Void
    let gridCount: @convention(c) (Context?, Object?) -> CInt
    let grid:
        @convention(c) (
            Context?, Object?, CInt, UnsafeMutablePointer<Text?>?, UnsafeMutablePointer<Text?>?,
            UnsafeMutablePointer<Text?>?, UnsafeMutablePointer<Text?>?,
            UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<CInt>?
        ) -> CInt

    /// The library, or the reason why it cannot be loaded.
    static let shared = Result { () throws(ProjectionError) in try Library() }

    private init() throws(ProjectionError) {
        let handle = try unsafe Self.load()
        func find<Function>(
            _ name: String, as: Function.Type = Function.self
        ) throws(ProjectionError) -> Function {
            guard let symbol = unsafe dlsym(handle, "proj_\(name)") else {
                throw .notInstalled(reason: "it is older than version 6.2")
            }
            return unsafe unsafeBitCast(symbol, to: Function.self)
        }
        unsafe makeContext = try find("context_create")
        unsafe destroyContext = try find("context_destroy")
        unsafe setLogLevel = try find("log_level")
        unsafe databasePath = try find("context_get_database_path")
        unsafe create = try find("create")
        unsafe destroy = try find("destroy")
        unsafe name = try find("get_name")
        unsafe type = try find("get_type")
        unsafe part = try find("crs_get_sub_crs")
        unsafe areaOfUse = try find("get_area_of_use")
        unsafe connect = try find("create_crs_to_crs_from_pj")
        unsafe normalize = try find("normalize_for_visualization")
        unsafe transform = try find("trans_generic")
        unsafe makeSearch = try find("create_operation_factory_context")
        unsafe destroySearch = try find("operation_factory_context_destroy")
        unsafe setGridUse = try find("operation_factory_context_set_grid_availability_use")
        unsafe setCriterion = try find("operation_factory_context_set_spatial_criterion")
        unsafe operations = try find("create_operations")
        unsafe listCount = try find("list_get_count")
        unsafe listed = try find("list_get")
        unsafe destroyList = try find("list_destroy")
        unsafe gridCount = try find("coordoperation_get_grid_used_count")
        unsafe grid = try find("coordoperation_get_grid_used")
    }

    /// The newest version first, as the system's own programs do; the bare name exists where development files are installed.
    private static let names =
        ["libproj.so.25", "libproj.so"]
        + [26, 22, 19, 17, 15].map { "libproj.so.\($0)" }
        + ["libproj.dylib", "/opt/homebrew/lib/libproj.dylib", "/usr/local/lib/libproj.dylib"]

    private static func load() throws(ProjectionError) -> UnsafeMutableRawPointer {
        var reason = "there is no \(names[0])"
        for name in names {
            if let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) { return unsafe handle }
            // A library that exists but depends on a missing one has a message about it, which is the reason to report.
            if let message = unsafe dlerror().map({ unsafe String(cString: $0) }),
                !message.hasPrefix("\(name): cannot open shared object")
            {
                reason = message
            }
        }
        throw .notInstalled(reason: reason)
    }
}
