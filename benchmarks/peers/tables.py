"""The figures of `compare` as Markdown: ours / Triton's."""

# A column of what is executed: a title and the classes that tile-run counts.
CLASSES = {"int": ["integer"], "float": ["float"], "cvt": ["convert"],
           "ldsm+lds": ["ldmatrix", "shared_load"], "st.shared": ["shared_store"],
           "cp.async": ["async_copy"], "ld.global": ["global_load"], "st.global": ["global_store"],
           "shfl": ["shuffle"], "bar": ["barrier"], "bra": ["branch"]}
LOOP = ["mma", "ldsm", "lds", "sts", "ldgsts", "tma", "ldg", "stg", "local", "bar", "shfl", "float",
        "mufu", "cvt", "int", "other"]
SCHEDULE = {"before first mma": "alone", "ldsm to mma": "ahead", "of them <= 2": "near"}


def get_ratio(a, b):
    """A part of the other side's; a count that only we have is new."""
    return f"{a / b:.2f}" if b else "new" if a else ""


def get_pair(a, b):
    return f"{a}/{b}" if a or b else ""


def make_table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def describe_memory(a, b, unit):
    """Accesses of one memory as pairs, those above the ideal in brackets."""
    words = [f"{side[unit]} ({side[unit] - side['ideal_' + unit]})" for side in (a, b)]
    return [" / ".join(words), get_ratio(a[unit], b[unit])]


def make_executed(results):
    """What the emulator executed: ratios of warp instructions by class."""
    rows = []
    for name, case in results:
        a, b = case["ours"]["executed"], case["theirs"]["executed"]
        sums = [[sum(side["classes"][kind] for kind in kinds) for side in (a, b)]
                for kinds in CLASSES.values()]
        rows.append([name, f"{a['instructions']} / {b['instructions']}",
                     f"**{get_ratio(a['instructions'], b['instructions'])}**",
                     *(get_ratio(*pair) for pair in sums),
                     *describe_memory(a["shared"], b["shared"], "wavefronts"),
                     *describe_memory(a["global"], b["global"], "sectors")])
    return make_table(["kernel", "warp instructions", "ratio", *CLASSES,
                       "shared wavefronts (above ideal)", "ratio",
                       "global sectors (above ideal)", "ratio"], rows)


def make_resources(results):
    """What a block takes, and how many a multiprocessor holds."""
    rows = []
    for name, case in results:
        a, b = case["ours"], case["theirs"]
        keys = ["threads", "registers", "spills", "shared_bytes"]
        distances = [side.get("distance") for side in (a, b)]
        rows.append([name, *(f"{a[key]}/{b[key]}" for key in keys),
                     "/".join("-" if steps is None else str(steps) for steps in distances)
                     if distances != [None, None] else "",
                     f"{a['blocks']}/{b['blocks']}"])
        if "code" in a:
            codes = [side["code"]["instructions"] for side in (a, b)]
            rows[-1] += [f"{codes[0]}/{codes[1]}", get_ratio(*codes)]
    return make_table(["kernel", "threads", "registers", "bytes of spills", "bytes of shared memory",
                       "distance", "blocks a multiprocessor", "machine instructions", "ratio"], rows)


def make_loops(results):
    """The hottest loop in machine code, of kernels without one the whole code."""
    rows = []
    for name, case in results:
        sides = [case["ours"], case["theirs"]]
        is_whole = not all(side["loop"] for side in sides)
        a, b = (side["code"] if is_whole else side["loop"] for side in sides)
        per_mma = [f"{side['instructions'] / side['mma']:.2f}" if side["mma"] else "-"
                   for side in (a, b)]
        schedules = [{} if is_whole else side["schedule"] for side in sides]
        rows.append([name + (" (whole)" if is_whole else ""),
                     get_pair(a["instructions"], b["instructions"]),
                     "/".join(per_mma) if a["mma"] or b["mma"] else "",
                     *(get_pair(a[kind], b[kind]) for kind in LOOP),
                     *("/".join(str(schedule.get(key, "-")) for schedule in schedules)
                       if any(schedules) else "" for key in SCHEDULE.values())])
    return make_table(["kernel", "loop", "per mma", *LOOP, *SCHEDULE], rows)


def make_page(document):
    """The whole page of a run: a head, a section for each kind of figure."""
    results = [(name, case) for name, case in document["cases"].items() if "error" not in case]
    failures = [f"- {name}: {case['error'].splitlines()[0]}\n"
                for name, case in document["cases"].items() if "error" in case]
    parts = [f"# Beside Triton, {document['date']}\n\n"
             f"`benchmarks/peers/compare`: ours / Triton's, Triton {document['triton']}, ptxas "
             f"{document['ptxas']} for both. No figure is a time "
             "([docs/Benchmarks.md](../../docs/Benchmarks.md)).\n"]
    if failures:
        parts.append("## Failed\n\n" + "".join(failures))
    parts.append("## Executed in the emulator\n\n" + make_executed(results))
    if document["ptxas"]:
        parts.append("## Resources of a block\n\n" + make_resources(results))
    if results and all("code" in case["ours"] for _, case in results):
        parts.append("## The hottest loop\n\n" + make_loops(results))
    return "\n".join(parts)
