#if canImport(MapKit)
    import Geometry
    import LiveClusters
    import MapKit

    /// Keeps a MapKit map's annotations those of the model: make it the map's delegate.
    @MainActor
    public final class MapKitClusters: NSObject, MKMapViewDelegate {
        private let model: ClusterModel
        private var shown: [Marker: MKPointAnnotation] = [:]

        public init(_ model: ClusterModel) { self.model = model }

        public func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {
            let region = mapView.region
            let box = LonLatBox(
                west: region.center.longitude - region.span.longitudeDelta,
                south: region.center.latitude - region.span.latitudeDelta,
                east: region.center.longitude + region.span.longitudeDelta,
                north: region.center.latitude + region.span.latitudeDelta)
            // Zooms count tiles of 512 points, as everywhere in Covey.
            let zoom = log2(360 * Double(mapView.bounds.width) / region.span.longitudeDelta / 512)
            let markers = Set(model.markers(in: box, zoom: max(0, zoom)))
            mapView.removeAnnotations(shown.filter { !markers.contains($0.key) }.map(\.value))
            shown = shown.filter { markers.contains($0.key) }
            for marker in markers where shown[marker] == nil {
                let annotation = MKPointAnnotation()
                annotation.coordinate = CLLocationCoordinate2D(
                    latitude: marker.position.latitude, longitude: marker.position.longitude)
                annotation.title = model.title(of: marker)
                shown[marker] = annotation
                mapView.addAnnotation(annotation)
            }
        }
    }
#endif
