/// The page's HTML, the same for a server and for a folder but for where its files are.
struct PageDocument {
    enum Kind: String {
        /// Archives behind `covey serve`, listed by its catalog.
        case served
        /// One archive, whose files lie beside the page.
        case folder
    }

    let text: String

    /// - Parameters:
    ///   - root: what stands before the ids of archives, or the files of the folder.
    ///   - assets: what stands before the names of scripts and style sheets.
    ///   - basemap: a style to be drawn under the data, instead of bare land.
    init(
        kind: Kind, root: String, assets: String, mapLibre: MapLibreSource, basemap: BasemapAddress?
    ) {
        text = String(decoding: PackageResources.preview_html, as: UTF8.self)
            .replacing("{maplibre}", with: mapLibre.base(orAt: assets))
            .replacing("{basemap}", with: basemap?.markup ?? "")
            .replacing("{root}", with: root)
            .replacing("{assets}", with: assets)
            .replacing("{kind}", with: kind.rawValue)
            .replacing("{source}", with: mapLibre.foreignOrigin == nil ? "own" : "network")
    }
}
