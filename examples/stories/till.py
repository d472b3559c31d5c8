"""A till whose receipts are a penny off; recorded in the format of Claude Code."""

from __future__ import annotations

from desk import Desk

FOLDER = "/home/dev/till"

FILES = {
    "pyproject.toml": """
        [project]
        name = "till"
        version = "2.3.1"
        requires-python = ">=3.9"
        dependencies = []

        [tool.pytest.ini_options]
        testpaths = ["tests"]
        """,
    "README.md": """
        # till

        Adds up a shopping basket, takes off discounts, prints a receipt. Used by the shop in Leith (branch LTH-04).

        - prices come from `prices.csv`, in pounds, with two decimals
        - VAT is 20 % and is part of the price; food codes that start with F are zero-rated
        - the receipt is 32 characters wide, because the printer (Epson TM-T20, port 9100) is
        """,
    "prices.csv": """
        code,name,price
        F001,Oat milk 1l,1.85
        F002,Sourdough loaf,3.40
        F003,Eggs (6),2.15
        F004,Butter 250g,2.35
        N101,Washing-up liquid,1.10
        N102,Candles (4),4.99
        N103,Tea towel,6.50
        N104,Batteries AA (8),7.25
        """,
    "till/__init__.py": '"""A small till."""\n',
    "till/prices.py": '''
        """Reading the price list."""

        import csv


        class UnknownProduct(KeyError):
            """The code is not in the price list."""


        class PriceList:
            """Products by code."""

            def __init__(self, rows):
                self._rows = {row["code"]: row for row in rows}

            @classmethod
            def load(cls, path):
                with open(path, newline="") as stream:
                    return cls(list(csv.DictReader(stream)))

            def price(self, code):
                try:
                    return float(self._rows[code]["price"])
                except KeyError:
                    raise UnknownProduct(code)

            def name(self, code):
                return self._rows[code]["name"]

            def zero_rated(self, code):
                return code.startswith("F")
        ''',
    "till/basket.py": '''
        """What the customer buys."""

        from till.discounts import best_discount

        VAT_RATE = 0.20


        class Basket:
            """Lines of (code, quantity), in the order in which they were scanned."""

            def __init__(self, prices):
                self.prices = prices
                self.lines = []

            def add(self, code, quantity=1):
                self.prices.price(code)
                for i, (have, count) in enumerate(self.lines):
                    if have == code:
                        self.lines[i] = (code, count + quantity)
                        return
                self.lines.append((code, quantity))

            def subtotal(self):
                return sum(self.prices.price(code) * count for code, count in self.lines)

            def discount(self):
                return best_discount(self)

            def total(self):
                return self.subtotal() - self.discount()

            def vat(self):
                """The VAT that is part of the total."""
                taxed = sum(
                    self.prices.price(code) * count
                    for code, count in self.lines
                    if not self.prices.zero_rated(code)
                )
                return taxed - taxed / (1 + VAT_RATE)
        ''',
    "till/discounts.py": '''
        """Discounts: the best single one is taken, they do not add up."""

        DISCOUNTS = []


        def discount(function):
            """Register a discount: basket in, pounds off out."""
            DISCOUNTS.append(function)
            return function


        @discount
        def ten_percent_over_twenty(basket):
            subtotal = basket.subtotal()
            return subtotal * 0.1 if subtotal >= 20 else 0


        @discount
        def third_loaf_free(basket):
            loaves = sum(count for code, count in basket.lines if code == "F002")
            return (loaves // 3) * basket.prices.price("F002")


        @discount
        def breakfast(basket):
            """Oat milk, loaf and butter together: 0.75 off for each set."""
            counts = dict(basket.lines)
            sets = min(counts.get(code, 0) for code in ("F001", "F002", "F004"))
            return sets * 0.75


        def best_discount(basket):
            return max((rule(basket) for rule in DISCOUNTS), default=0)
        ''',
    "till/receipt.py": '''
        """Printing a receipt, 32 characters wide."""

        WIDTH = 32


        def line(left, amount):
            right = f"{amount:.2f}"
            return left[: WIDTH - len(right) - 1].ljust(WIDTH - len(right)) + right


        def render(basket):
            out = ["LEITH CORNER SHOP".center(WIDTH).rstrip(), ""]
            for code, count in basket.lines:
                label = basket.prices.name(code)
                if count > 1:
                    label = f"{count} x {label}"
                out.append(line(label, basket.prices.price(code) * count))
            out.append("-" * WIDTH)
            if basket.discount():
                out.append(line("Discount", -basket.discount()))
            out.append(line("TOTAL GBP", basket.total()))
            out.append(line("of which VAT", basket.vat()))
            return "\\n".join(out) + "\\n"
        ''',
    "tests/test_till.py": """
        import pytest

        from till.basket import Basket
        from till.prices import PriceList, UnknownProduct
        from till.receipt import WIDTH, render


        @pytest.fixture
        def basket():
            return Basket(PriceList.load("prices.csv"))


        def test_same_code_is_one_line(basket):
            basket.add("F001")
            basket.add("F001", 2)
            assert basket.lines == [("F001", 3)]


        def test_unknown_code(basket):
            with pytest.raises(UnknownProduct):
                basket.add("X999")


        def test_third_loaf_is_free(basket):
            basket.add("F002", 3)
            assert basket.total() == pytest.approx(6.80)


        def test_breakfast_set(basket):
            for code in ("F001", "F002", "F004"):
                basket.add(code)
            assert basket.total() == pytest.approx(6.85)


        def test_lines_add_up_to_the_total(basket):
            for code, count in (("N102", 3), ("F003", 1), ("N101", 4), ("F001", 1)):
                basket.add(code, count)
            printed = [row for row in render(basket).splitlines() if row.strip()]
            amounts = [float(row.split()[-1]) for row in printed[1:] if not row.startswith("-") and "VAT" not in row]
            *lines, total = amounts
            assert round(sum(lines), 2) == total


        def test_no_row_is_wider_than_the_paper(basket):
            basket.add("N101", 12)
            assert all(len(row) <= WIDTH for row in render(basket).splitlines())
        """,
}


