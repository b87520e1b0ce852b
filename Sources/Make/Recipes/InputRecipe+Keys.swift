import ArchiveContract
import Geometry
import JSON
import PointInput

extension InputRecipe: RecipeSection {
    static let keys: [RecipeKey<InputRecipe>] = [
        RecipeKey(
            "format", .choice(InputFormat.allCases.map(\.rawValue)),
            option: .init("format", "FORMAT"),
            "the format of the input: "
                + InputFormat.allCases.map(\.rawValue).joined(separator: ", ")
                + " (default: detected from its content)",
            get: { $0.format.map { .string($0.rawValue) } },
            set: { $0.format = InputFormat(rawValue: try $1.string) }),
        RecipeKey(
            "encoding", .text, option: .init("encoding", "NAME"),
            "the text encoding: windows-1252, UTF-16, any that iconv knows (default: detected from "
                + "the first bytes)",
            get: { $0.encoding.map { .string($0.name) } },
            set: { input, node in
                input.encoding = TextEncoding(named: try node.string)
                if input.encoding == nil { throw node.wrong("an encoding, as windows-1252") }
            }),
        .choice(
            "quotes", option: .init("quotes"),
            "whether quotes in a table enclose cells, or are letters (default auto: letters if tabs part the cells "
                + "and quotes cannot enclose them)", \.quotes),
        .text("x", option: .init("x", "COLUMN"), "the column of the longitude", \.x),
        .text("y", option: .init("y", "COLUMN"), "the column of the latitude", \.y),
        .text("id", option: .init("id", "ATTR"), "the attribute that becomes the feature id", \.id),
        .flag(
            "generateId", option: .init("generate-id"),
            "number the kept points from 0 in input order, as their feature ids",
            \.generateID),
        RecipeKey(
            "include", .texts, option: .init("include", "ATTR,ATTR"), "keep only these attributes",
            get: { $0.include.map { .array($0.map(JSONValue.string)) } },
            set: { $0.include = try $1.elements.map { try $0.string } }),
        .texts(
            "exclude", option: .init("exclude", "ATTR,ATTR"), "leave these attributes out",
            \.exclude),
        .choice(
            "reservedNames", option: .init("reserved-names"),
            "what to do with attributes named like clusters' own, such as "
                + "\(ClusterAttribute.pointCount.name): rename prefixes input_ (default refuse)",
            \.reservedNames),
        RecipeKey(
            "types", .map(.choice(AttributeKind.allCases.map(\.rawValue))),
            option: .init("type", "ATTR:KIND"),
            "turn an attribute into text, integer, number or bool",
            get: { input in
                let members = input.types.sorted { $0.key < $1.key }
                return .object(
                    JSONObject(
                        members.map { .init(key: $0.key, value: .string($0.value.rawValue)) }))
            },
            set: { input, node in
                for (name, kind) in try node.members {
                    input.types[name] = AttributeKind(rawValue: try kind.string)
                }
            }),
        .texts(
            "nodata", option: .init("nodata", "VALUE"),
            "values that mean none, such as NA or -9999 (--nodata=-9999)", \.noData),
        .json(
            "filter", .expression, option: .init("filter", "EXPRESSION"),
            "keep points for which this MapLibre style expression is true", \.filter),
        RecipeKey(
            "bbox", .text, option: .init("bbox", "W,S,E,N"),
            schema: ["pattern": "^([^,]+,){3}[^,]+$"],
            "keep points in this box, in degrees; west > east crosses the antimeridian",
            get: { $0.box.map { .string($0.edges) } },
            set: { input, node in
                let text = try node.string
                do throws(LonLatBox.Misread) { input.box = try LonLatBox(text) } catch {
                    throw node.wrong(error.expected)
                }
            }),
        RecipeKey(
            "join", .text, option: .init("join", "FILE:KEY=ATTR"),
            "add the columns of a table as attributes, from the row whose KEY equals the point's ATTR",
            get: { $0.join.map { .string($0.text) } },
            set: { input, node in
                input.join = InputRecipe.Join(try node.string)
                if input.join == nil {
                    throw node.wrong("a table and columns, as codes.csv:code=region")
                }
            }),
        RecipeKey(
            "regions", .text, option: .init("regions", "FILE"), schema: ["minLength": 1],
            "areas, such as states.geojson: points get their area's name as the attribute region, and clusters never "
                + "mix areas",
            get: { $0.regions.map(JSONValue.string) },
            set: { $0.regions = try $1.fileName }),
        .text(
            "regionName", option: .init("region-name", "ATTR"),
            "the attribute that holds an area's name (default name)", \.regionName),
        RecipeKey(
            "dedupe", .text, option: .init("dedupe", "ATTR"),
            "keep one of the points with the same ATTR, or at the same position (--dedupe place)",
            get: { input in
                switch input.dedupe {
                case .place: "place"
                case .attribute(let name): .string(name)
                case nil: nil
                }
            },
            set: { input, node in
                let name = try node.string
                input.dedupe = name == "place" ? .place : .attribute(name)
            }),
        RecipeKey(
            "skipInvalid", .either(.flag, .integer(0...(.max))),
            option: .init("skip-invalid", "N"),
            "leave invalid records out and count them, at most N, instead of stopping",
            get: { input in
                switch input.skipInvalid {
                case .none: false
                case .all: true
                case .atMost(let limit): .integer(Int64(limit))
                }
            },
            set: { input, node in
                if case .bool(let skips) = node.value {
                    input.skipInvalid = skips ? .all : .none
                } else {
                    input.skipInvalid = .atMost(Int(try node.integer))
                }
            }),
        .flag(
            "skipNonPoints", option: .init("skip-non-points"),
            "leave lines and polygons out and count them, instead of stopping", \.skipNonPoints),
        RecipeKey(
            "pointsFrom", .choice(PointsFrom.allCases.map(\.rawValue)),
            option: .init("points-from", "RULE"),
            "turn each line and polygon into a point: its centroid, one inside it, or its first",
            get: { $0.pointsFrom.map { .string($0.rawValue) } },
            set: { $0.pointsFrom = PointsFrom(rawValue: try $1.string) }),
        RecipeKey(
            "crs", .either(.text, .integer(0...(.max))), option: .init("crs", "EPSG:N"),
            "the coordinate system if the input declares none: EPSG:25832, well-known text, PROJJSON "
                + "(default EPSG:4326, degrees)",
            get: { $0.crs.map { .string($0.definition) } },
            set: { input, node in
                if case .integer(let code) = node.value {
                    input.crs = CoordinateSystem(authority: "EPSG", code: "\(code)")
                } else {
                    input.crs = CoordinateSystem(declared: try node.string)
                    if input.crs == nil { throw node.wrong("a coordinate system, as EPSG:25832") }
                }
            }),
        .text(
            "table", option: .init("table", "NAME"), "the table, view or layer of a database",
            \.table),
        .text("sql", option: .init("sql", "QUERY"), "a database query, instead of a table", \.sql),
    ]
}
