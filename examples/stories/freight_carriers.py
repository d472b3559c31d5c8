"""The twelve carriers of the freight story: what each sends, and how its weights were read and are to be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, kw_only=True)
class Carrier:
    """A carrier's module before and after. `said` is what the agent finds, `grams` what a weight should be."""

    key: str
    title: str
    unit: str
    field: str
    heavy: str
    heavy_grams: int
    weights: tuple[str, ...]
    old: str
    new: str
    grams: Callable[[str], int]
    said: str
    services: tuple[tuple[str, str, int], ...]
    zones: tuple[tuple[str, str], ...]
    fee: int


def half_up(value: Fraction) -> int:
    """Whole grams, the half upwards."""
    return int(value + Fraction(1, 2))


def _kilos(raw: str) -> int:
    return half_up(Fraction(raw.replace(",", ".").replace(" ", "")) * 1000)


def _ounces(raw: str) -> int:
    pounds, ounces = raw.removesuffix("oz").split("lb")
    return half_up((int(pounds) * 16 + int(ounces)) * Fraction("28.349523125"))


KILOS = "return grams_of(raw.strip())"
CARRIERS = (
    Carrier(
        key="baltic",
        title="Baltic Line",
        unit="kg, pallet included",
        field="GROSS_KG",
        heavy="HEAVY_KG = 400.0",
        heavy_grams=400_000,
        weights=("0218.400", "0047.125", "0399.950", "0026.005", "0112.730", "0088.060"),
        old="return float(raw) - PALLET_KG",
        new="return grams_of(raw) - PALLET_GRAMS",
        grams=lambda raw: _kilos(raw) - 22_000,
        said="Baltic sends the gross weight and the pallet is taken off here, as a float.",
        services=(("BL1", "deck", 9), ("BL4", "hold", 7), ("BLX", "express quay", 3)),
        zones=(("LT-", "north-2"), ("LV-", "north-3"), ("EE-", "north-4"), ("PL-", "mid-1")),
        fee=3150,
    ),
    Carrier(
        key="meridian",
        title="Meridian Post",
        unit="kg with three decimals",
        field="WGT",
        heavy="HEAVY_KG = 31.5",
        heavy_grams=31_500,
        weights=("1.2345", "0.0625", "31.5005", "7.1115", "12.0045", "0.9995"),
        old="return round(float(raw), 3)",
        new=KILOS,
        grams=_kilos,
        said="Meridian sends a tenth of a gram, and `round` rounds the half to the even neighbour: 0.0625 kg becomes "
        "0.062. That is the cent on invoice MP-20931.",
        services=(
            ("MPS", "standard", 4),
            ("MPR", "registered", 4),
            ("MPN", "next day", 1),
            ("MPV", "valuable", 2),
        ),
        zones=(("FR-", "west-1"), ("ES-", "west-2"), ("PT-", "west-3")),
        fee=895,
    ),
    Carrier(
        key="orinoco",
        title="Orinoco Freight",
        unit="pounds and ounces",
        field="LBOZ",
        heavy="HEAVY_LB = 70",
        heavy_grams=31_751,
        weights=("12lb04oz", "00lb09oz", "69lb15oz", "03lb01oz", "41lb12oz", "07lb07oz"),
        old='pounds, ounces = raw[:-2].split("lb")\n    return int(pounds) * 0.4536 + int(ounces) * 0.02835',
        new='pounds, ounces = raw[:-2].split("lb")\n    return half_up((int(pounds) * 16 + int(ounces)) * OUNCE_GRAMS)',
        grams=_ounces,
        said="Orinoco's factor 0.4536 is itself rounded; over 70 lb that is 0.56 g. An ounce is 28.349523125 g exactly.",
        services=(("OF-A", "air", 2), ("OF-S", "sea", 21), ("OF-R", "river", 12)),
        zones=(("VE-", "south-5"), ("CO-", "south-4"), ("BR-", "south-6"), ("GY-", "south-7")),
        fee=4420,
    ),
    Carrier(
        key="polder",
        title="Polder Pakket",
        unit="kg with a decimal comma",
        field="GEWICHT",
        heavy="HEAVY_KG = 23.0",
        heavy_grams=23_000,
        weights=("3,450", "0,225", "22,999", "14,060", "9,005", "1,730"),
        old='return float(raw.replace(",", "."))',
        new='return grams_of(raw.replace(",", "."))',
        grams=_kilos,
        said="Polder writes a comma; nothing else is special.",
        services=(("PPK", "pakket", 2), ("PPB", "brievenbus", 1), ("PPZ", "zwaar", 3)),
        zones=(("NL-", "home"), ("BE-", "west-0"), ("DE-", "mid-0")),
        fee=640,
    ),
    Carrier(
        key="sirocco",
        title="Sirocco Express",
        unit="grams with blanks between thousands",
        field="PESO_G",
        heavy="HEAVY_KG = 30.0",
        heavy_grams=30_000,
        weights=("12 480", "780", "29 995", "4 015", "18 240", "1 005"),
        old='return int(raw.replace(" ", "")) / 1000',
        new='return int(raw.replace(" ", ""))',
        grams=lambda raw: int(raw.replace(" ", "")),
        said="Sirocco sends grams already, and they were divided into kilograms only to be multiplied again.",
        services=(("SE1", "uno", 1), ("SE2", "due", 2), ("SE5", "cinque", 5)),
        zones=(("IT-", "south-1"), ("MT-", "south-2"), ("TN-", "south-3")),
        fee=1210,
    ),
    Carrier(
        key="tundra",
        title="Tundra Logistik",
        unit="kg, negative where it is estimated",
        field="VIKT",
        heavy="HEAVY_KG = 35.0",
        heavy_grams=35_000,
        weights=("-04.500", "11.205", "-34.995", "00.640", "27.315", "-08.085"),
        old="return abs(float(raw))",
        new='return grams_of(raw.lstrip("-"))',
        grams=lambda raw: _kilos(raw.lstrip("-")),
        said="Tundra marks an estimated weight with a minus. The mark is read by `is_estimated`, which stays.",
        services=(("TL-D", "dörr", 3), ("TL-O", "ombud", 2), ("TL-F", "fjäll", 6)),
        zones=(("SE-", "north-0"), ("NO-", "north-1"), ("FI-", "north-5")),
        fee=980,
    ),
    Carrier(
        key="kestrel",
        title="Kestrel Air",
        unit="kg",
        field="KG",
        heavy="HEAVY_KG = 45.0",
        heavy_grams=45_000,
        weights=("044.200", "003.015", "017.775", "000.905", "021.340", "009.555"),
        old="return float(raw)",
        new=KILOS,
        grams=_kilos,
        said="Kestrel's new format kept the column KG, so the module changes like the others.",
        services=(("KA0", "same day", 0), ("KA1", "overnight", 1)),
        zones=(("GB-", "west-4"), ("IE-", "west-5"), ("IS-", "north-6")),
        fee=2275,
    ),
    Carrier(
        key="lanner",
        title="Lanner Couriers",
        unit="decagrams",
        field="DAG",
        heavy="HEAVY_KG = 20.0",
        heavy_grams=20_000,
        weights=("1245", "0033", "1999", "0708", "1561", "0090"),
        old="return int(raw) / 100",
        new="return int(raw) * 10",
        grams=lambda raw: int(raw) * 10,
        said="Lanner counts decagrams, as shops in Brno do.",
        services=(("LC-C", "city", 0), ("LC-K", "kraj", 1), ("LC-Z", "zahranici", 3)),
        zones=(("CZ-", "mid-2"), ("SK-", "mid-3"), ("AT-", "mid-4")),
        fee=455,
    ),
    Carrier(
        key="harbour",
        title="Harbour & Sons",
        unit="hundredweight",
        field="CWT",
        heavy="HEAVY_CWT = 8",
        heavy_grams=406_419,
        weights=("1.250", "0.375", "7.500", "2.125", "4.750", "0.625"),
        old="return float(raw) * 50.802",
        new="return half_up(Fraction(raw) * CWT_GRAMS)",
        grams=lambda raw: half_up(Fraction(raw) * Fraction("50802.34544")),
        said="Harbour's hundredweight is 112 lb: 50,802.34544 g. The old factor dropped a third of a gram per unit.",
        services=(("HS1", "lighter", 5), ("HS2", "barge", 11)),
        zones=(("GB-", "west-4"), ("NL-", "home"), ("DK-", "north-7")),
        fee=5105,
    ),
    Carrier(
        key="juniper",
        title="Juniper Parcel",
        unit="kg, zero where it was not weighed",
        field="MASS",
        heavy="HEAVY_KG = 25.0",
        heavy_grams=25_000,
        weights=("2.405", "0.000", "24.995", "6.125", "0.000", "13.335"),
        old="return float(raw) or DEFAULT_KG",
        new="return grams_of(raw) or DEFAULT_GRAMS",
        grams=lambda raw: _kilos(raw) or 1_400,
        said="Juniper sends 0.000 for what was not weighed; the average, 1.4 kg, stands in for it.",
        services=(("JP-E", "economy", 6), ("JP-P", "priority", 2)),
        zones=(("US-", "over-1"), ("CA-", "over-2"), ("MX-", "over-3")),
        fee=1330,
    ),
    Carrier(
        key="velden",
        title="Velden Bahn",
        unit="tonnes",
        field="TONNEN",
        heavy="HEAVY_T = 2.0",
        heavy_grams=2_000_000,
        weights=("0.145250", "1.999005", "0.030115", "0.872400", "0.004995", "1.260735"),
        old="return float(raw) * 1000",
        new="return half_up(Fraction(raw) * 1_000_000)",
        grams=lambda raw: half_up(Fraction(raw) * 1_000_000),
        said="Velden weighs wagons in tonnes with six decimals, which is grams exactly.",
        services=(("VB-G", "Güterzug", 4), ("VB-N", "Nachtsprung", 1)),
        zones=(("AT-", "mid-4"), ("SI-", "mid-5"), ("HR-", "south-0")),
        fee=7800,
    ),
    Carrier(
        key="quetzal",
        title="Quetzal Cargo",
        unit="kg, in two fields",
        field="KG_G",
        heavy="HEAVY_KG = 50.0",
        heavy_grams=50_000,
        weights=("12|045", "0|930", "49|005", "7|210", "33|655", "2|080"),
        old='kilos, rest = raw.split("|")\n    return int(kilos) + int(rest) / 1000',
        new='kilos, rest = raw.split("|")\n    return int(kilos) * 1000 + int(rest)',
        grams=lambda raw: int(raw.split("|")[0]) * 1000 + int(raw.split("|")[1]),
        said="Quetzal already sends whole grams in the second field; only the sum was a float.",
        services=(("QC7", "selva", 7), ("QC3", "costa", 3), ("QC1", "capital", 1)),
        zones=(("GT-", "over-4"), ("HN-", "over-5"), ("CR-", "over-6")),
        fee=2040,
    ),
)
"""In the order in which the story comes to them; Kestrel is put off."""
