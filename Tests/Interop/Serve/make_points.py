"""Random points in towns, the same every time: make_points.py COUNT OUT.geojsonl"""

import json
import random
import sys

count, out = int(sys.argv[1]), sys.argv[2]
chance = random.Random(1)
towns = [(chance.uniform(-170, 170), chance.uniform(-60, 70)) for _ in range(200)]
with open(out, "w") as file:
    for number in range(1, count + 1):
        lon, lat = chance.choice(towns)
        spread = chance.choice([0.02, 0.2, 3])
        place = [round(lon + chance.gauss(0, spread), 6), round(lat + chance.gauss(0, spread), 6)]
        place = [max(-180, min(180, place[0])), max(-84, min(84, place[1]))]
        file.write(json.dumps({
            "type": "Feature", "id": number, "geometry": {"type": "Point", "coordinates": place},
            # Markup in data must be shown as text.
            "properties": {"name": f"<i>Place</i> {number}", "value": chance.randrange(100),
                           "kind": chance.choice(["cafe", "bar", "inn", "museum"])},
        }) + "\n")
