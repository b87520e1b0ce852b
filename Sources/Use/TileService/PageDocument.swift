/// The page's HTML, the same for a server and for a folder, except for the addresses of its files.
struct PageDocument {
    enum Kind: String {
        /// Archives behind `covey serve`, listed by its catalog.
        case served
        /// One archive, whose files are beside the page.
        case folder
    }

    let text: String
    /// The Content-Security-Policy: a server sends it, a folder's page contains it.
    let policy: String

    /// - Parameters:
    ///   - root: the address before the ids of archives, or before the files of the folder.
    ///   - assets: the address before the names of scripts and style sheets.
    ///   - basemap: a style to draw under the data, instead of bare land.
    ///   - data: the origin of archives, if it is not the page's own.
    init(
        kind: Kind, root: String, assets: String, mapLibre: MapLibreSource,
        basemap: BasemapAddress?, data: String? = nil
    ) {
        policy = Self.policy(mapLibre: mapLibre, basemap: basemap, data: data)
        let ownPolicy =
            kind == .folder
            ? "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n" : ""
        text = PageSource.text(of: "preview.html")
            .replacing("{maplibre}", with: mapLibre.base(orAt: assets))
            .replacing("{basemap}", with: basemap?.markup ?? "")
            .replacing("{offered}", with: basemap == nil ? BasemapAddress.offered : "")
            .replacing("{root}", with: root)
            .replacing("{assets}", with: assets)
            .replacing("{kind}", with: kind.rawValue)
            .replacing("{source}", with: mapLibre.foreignOrigin == nil ? "own" : "network")
            .replacing("{policy}\n", with: ownPolicy)
    }

    /// The policy: scripts, styles and data only from here, except for MapLibre if it must be
    /// fetched, and for a basemap. MapLibre's workers are blobs, and its icons are data.
    private static func policy(
        mapLibre: MapLibreSource, basemap: BasemapAddress?, data: String?
    ) -> String {
        let foreign = mapLibre.foreignOrigin.map { " " + $0 } ?? ""
        let data = data.map { " " + $0 } ?? ""
        // A user's style may have tiles, glyphs and pictures from any host. The style that is
        // offered has all of them at one host, and nothing is fetched there before it is chosen.
        let maps = basemap.map { " https: \($0.origin)" } ?? " \(BasemapAddress.originOfOffered)"
        return [
            "default-src 'none'", "script-src 'self'\(foreign)", "style-src 'self'\(foreign)",
            "img-src 'self' data: blob:\(data)\(maps)", "connect-src 'self'\(data)\(maps)",
            "worker-src blob:", "base-uri 'none'", "form-action 'none'",
        ].joined(separator: "; ")
    }
}
