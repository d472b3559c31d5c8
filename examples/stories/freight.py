"""Weights of twelve carriers, from floating kilograms to whole grams; long, in the format of Claude Code.

Every module, test and note is written and run for each carrier in turn, so the session is as long as a day of
work: rules given at the beginning still bind at the end, and what was read early is needed late.
"""

from __future__ import annotations

import textwrap

from desk import Desk

from stories.freight_carriers import CARRIERS, Carrier

FOLDER = "/home/dev/quayside"

CONSTANTS = {
    "baltic": ("PALLET_KG = 25.0", "PALLET_GRAMS = 22_000"),
    "orinoco": (None, 'OUNCE_GRAMS = Fraction("28.349523125")'),
    "harbour": (None, 'CWT_GRAMS = Fraction("50802.34544")'),
    "juniper": ("DEFAULT_KG = 1.4", "DEFAULT_GRAMS = 1_400"),
}
"""Constants of a module, before and after."""

MISTAKEN = {"baltic": 3_000}
"""What the README's wrong pallet takes off too much, until the user says so."""

RECEIVERS = ("Ode Brandt", "M. Okafor", "Studio Lys", "Pieter Vos", "Casa Ruiz", "Ines Falk")


def _module(carrier: Carrier) -> str:
    """A carrier's module as it was."""
    services = "\n".join(f'    "{code}": ("{name}", {days}),' for code, name, days in carrier.services)
    zones = "\n".join(f'    "{prefix}": "{zone}",' for prefix, zone in carrier.zones)
    constant = CONSTANTS.get(carrier.key, (None,))[0]
    more = f"{constant}\n" if constant else ""
    estimated = (
        'def is_estimated(raw):\n    """Whether the weight was estimated, not measured."""\n'
        '    return raw.startswith("-")\n\n\n'
        if carrier.key == "tundra"
        else ""
    )
    return f'''"""Manifests of {carrier.title} ({carrier.unit})."""

from quayside.manifest import BadLine, Parcel, check_digit

CARRIER = "{carrier.key}"
FIELD = "{carrier.field}"
{carrier.heavy}
{more}HEAVY_FEE_CENTS = {carrier.fee}

SERVICES = {{
{services}
}}

ZONES = {{
{zones}
}}


def parse(line):
    """One line of a manifest: tracking; receiver; postcode; service; weight."""
    cells = [cell.strip() for cell in line.rstrip("\\n").split(";")]
    if len(cells) != 5:
        raise BadLine(CARRIER, line, f"{{len(cells)}} cells, not 5")
    tracking, receiver, postcode, service, raw = cells
    if not check_digit(tracking):
        raise BadLine(CARRIER, line, f"{{tracking}}: the check digit is wrong")
    if service not in SERVICES:
        raise BadLine(CARRIER, line, f"{{service}} is no service of {carrier.title}")
    return Parcel(
        carrier=CARRIER,
        tracking=tracking,
        receiver=receiver,
        zone=zone(postcode),
        days=SERVICES[service][1],
        weight=weight(raw),
    )


def zone(postcode):
    """The tariff zone, by the country in front."""
    for prefix, name in ZONES.items():
        if postcode.startswith(prefix):
            return name
    return "rest"


{estimated}def weight(raw):
    """The weight of {carrier.field}, in kilograms."""
    {carrier.old}


def surcharge(parcel):
    """What a heavy parcel costs more, in cents."""
    return HEAVY_FEE_CENTS if parcel.weight > {_limit(carrier)} else 0
'''


def _limit(carrier: Carrier) -> str:
    """The limit in kilograms, as `surcharge` had it."""
    name = carrier.heavy.partition(" ")[0]
    return {"HEAVY_LB": f"{name} * 0.4536", "HEAVY_CWT": f"{name} * 50.802", "HEAVY_T": f"{name} * 1000"}.get(
        name, name
    )


def _tracking(number: int) -> str:
    """Eleven digits, the last of which checks the others."""
    digits = f"{number:010}"
    return digits + str(sum(int(digit) * (3, 1)[i % 2] for i, digit in enumerate(digits)) % 10)


