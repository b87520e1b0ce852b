"""Points for trials."""

import random


def write_points(path, count, seed):
    rng = random.Random(seed)
    with open(path, "w") as file:
        file.write("lon,lat,name\n")
        for i in range(count):
            file.write(f"{rng.gauss(0, 60) % 360 - 180:.5f},{rng.gauss(20, 25) % 160 - 80:.5f},n{i}\n")
