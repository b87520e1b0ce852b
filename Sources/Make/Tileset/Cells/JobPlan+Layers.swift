import ArchiveContract
import Clustering
import JSON
import PointInput
import Recipes

extension JobPlan.Layer {
    /// The part of it that depends on all of the layer's points.
    var kind: JSONValue {
        let members = json.asObject ?? [:]
        return [
            "groups": members["groups"] ?? .null, "facets": members["facets"] ?? .null,
        ]
    }

    var json: JSONValue {
        [
            "regions": report.regions?.json ?? .null,
            "points": .integer(Int64(points)), "recordBytes": .integer(Int64(recordBytes)),
            "groups": .array(
                groups.map { .array($0.map { .integer(Int64($0)) }) }),
            "facets": .array(facets.map { ClusterDescription.Facet($0).json }),
            "records": .integer(Int64(report.records)), "kept": .integer(Int64(report.kept)),
            "notes": .array(report.notes.map(JSONValue.string)),
            "rejected": report.rejectedJSON,
        ]
    }

    init?(_ json: JSONValue, _ recipe: Recipe.Layer) {
        guard let object = json.asObject, let points = object["points"]?.asInt,
            let recordBytes = object["recordBytes"]?.asInt,
            let groups = object["groups"]?.asArray, let records = object["records"]?.asInt,
            let kept = object["kept"]?.asInt
        else { return nil }
        self.points = points
        self.recordBytes = recordBytes
        self.groups = groups.map {
            ($0.asArray ?? []).compactMap { $0.asInt.flatMap(UInt8.init(exactly:)) }
        }
        guard let facets = try? recipe.layouts(JSONNode(object["facets"] ?? [])) else { return nil }
        self.facets = facets
        var rejected: [RejectReason: Int] = [:]
        for member in object["rejected"]?.asObject?.members ?? [] {
            guard let reason = RejectReason.allCases.first(where: { $0.key == member.key }) else {
                continue
            }
            rejected[reason] = member.value.asInt
        }
        report = InputReport(
            records: records, kept: kept, points: points, rejected: rejected,
            notes: object["notes"]?.asArray?.compactMap(\.asString) ?? [],
            regions: RegionTally(object["regions"]))
    }
}