def _manifest(carrier: Carrier, at: int) -> str:
    rows = []
    for i, raw in enumerate(carrier.weights):
        service, prefix = (
            carrier.services[i % len(carrier.services)][0],
            carrier.zones[i % len(carrier.zones)][0],
        )
        number = _tracking(4_000_000_000 + at * 7_919_113 + i * 10_007)
        rows.append(f"{number};{RECEIVERS[i]};{prefix}{1000 + at * 137 + i * 31};{service};{raw}")
    return "\n".join(rows) + "\n"


def _test(carrier: Carrier, more: int = 0) -> str:
    """The test that the agent writes first: every weight of the manifest, in grams; `more` taken off each."""
    expected = [carrier.grams(raw) - more for raw in carrier.weights]
    cases = "\n".join(
        f'        ("{raw}", {grams}),' for raw, grams in zip(carrier.weights, expected, strict=True)
    )
    return f'''"""Weights of {carrier.title} ({carrier.unit}), in whole grams."""

import pytest

from quayside.carriers import {carrier.key}


@pytest.mark.parametrize(
    ("raw", "grams"),
    [
{cases}
    ],
)
def test_{carrier.field.lower()}_is_whole_grams(raw, grams):
    weighed = {carrier.key}.weight(raw)
    assert (weighed, type(weighed)) == (grams, int)


def test_every_line_of_the_manifest_is_read():
    with open("fixtures/{carrier.key}.txt", encoding="utf-8") as lines:
        parcels = [{carrier.key}.parse(line) for line in lines]
    assert [parcel.weight for parcel in parcels] == {expected}
'''


FILES = (
    {
        "README.md": """
        # quayside

        Reads the manifests of twelve carriers and works out what each parcel costs. One module a carrier in
        `quayside/carriers`, one manifest each in `fixtures`, as the carrier sent it.

        - amounts are cents, always whole
        - weights are kilograms (float); a Baltic pallet weighs 25 kg
        - the invoices of March (MP-20931, OF-1187, HS-404) are off by a cent; see ticket OPS-398
        """,
        "pyproject.toml": """
        [project]
        name = "quayside"
        version = "4.6.0"
        requires-python = ">=3.9"

        [tool.pytest.ini_options]
        testpaths = ["tests"]
        pythonpath = ["."]
        """,
        "quayside/__init__.py": '"""What a parcel costs, carrier by carrier."""\n',
        "quayside/carriers/__init__.py": '"""One module a carrier: parse, zone, weight, surcharge."""\n',
        "quayside/manifest.py": '''
        """What all manifests have in common."""

        from dataclasses import dataclass


        class BadLine(ValueError):
            """A line that is no parcel: whose, which, and why."""

            def __init__(self, carrier, line, why):
                super().__init__(f"{carrier}: {why}: {line.strip()[:60]}")


        @dataclass(frozen=True)
        class Parcel:
            """A parcel; `weight` in kilograms."""

            carrier: str
            tracking: str
            receiver: str
            zone: str
            days: int
            weight: float


        def check_digit(tracking):
            """Whether the eleventh digit is that of the ten before it."""
            if len(tracking) != 11 or not tracking.isdigit():
                return False
            total = sum(int(digit) * (3, 1)[i % 2] for i, digit in enumerate(tracking[:10]))
            return total % 10 == int(tracking[10])
        ''',
        "tests/test_manifest.py": """
        import pytest

        from quayside.manifest import check_digit


        @pytest.mark.parametrize("tracking", ["", "123", "4000000000x"])
        def test_what_is_no_number_has_no_check_digit(tracking):
            assert not check_digit(tracking)
        """,
    }
    | {f"quayside/carriers/{carrier.key}.py": _module(carrier) for carrier in CARRIERS}
    | {f"fixtures/{carrier.key}.txt": _manifest(carrier, at) for at, carrier in enumerate(CARRIERS, 1)}
)


