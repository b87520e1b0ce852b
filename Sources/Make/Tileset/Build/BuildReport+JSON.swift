import ArchiveContract
import JSON
import PointInput

extension BuildReport {
    /// The report as JSON, for programs.
    public var json: JSONValue {
        var object: JSONObject = [
            "tiles": .integer(Int64(tileCount)), "tile_bytes": .integer(Int64(tileBytes)),
            "file_bytes": .integer(Int64(fileBytes)),
            "layers": .array(layers.map(\.json)), "zooms": .array(zooms.map(\.json)),
            "largest_tiles": .array(
                largestTiles.map { large in
                    [
                        "tile": .string("\(large.tile)"), "bytes": .integer(Int64(large.bytes)),
                        "features": .integer(Int64(large.features)),
                    ]
                }),
            "stages": .array(
                stages.map { stage in
                    [
                        "stage": .string(stage.stage.rawValue),
                        "seconds": JSONValue(canonical: (stage.seconds * 1e4).rounded() / 1e4),
                        "peak_bytes": .integer(Int64(stage.peakBytes)),
                    ]
                }),
        ]
        if clusterIDsMayEqualPointIDs { object["cluster_ids_may_equal_point_ids"] = true }
        if !leftOutTiles.isEmpty {
            object["left_out_tiles"] = .integer(Int64(leftOutTiles.values.reduce(0, +)))
        }
        object["changed_tiles"] = changedTiles.map { .integer(Int64($0)) }
        if let bounds, let center {
            object["bounds"] = .array(
                [bounds.west, bounds.south, bounds.east, bounds.north].map(JSONValue.number))
            object["center"] = [.number(center.longitude), .number(center.latitude)]
        }
        object["zoom_reason"] = .string(zoomReason)
        object["spread_metres"] = spreadMetres.map {
            JSONValue(canonical: ($0 * 10).rounded(.up) / 10)
        }
        object["cells"] = cells?.json
        return .object(object)
    }
}

extension CellFigures {
    fileprivate var json: JSONValue {
        [
            "cells": .integer(Int64(cells)), "cut_zoom": .integer(Int64(cutZoom)),
            "pass_limit": .integer(Int64(passLimit)), "rounds": .integer(Int64(rounds)),
            "points": .integer(Int64(points)),
            "loaded_points": .integer(Int64(loadedPoints)), "widened": .integer(Int64(widened)),
            "taken_over": .integer(Int64(takenOver)),
        ]
    }
}

extension BuildReport.Layer {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "name": .string(name), "records": .integer(Int64(input.records)),
            "kept": .integer(Int64(input.kept)), "points_read": .integer(Int64(input.points)),
            "points": .integer(Int64(points)),
            "clusters": .integer(Int64(clusters)), "held_clusters": .integer(Int64(heldClusters)),
            "rejected": input.rejectedJSON,
            "duplicates": .integer(Int64(input.duplicates)),
            "notes": .array(input.notes.map(JSONValue.string)),
            "skipped_values": .object(
                JSONObject(
                    skippedValues.map {
                        .init(key: $0.aggregate, value: .integer(Int64($0.count)))
                    })),
        ]
        object["regions"] = input.regions?.json
        object["bins"] = bins.map { .integer(Int64($0.count)) }
        object["bins_max_zoom"] = bins.map { .integer(Int64($0.maxZoom)) }
        return .object(object)
    }
}

extension RegionTally {
    var json: JSONValue {
        let members = regions.sorted { $0.key < $1.key }
            .map { JSONObject.Member(key: $0.key, value: .integer(Int64($0.value))) }
        return ["points": .object(JSONObject(members)), "outside": .integer(Int64(outside))]
    }

    init?(_ json: JSONValue?) {
        guard let object = json?.asObject, let points = object["points"]?.asObject,
            let outside = object["outside"]?.asInt
        else { return nil }
        self.init(regions: [:], outside: outside)
        for member in points.members { regions[member.key] = member.value.asInt }
    }
}

extension BuildReport.Zoom {
    /// As `inspect` tells of a zoom, as much as a build knows.
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "zoom": .integer(Int64(zoom)), "tiles": .integer(Int64(tiles)),
            "tile_bytes": .integer(Int64(bytes)), "clusters": .integer(Int64(clusters)),
            "single_points": .integer(Int64(points)),
            ClusterAttribute.pointCount.name: .integer(Int64(pointCount)),
        ]
        if clusters > 0 {
            object["largest_cluster"] = [
                ClusterAttribute.pointCount.name: .integer(Int64(largestCluster))
            ]
        }
        return .object(object)
    }
}

extension InputReport {
    /// How many records were left out, by reason.
    var rejectedJSON: JSONValue {
        .object(
            JSONObject(
                rejected.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                    .init(key: $0.key.key, value: .integer(Int64($0.value)))
                }))
    }
}

extension RejectReason {
    /// The reason as a key of JSON: `not_a_point`.
    var key: String {
        let letters = Array(rawValue)
        return letters.indices.reduce(into: "") { key, index in
            let isNext = letters[index...].dropFirst().first?.isLowercase ?? false
            let isWord = letters[index].isUppercase && (isNext || letters[index - 1].isLowercase)
            key += (isWord ? "_" : "") + letters[index].lowercased()
        }
    }
}