def tell(desk: Desk) -> None:
    """Do the task."""
    desk.user("""
        The accountant says some receipts are a penny off: the lines with the discount do not add up to the total,
        and on discounted baskets the VAT line is too high. Receipt 88213 from branch LTH-04 shows both (3 candles,
        eggs, 4 washing-up liquid, one oat milk).
        Please find out why and fix it. Rules:
        - do not add dependencies, the till runs Python 3.9 without internet
        - never change prices.csv, another program writes it
        - Basket.total(), Basket.vat() and render() must keep their names
        - a discount must never be more than 8.00 pounds in total
        """)
    desk.say("I'll look at what is there before I change anything.")
    desk.run("git log --oneline && ls -R till tests && cat README.md")
    desk.read("till/basket.py")
    desk.read("till/discounts.py")
    desk.read("till/receipt.py")
    desk.read("till/prices.py")
    desk.run("python -m pytest -q")
    desk.say(
        "The suite is green, so no test holds the accountant's case with VAT. Let me rebuild receipt 88213 by hand."
    )
    desk.run("""python - <<'PY'
from till.basket import Basket
from till.prices import PriceList
from till.receipt import render
b = Basket(PriceList.load("prices.csv"))
for code, n in (("N102", 3), ("F003", 1), ("N101", 4), ("F001", 1)):
    b.add(code, n)
print(render(b))
print("subtotal", repr(b.subtotal()), "discount", repr(b.discount()), "total", repr(b.total()), "vat", repr(b.vat()))
PY""")
    desk.say("""
        Two separate causes:
        1. `Basket.vat()` is computed from the prices before the discount, so it is too high by the VAT on the discount.
        2. Amounts are floats and are rounded only when printed, each on its own.
        I decided to hold all amounts as whole pence (int) instead of decimal.Decimal: ints are exact, need no context,
        and the price list has two decimals anyway. Rounding then happens in one place, half up.
        """)
    desk.todo(
        Reproduce_receipt_88213_in_a_test="in_progress",
        Hold_amounts_as_whole_pence="pending",
        Spread_the_discount_over_the_VAT_rates="pending",
        Cap_the_discount_at_8_pounds="pending",
    )
    desk.write(
        "tests/test_receipt_88213.py",
        '''
        """Receipt 88213, branch LTH-04: the accountant's case, amounts in pence."""

        import pytest

        from till.basket import Basket
        from till.prices import PriceList
        from till.receipt import render


        @pytest.fixture
        def basket():
            basket = Basket(PriceList.load("prices.csv"))
            for code, count in (("N102", 3), ("F003", 1), ("N101", 4), ("F001", 1)):
                basket.add(code, count)
            return basket


        def test_amounts_are_whole_pence(basket):
            assert basket.subtotal() == 2337
            assert basket.discount() == 234
            assert basket.total() == 2103


        def test_vat_is_that_of_what_was_paid(basket):
            # 1937 of 2337 pence are taxed; the discount takes its part: 1937 * 2103 / 2337 = 1743, of which a sixth
            assert basket.vat() == 291


        def test_printed_lines_add_up(basket):
            rows = [row for row in render(basket).splitlines() if row[-1:].isdigit()]
            *lines, total, _vat = [round(float(row.split()[-1]) * 100) for row in rows]
            assert sum(lines) == total
        ''',
    )
    desk.run("python -m pytest -q tests/test_receipt_88213.py")
    desk.say(
        "It fails as expected. First the price list: pence from the text, without passing through a float."
    )
    desk.edit(
        "till/prices.py",
        """
        import csv
        """,
        """
        import csv
        import re

        PRICE = re.compile(r"(\\d+)\\.(\\d\\d)")
        """,
    )
    desk.edit(
        "till/prices.py",
        """
                    return float(self._rows[code]["price"])
                except KeyError:
                    raise UnknownProduct(code)
        """,
        """
                    text = self._rows[code]["price"]
                except KeyError:
                    raise UnknownProduct(code) from None
                match = PRICE.fullmatch(text)
                if match is None:
                    raise ValueError(f"price of {code} is {text!r}, expected pounds with two decimals")
                return int(match[1]) * 100 + int(match[2])
        """,
        indent=8,
    )
    desk.run("git diff --stat && sed -n 1,45p till/prices.py")
    desk.say(
        "Now the basket. The VAT goes by what was paid: the discount is spread over taxed and zero-rated goods."
    )
    desk.write(
        "till/basket.py",
        '''
        """What the customer buys. All amounts are whole pence."""

        from till.discounts import best_discount

        VAT_PERCENT = 20


        def divide_half_up(amount, divisor):
            """Whole pence of `amount / divisor`, a half rounded up; the one place where rounding happens."""
            return (2 * amount + divisor) // (2 * divisor)


        class Basket:
            """Lines of (code, quantity), in the order in which they were scanned."""

            def __init__(self, prices):
                self.prices = prices
                self.lines = []

            def add(self, code, quantity=1):
                self.prices.price(code)
                for i, (have, count) in enumerate(self.lines):
                    if have == code:
                        self.lines[i] = (code, count + quantity)
                        return
                self.lines.append((code, quantity))

            def subtotal(self):
                return sum(self.prices.price(code) * count for code, count in self.lines)

            def discount(self):
                return best_discount(self)

            def total(self):
                return self.subtotal() - self.discount()

            def taxed(self):
                """What was paid for goods with VAT: their price less their part of the discount."""
                full = sum(
                    self.prices.price(code) * count
                    for code, count in self.lines
                    if not self.prices.zero_rated(code)
                )
                return divide_half_up(full * self.total(), self.subtotal()) if full else 0

            def vat(self):
                """The VAT that is part of the total."""
                return divide_half_up(self.taxed() * VAT_PERCENT, 100 + VAT_PERCENT)
        ''',
    )
    desk.write(
        "till/discounts.py",
        '''
        """Discounts in whole pence: the best single one is taken, they do not add up."""

        DISCOUNTS = []
        MAX_DISCOUNT = 800


        def discount(function):
            """Register a discount: basket in, pence off out."""
            DISCOUNTS.append(function)
            return function


        @discount
        def ten_percent_over_twenty(basket):
            subtotal = basket.subtotal()
            return (subtotal + 5) // 10 if subtotal >= 2000 else 0


        @discount
        def third_loaf_free(basket):
            loaves = sum(count for code, count in basket.lines if code == "F002")
            return (loaves // 3) * basket.prices.price("F002")


        @discount
        def breakfast(basket):
            """Oat milk, loaf and butter together: 75 pence off for each set."""
            counts = dict(basket.lines)
            sets = min(counts.get(code, 0) for code in ("F001", "F002", "F004"))
            return sets * 75


        def best_discount(basket):
            return min(max((rule(basket) for rule in DISCOUNTS), default=0), MAX_DISCOUNT)
        ''',
    )
    desk.run("python -m pytest -q")
    desk.say(
        "Two kinds of failures are left: the receipt still prints pence as pounds, and the old tests expect pounds."
    )
    desk.edit(
        "till/receipt.py",
        """
        def line(left, amount):
            right = f"{amount:.2f}"
        """,
        """
        def pounds(pence):
            sign = "-" if pence < 0 else ""
            return f"{sign}{abs(pence) // 100}.{abs(pence) % 100:02}"


        def line(left, pence):
            right = pounds(pence)
        """,
    )
    desk.edit("tests/test_till.py", "pytest.approx(6.80)\n", "680\n")
    desk.edit("tests/test_till.py", "pytest.approx(6.85)\n", "685\n")
    desk.run("python -m pytest -q")
    desk.todo(
        Reproduce_receipt_88213_in_a_test="completed",
        Hold_amounts_as_whole_pence="completed",
        Spread_the_discount_over_the_VAT_rates="completed",
        Cap_the_discount_at_8_pounds="in_progress",
    )
    desk.say("""
        Both faults are gone: receipt 88213 now says total 21.03 with 2.91 VAT. Next I'll write a test for the cap of
        8.00 pounds.
        """)
    desk.user("""
        Good. One change: head office just wrote, the cap is not 8.00 any more. Keep the discount under five pounds,
        5.00 at most, from 1 April. And since they are called "offers" everywhere else, rename discounts.py to
        offers.py. Leave the multi-currency idea from the old ticket for later, we do not need it now.
        """)
    desk.say(
        "The new cap of 5.00 pounds replaces the 8.00. I'll rename first, so that history follows the file."
    )
    desk.run(
        "git add -A && git commit -q -m 'Hold amounts as whole pence; VAT by what was paid' && git mv till/discounts.py till/offers.py && grep -rn 'discounts' till tests"
    )
    desk.edit(
        "till/basket.py", "from till.discounts import best_discount\n", "from till.offers import best_offer\n"
    )
    desk.edit("till/basket.py", "return best_discount(self)\n", "return best_offer(self)\n", indent=8)
    desk.run(
        "sed -i -e 's/best_discount/best_offer/' -e 's/^MAX_DISCOUNT = 800/MAX_OFFER = 500/' -e 's/MAX_DISCOUNT/MAX_OFFER/' till/offers.py && cat till/offers.py"
    )
    desk.run("python -m pytest -q")
    desk.write(
        "tests/test_offers.py",
        """
        import pytest

        from till.basket import Basket
        from till.offers import MAX_OFFER, best_offer
        from till.prices import PriceList


        @pytest.fixture
        def basket():
            return Basket(PriceList.load("prices.csv"))


        def test_cap_is_five_pounds():
            assert MAX_OFFER == 500


        @pytest.mark.parametrize("batteries, off", [(2, 0), (3, 218), (6, 435), (7, 500), (40, 500)])
        def test_ten_percent_up_to_the_cap(basket, batteries, off):
            basket.add("N104", batteries)
            assert best_offer(basket) == off


        def test_free_loaves_are_capped_too(basket):
            basket.add("F002", 6)
            assert best_offer(basket) == 500


        def test_empty_basket_costs_nothing(basket):
            assert (basket.total(), basket.vat()) == (0, 0)
        """,
    )
    desk.run("python -m pytest -q")
    desk.say(
        "All green, the empty basket too. I check by hand that a long receipt stays within the 32 characters of the TM-T20."
    )
    desk.run("""python - <<'PY'
from till.basket import Basket
from till.prices import PriceList
from till.receipt import WIDTH, render
b = Basket(PriceList.load("prices.csv"))
for code, n in (("N104", 40), ("N103", 12), ("F002", 7), ("F001", 2), ("F004", 2), ("N102", 100)):
    b.add(code, n)
text = render(b)
print(text)
print("widest", max(map(len, text.splitlines())), "of", WIDTH)
PY""")
    desk.user("""
        Two more things. The accountant wants the zero-rated sum on the receipt as a line "of which 0% VAT", under the
        VAT line. And please never print a line for a discount of zero, a customer asked what "Discount -0.00" meant.
        """)
    desk.read("till/receipt.py")
    desk.read("till/basket.py")
    desk.edit(
        "till/basket.py",
        """
            def vat(self):
        """,
        '''
            def zero_rated(self):
                """What was paid for goods without VAT; with `taxed` it makes the total."""
                return self.total() - self.taxed()

            def vat(self):
        ''',
        indent=4,
    )
    desk.edit(
        "till/receipt.py",
        """
            out.append(line("of which VAT", basket.vat()))
        """,
        """
            out.append(line("of which VAT", basket.vat()))
            out.append(line("of which 0% VAT", basket.zero_rated()))
        """,
        indent=4,
    )
    desk.run("python -m pytest -q")
    desk.say("""
        One test reads the receipt from the bottom and counts on VAT as its last line. The receipt is right, the test
        has to skip the new line by its name and not by its place.
        """)
    desk.edit(
        "tests/test_receipt_88213.py",
        """
            rows = [row for row in render(basket).splitlines() if row[-1:].isdigit()]
            *lines, total, _vat = [round(float(row.split()[-1]) * 100) for row in rows]
        """,
        """
            rows = [row for row in render(basket).splitlines() if row[-1:].isdigit() and "VAT" not in row]
            *lines, total = [round(float(row.split()[-1]) * 100) for row in rows]
        """,
        indent=4,
    )
    desk.write(
        "tests/test_receipt_lines.py",
        """
        import pytest

        from till.basket import Basket
        from till.prices import PriceList
        from till.receipt import pounds, render


        @pytest.fixture
        def basket():
            return Basket(PriceList.load("prices.csv"))


        @pytest.mark.parametrize("pence, text", [(0, "0.00"), (5, "0.05"), (-234, "-2.34"), (123456, "1234.56")])
        def test_pounds(pence, text):
            assert pounds(pence) == text


        def test_no_line_for_no_discount(basket):
            basket.add("F003")
            assert "Discount" not in render(basket)


        def test_taxed_and_zero_rated_make_the_total(basket):
            for code, count in (("N103", 3), ("F002", 2), ("F004", 1)):
                basket.add(code, count)
            assert basket.taxed() + basket.zero_rated() == basket.total()
            assert "of which 0% VAT" in render(basket)
        """,
    )
    desk.run("python -m pytest -q")
    desk.run("git status --short && git diff HEAD --stat && git diff HEAD -- prices.csv | wc -l")
    desk.todo(
        Cap_the_discount_at_5_pounds="completed",
        Rename_discounts_to_offers="completed",
        Print_the_zero_rated_sum="completed",
        Describe_amounts_in_the_README="in_progress",
    )
    desk.edit(
        "README.md",
        "- prices come from `prices.csv`, in pounds, with two decimals\n",
        "- prices come from `prices.csv`, in pounds, with two decimals; inside, every amount is whole pence (int)\n"
        "- at most one offer is taken, `till/offers.py`, and never more than 5.00 pounds (`MAX_OFFER`)\n",
    )
    desk.run(
        "git add -A && git commit -q -m 'Offers: cap of 5.00 pounds; print the zero-rated sum' && git log --oneline && git show --stat HEAD"
    )
    desk.user(
        "The shop wants to try it on receipt 88213 again before I install it. Show me exactly what it prints now."
    )
    desk.run("""python - <<'PY'
from till.basket import Basket
from till.prices import PriceList
from till.receipt import render
b = Basket(PriceList.load("prices.csv"))
for code, n in (("N102", 3), ("F003", 1), ("N101", 4), ("F001", 1)):
    b.add(code, n)
print(render(b))
PY
python -m pytest -q""")
    desk.say("""
        That is receipt 88213 with the new code: discount 2.34, total 21.03, VAT 2.91, zero-rated 3.60. Lines and total
        add up, prices.csv is untouched, `Basket.total()`, `Basket.vat()` and `render()` kept their names, and the cap
        in till/offers.py is `MAX_OFFER = 500`. Multi-currency is left for later, as you asked.
        """)