def tell(desk: Desk) -> None:
    """Do the task."""
    desk.user("""
        Ticket OPS-398: our invoices are a cent off now and then, because weights are floating kilograms. Please make
        every carrier weigh in whole grams (int), carrier by carrier. Rules for all of it:
        - never touch anything in fixtures/, that is what the carriers sent
        - no float stays in quayside/; halves of a gram are rounded up
        - parse(), zone(), weight() and surcharge() keep their names and arguments, billing imports them
        - one commit per carrier, with the message "Weigh CARRIER in grams"
        - write the test first and let me see it fail
        """)
    desk.say("I begin with what is there.")
    desk.run("git log --oneline && ls quayside/carriers fixtures tests && cat README.md pyproject.toml")
    desk.read("quayside/manifest.py")
    desk.run("grep -n 'float\\|HEAVY\\|KG' -r quayside | head -60")
    desk.run("python -m pytest -q")
    desk.say("""
        Seven carriers send kilograms as text, the others pounds and ounces, decagrams, hundredweight, tonnes, grams.
        I decided on one module `quayside/rounding.py` with `half_up` and `grams_of`, on fractions.Fraction and not on
        decimal.Decimal: an ounce is 28.349523125 g exactly, and a Fraction never rounds before it is told to.
        """)
    _tasks(desk, 0)
    desk.write(
        "quayside/rounding.py",
        '''
        """Whole grams, rounded once and in one place."""

        from fractions import Fraction


        def half_up(value):
            """The nearest whole number; a half goes up."""
            return int(value + Fraction(1, 2))


        def grams_of(kilograms):
            """Grams of a text in kilograms, such as `1.2345`."""
            return half_up(Fraction(kilograms) * 1000)
        ''',
    )
    desk.edit("quayside/manifest.py", "weight: float", "weight: int", indent=4)
    desk.edit("quayside/manifest.py", "`weight` in kilograms.", "`weight` in grams.", indent=0)
    desk.run("git add -A && git commit -qm 'Round grams in one place' && git log --oneline -1")
    _tasks(desk, 1)
    for carrier in CARRIERS:
        if carrier.key == "polder":
            desk.user("""
                One thing before you go on: leave Kestrel alone for now. They change their format on Monday (OPS-412),
                I tell you when. The order of the others does not matter.
                """)
        if carrier.key != "kestrel":
            _weigh(desk, carrier)
    desk.user("""
        Kestrel's new format is out and OPS-412 is closed: the column is still KG. You can do Kestrel now, then the
        surcharges: the limits must be the same weights as before, in grams, as HEAVY_GRAMS in every module.
        """)
    _weigh(desk, next(carrier for carrier in CARRIERS if carrier.key == "kestrel"))
    _surcharges(desk)
    _finish(desk)


def _tasks(desk: Desk, at: int) -> None:
    """The task list while its task number `at` is under way."""
    tasks = (
        "Rounding_in_one_place",
        "Weigh_each_of_the_twelve_carriers_in_grams",
        "Limits_of_the_surcharges_in_grams",
        "A_note_for_billing",
    )
    states = ["completed"] * at + ["in_progress"] + ["pending"] * len(tasks)
    desk.todo(**dict(zip(tasks, states, strict=False)))


def _weigh(desk: Desk, carrier: Carrier) -> None:
    """One carrier: read, a failing test, the change, a passing test, a commit."""
    module = f"quayside/carriers/{carrier.key}.py"
    desk.say(f"Next is {carrier.title}.")
    desk.read(module)
    desk.run(f"cat fixtures/{carrier.key}.txt")
    desk.say(carrier.said)
    desk.write(f"tests/test_{carrier.key}.py", _test(carrier, MISTAKEN.get(carrier.key, 0)))
    desk.run(f"python -m pytest -q tests/test_{carrier.key}.py")
    if carrier.key == "baltic":
        desk.user("""
            Careful with Baltic: the README is wrong, a pallet weighs 22 kg and not 25. I have the contract of July 2024
            here, annex C. Correct the README too.
            """)
        desk.edit(
            "README.md",
            "a Baltic pallet weighs 25 kg",
            "a Baltic pallet weighs 22 kg (contract of July 2024, annex C)",
        )
        desk.write(f"tests/test_{carrier.key}.py", _test(carrier))
    constant = CONSTANTS.get(carrier.key)
    names = {name for name in ("grams_of", "half_up") if name in carrier.new}
    imports = "".join(f"from quayside.rounding import {name}\n" for name in sorted(names))
    fractions = "from fractions import Fraction\n\n" if "Fraction" in carrier.new + str(constant) else ""
    top = "from quayside.manifest import BadLine, Parcel, check_digit\n"
    if imports or fractions:
        desk.edit(module, top, f"{fractions}{top}{imports}")
    if constant:
        heading = f"{carrier.heavy}\n{constant[0]}\n" if constant[0] else f"{carrier.heavy}\n"
        desk.edit(module, heading, f"{carrier.heavy}\n{constant[1]}\n")
    desk.edit(
        module, _body(carrier.field, "kilograms", carrier.old), _body(carrier.field, "grams", carrier.new)
    )
    desk.run(f"python -m pytest -q tests/test_{carrier.key}.py")
    desk.run(
        f"git add -A && git commit -qm 'Weigh {carrier.title} in grams' && git log --oneline -1 && git status --short"
    )


