from collect import gather_rows


def spread(rows):
    table = gather_rows(rows)
    return table.std(0)


def write_report(rows, path):
    deviation = spread(rows)
    with open(path, "w") as file:
        file.write(" ".join(f"{value:.3f}" for value in deviation.tolist()))
