#if canImport(MapLibre) && canImport(UIKit)
    import MapLibre
    import UIKit

    /// A map of baked tiles: the style says it all, and a tap asks the server where a cluster comes apart.
    @MainActor
    public final class MapLibreTiles: UIViewController, MLNMapViewDelegate {
        /// As `covey serve` has it: https://tiles.example.org/places
        public var archive = URL(string: "http://localhost:8080/places")!
        private lazy var map = MLNMapView(
            frame: view.bounds, styleURL: archive.appending(path: "style.json"))

        override public func viewDidLoad() {
            super.viewDidLoad()
            map.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            map.delegate = self
            view.addSubview(map)
            map.addGestureRecognizer(
                UITapGestureRecognizer(target: self, action: #selector(expand)))
        }

        @objc private func expand(_ tap: UITapGestureRecognizer) {
            let features = map.visibleFeatures(at: tap.location(in: map))
            guard
                let cluster = features.first(where: { $0.attribute(forKey: "cluster_id") != nil }),
                let id = cluster.attribute(forKey: "cluster_id")
            else { return }
            Task {
                let address = archive.appending(path: "clusters/\(id)/expansion-zoom")
                let (data, _) = try await URLSession.shared.data(from: address)
                let answer = try JSONDecoder().decode([String: Double].self, from: data)
                guard let zoom = answer.values.first else { return }
                map.setCenter(cluster.coordinate, zoomLevel: zoom, animated: true)
            }
        }
    }
#endif