def _body(field: str, unit: str, code: str) -> str:
    return f'def weight(raw):\n    """The weight of {field}, in {unit}."""\n    {code}\n'


def _surcharges(desk: Desk) -> None:
    """The limits of all carriers, from what was read of each."""
    desk.say("""
        Now the limits. A parcel of exactly the limit pays nothing, so a limit that is no whole gram is rounded down:
        Orinoco's 70 lb are 31,751.4659 g, Harbour's 8 cwt 406,418.76 g, which half up gives 406,419.
        """)
    _tasks(desk, 2)
    desk.run("grep -n 'HEAVY' -r quayside/carriers")
    for carrier in CARRIERS:
        module = f"quayside/carriers/{carrier.key}.py"
        desk.edit(module, f"{carrier.heavy}\n", f"HEAVY_GRAMS = {carrier.heavy_grams:_}\n")
        desk.edit(
            module, f"parcel.weight > {_limit(carrier)} else", "parcel.weight > HEAVY_GRAMS else", indent=0
        )
    desk.write("tests/test_surcharge.py", _surcharge_test())
    desk.run("python -m pytest -q")
    desk.run("grep -rn 'float\\|_KG\\|HEAVY_LB\\|HEAVY_CWT\\|HEAVY_T\\b' quayside")
    desk.run(
        "git add -A && git commit -qm 'Limits of the surcharges in grams' && git diff --stat HEAD~14 -- fixtures"
    )


def _surcharge_test() -> str:
    cases = "\n".join(f'        ("{c.key}", {c.heavy_grams}, {c.fee}),' for c in CARRIERS)
    return textwrap.dedent('''
        """A parcel pays from the first gram above the limit."""

        from importlib import import_module

        import pytest

        from quayside.manifest import Parcel


        @pytest.mark.parametrize(
            ("carrier", "limit", "cents"),
            [
        CASES
            ],
        )
        def test_the_first_gram_above_the_limit_costs(carrier, limit, cents):
            module = import_module(f"quayside.carriers.{carrier}")
            at, above = (Parcel(carrier, "", "", "", 0, weight) for weight in (limit, limit + 1))
            assert (module.surcharge(at), module.surcharge(above)) == (0, cents)
        ''').replace("CASES", cases)


def _finish(desk: Desk) -> None:
    """The note for billing, and the report."""
    desk.user(
        "Write the note for billing: per carrier what they send, the field, and the limit. Then we are done."
    )
    _tasks(desk, 3)
    rows = "\n".join(
        f"| {c.title} | `{c.field}` | {c.unit} | {c.heavy_grams:,} g | {c.fee} |" for c in CARRIERS
    )
    desk.write(
        "NOTE-OPS-398.md",
        "# Weights in whole grams (OPS-398)\n\n"
        "`Parcel.weight` is an int in grams. Halves go up, in `quayside/rounding.py`. A Baltic pallet is 22 kg (contract "
        "of July 2024, annex C). Kestrel was done last, after OPS-412. Nothing in fixtures/ was changed.\n\n"
        f"| carrier | field | sends | limit | fee in cents |\n|---|---|---|---|---|\n{rows}\n",
    )
    desk.edit("README.md", "weights are kilograms (float)", "weights are grams (int), see NOTE-OPS-398.md")
    desk.run(
        "python -m pytest -q && git add -A && git commit -qm 'Tell billing' && git log --oneline | head -16"
    )
    _tasks(desk, 4)
    desk.say("""
        All twelve carriers weigh in whole grams, each in a commit of its own, Kestrel last. The limits of the
        surcharges are HEAVY_GRAMS; Baltic's pallet is 22 kg; the cent on MP-20931 came from rounding to the even
        neighbour, those on OF-1187 and HS-404 from rounded factors. fixtures/ is untouched, no float is left in
        quayside/, and NOTE-OPS-398.md is ready for billing. Nothing is pushed.
        """)
