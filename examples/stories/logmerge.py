"""A tool that merges log files and sorts them wrongly; recorded as OpenAI chat messages."""

from __future__ import annotations

from desk import Desk

FOLDER = "/srv/logmerge"

FILES = {
    "logmerge/__init__.py": '"""Merge log files by time."""\n\n__version__ = "0.4.2"\n',
    "logmerge/__main__.py": "from logmerge.cli import main\n\nraise SystemExit(main())\n",
    "logmerge/entry.py": '''
        """One log entry: a line with a time, and the lines without one that follow it."""

        import re

        LINE = re.compile(r"^(\\S+) (DEBUG|INFO|WARN|ERROR) (\\S+): (.*)$")


        class Entry:
            def __init__(self, time, level, service, text):
                self.time = time
                self.level = level
                self.service = service
                self.text = text

            def __repr__(self):
                return f"Entry({self.time} {self.level} {self.service})"


        def parse(lines):
            """Entries of one file."""
            entries = []
            for line in lines:
                match = LINE.match(line.rstrip("\\n"))
                if match:
                    entries.append(Entry(*match.groups()))
                else:
                    entries[-1].text += "\\n" + line.rstrip("\\n")
            return entries
        ''',
    "logmerge/merge.py": '''
        """Putting the entries of several files in order."""

        from logmerge.entry import parse


        def merge(paths):
            entries = []
            for path in paths:
                with open(path) as stream:
                    entries += parse(stream.readlines())
            return sorted(entries, key=lambda entry: entry.time)


        def since(entries, time):
            return [entry for entry in entries if entry.time >= time]


        def at_least(entries, level):
            order = ["DEBUG", "INFO", "WARN", "ERROR"]
            return [entry for entry in entries if order.index(entry.level) >= order.index(level)]
        ''',
    "logmerge/cli.py": '''
        """logmerge FILE... [--since TIME] [--level LEVEL]"""

        import argparse

        from logmerge.merge import at_least, merge, since


        def main(argv=None):
            parser = argparse.ArgumentParser(prog="logmerge")
            parser.add_argument("files", nargs="+")
            parser.add_argument("--since")
            parser.add_argument("--level", default="DEBUG")
            args = parser.parse_args(argv)
            entries = at_least(merge(args.files), args.level)
            if args.since:
                entries = since(entries, args.since)
            for entry in entries:
                print(entry.time, entry.level, entry.service + ":", entry.text)
            return 0
        ''',
    "samples/gateway.log": """
        2025-02-27T23:58:01.120+00:00 INFO gateway: listening on 0.0.0.0:8443, build 7f31c0a
        2025-02-27T23:59:30.004+00:00 INFO gateway: POST /orders/55120 from 10.4.0.17
        2025-02-28T00:00:02.951+00:00 ERROR gateway: upstream orders:7070 timed out after 3000 ms, trace 9be1-44d0
        2025-02-28T00:00:03.010+00:00 WARN gateway: circuit breaker open for orders, 30 s
        2025-02-28T00:00:33.040+00:00 INFO gateway: circuit breaker half open for orders
        """,
    "samples/orders.log": """
        2025-02-28T00:58:59.733+01:00 INFO orders: schema version 41, pool size 12
        2025-02-28T00:59:30.161+01:00 INFO orders: order 55120 accepted, 3 items
        2025-02-28T01:00:01.480+01:00 ERROR orders: payment for 55120 failed
        Traceback (most recent call last):
          File "/app/orders/payment.py", line 88, in charge
            reply = self.client.charge(amount, token)
        PaymentDeclined: code E-4402, retry after 30
        2025-02-28T01:00:34.002+01:00 INFO orders: order 55120 charged at second try
        """,
    "samples/billing.log": """
        2025-02-27T18:59:29.990-05:00 INFO billing: lease acquired by billing-2
        2025-02-27T19:00:01.300-05:00 WARN billing: card ending 4471 declined, code E-4402
        2025-02-27T19:00:33.870-05:00 INFO billing: card ending 4471 charged 129.90 EUR
        """,
    "tests/__init__.py": "",
    "tests/test_merge.py": """
        import unittest

        from logmerge.entry import parse
        from logmerge.merge import at_least, merge, since


        class MergeTest(unittest.TestCase):
            def test_lines_without_a_time_belong_to_the_entry_before(self):
                entries = parse(["2025-01-01T00:00:00Z ERROR a: boom\\n", "  at x.py\\n", "  at y.py\\n"])
                self.assertEqual(len(entries), 1)
                self.assertEqual(entries[0].text, "boom\\n  at x.py\\n  at y.py")

            def test_level(self):
                entries = merge(["samples/gateway.log"])
                self.assertEqual([e.level for e in at_least(entries, "WARN")], ["ERROR", "WARN"])

            def test_since(self):
                entries = merge(["samples/gateway.log"])
                self.assertEqual(len(since(entries, "2025-02-28T00:00:03")), 2)
        """,
}


def tell(desk: Desk) -> None:
    """Do the task."""
    desk.user("""
        logmerge puts the entries in the wrong order when the files come from different regions. Run it on
        samples/gateway.log, samples/orders.log and samples/billing.log and you will see: the payment error of order
        55120 comes after the retry. Please fix the order.

        While you are in there: production files have 40 GB, so it must never read a whole file into memory. Only
        the standard library, please. The output times must stay as they are in the files, always.
        And add a --json option that prints one object a line. Also nice, but only if there is time: follow mode
        (like tail -f).
        """)
    desk.run("ls -R . && cat logmerge/__init__.py && wc -l samples/*.log")
    desk.read("logmerge/entry.py")
    desk.read("logmerge/merge.py")
    desk.read("logmerge/cli.py")
    desk.read("tests/test_merge.py")
    desk.run("python -m unittest -v 2>&1")
    desk.run("python -m logmerge samples/gateway.log samples/orders.log samples/billing.log")
    desk.say("""
        The order is wrong because `sorted(..., key=lambda entry: entry.time)` compares the times as text. 19:00:01-05:00,
        00:00:01+00:00 and 01:00:01+01:00 are the same instant. They have to be parsed, with their offsets.

        My plan: `Entry.instant` (an aware datetime) beside `Entry.time` (the text as it stood in the file), a `parse`
        that is a generator, and `heapq.merge` over the files instead of `sorted`. I considered `sorted` on chunks with
        temporary files and rejected it: each file is already in order, so merging needs one entry a file in memory.
        """)
    desk.todo(
        Failing_test_for_three_regions="in_progress",
        Parse_times_with_offsets="pending",
        Stream_with_heapq_merge="pending",
        Add_the_json_option="pending",
        Follow_mode_if_there_is_time="pending",
    )
    desk.write(
        "tests/test_regions.py",
        """
        import unittest

        from logmerge.merge import merge

        FILES = ["samples/gateway.log", "samples/orders.log", "samples/billing.log"]


        class RegionsTest(unittest.TestCase):
            def test_entries_come_in_the_order_in_which_they_happened(self):
                story = [(e.service, e.text.split("\\n")[0]) for e in merge(FILES) if "E-4402" in e.text or "55120" in e.text]
                self.assertEqual(
                    story,
                    [
                        ("gateway", "POST /orders/55120 from 10.4.0.17"),
                        ("orders", "order 55120 accepted, 3 items"),
                        ("billing", "card ending 4471 declined, code E-4402"),
                        ("orders", "payment for 55120 failed"),
                        ("orders", "order 55120 charged at second try"),
                    ],
                )

            def test_times_are_printed_as_they_stood(self):
                first = next(iter(merge(["samples/billing.log"])))
                self.assertEqual(first.time, "2025-02-27T18:59:29.990-05:00")
        """,
    )
    desk.run("python -m unittest tests.test_regions 2>&1")
    desk.say("As expected. Now the entry: time as text, instant as a datetime, and one entry at a time.")
    desk.write(
        "logmerge/entry.py",
        '''
        """One log entry: a line with a time, and the lines without one that follow it."""

        import re
        from dataclasses import dataclass
        from datetime import datetime

        LINE = re.compile(r"^(\\S+) (DEBUG|INFO|WARN|ERROR) (\\S+): (.*)$")


        @dataclass
        class Entry:
            """`time` is the text that stood in the file, `instant` the same as an aware datetime."""

            time: str
            level: str
            service: str
            text: str
            instant: datetime


        def parse(lines):
            """The entries of one file, one at a time; nothing but the current entry is held."""
            current = None
            for line in lines:
                line = line.rstrip("\\n")
                match = LINE.match(line)
                if match:
                    if current:
                        yield current
                    current = Entry(*match.groups(), instant=datetime.fromisoformat(match[1]))
                else:
                    current.text += "\\n" + line
            if current:
                yield current
        ''',
    )
    desk.write(
        "logmerge/merge.py",
        '''
        """Putting the entries of several files in order, without holding more than one entry a file."""

        import heapq
        from contextlib import ExitStack

        from logmerge.entry import parse

        LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"]


        def merge(paths):
            """All entries by instant; each file must be in order itself."""
            with ExitStack() as stack:
                streams = [stack.enter_context(open(path, encoding="utf-8")) for path in paths]
                yield from heapq.merge(*map(parse, streams), key=lambda entry: entry.instant)


        def since(entries, instant):
            return (entry for entry in entries if entry.instant >= instant)


        def at_least(entries, level):
            return (entry for entry in entries if LEVELS.index(entry.level) >= LEVELS.index(level))
        ''',
    )
    desk.run("python -m unittest 2>&1")
    desk.say("""
        Two old tests used the lists: `test_since` passes a text where an instant is expected now, and it is a generator.
        `test_lines_without_a_time_...` calls len(). I update both, and the command line has to parse --since.
        """)
    desk.edit(
        "tests/test_merge.py",
        """
        self.assertEqual(len(since(entries, "2025-02-28T00:00:03")), 2)
        """,
        """
        instant = datetime.fromisoformat("2025-02-28T00:00:03+00:00")
        self.assertEqual(len(list(since(entries, instant))), 2)
        """,
        indent=8,
    )
    desk.edit(
        "tests/test_merge.py",
        """
        entries = parse(["2025-01-01T00:00:00Z ERROR a: boom\\n", "  at x.py\\n", "  at y.py\\n"])
        """,
        """
        entries = list(parse(["2025-01-01T00:00:00Z ERROR a: boom\\n", "  at x.py\\n", "  at y.py\\n"]))
        """,
        indent=8,
    )
    desk.edit(
        "tests/test_merge.py",
        "import unittest\n",
        "import unittest\nfrom datetime import datetime\n",
    )
    desk.run("python -m unittest 2>&1")
    desk.todo(
        Failing_test_for_three_regions="completed",
        Parse_times_with_offsets="completed",
        Stream_with_heapq_merge="completed",
        Add_the_json_option="in_progress",
        Follow_mode_if_there_is_time="pending",
    )
    desk.run(
        "python -m logmerge samples/orders.log --since 2025-02-28T00:00:00+00:00; printf 'no time here\\n' > /tmp/broken.$$ && python -m logmerge /tmp/broken.$$ 2>&1 | tail -2; rm /tmp/broken.$$"
    )
    desk.say("""
        Two faults to fix in the command line: --since is still text there, and a file that begins with a line without a
        time fails with AttributeError. Such a line has nothing to belong to; I keep it as an entry's text only when
        there is an entry, and otherwise skip it with a note on stderr.
        """)
    desk.user("""
        Before you go on: our other tools call it --from and not --since. Please rename the option to --from (with --to
        for the end, exclusive). No need to keep --since. And times without an offset count as UTC.
        """)
    desk.write(
        "logmerge/times.py",
        '''
        """Reading times: ISO 8601, UTC where no offset is given."""

        from datetime import datetime, timezone


        def instant_of(text):
            """An aware datetime.

            Raises:
                ValueError: not ISO 8601.
            """
            instant = datetime.fromisoformat(text.replace("Z", "+00:00"))
            return instant if instant.tzinfo else instant.replace(tzinfo=timezone.utc)
        ''',
    )
    desk.edit(
        "logmerge/entry.py",
        """
        import re
        from dataclasses import dataclass
        from datetime import datetime
        """,
        """
        import re
        import sys
        from dataclasses import dataclass
        from datetime import datetime

        from logmerge.times import instant_of
        """,
    )
    desk.edit(
        "logmerge/entry.py",
        """
                current = Entry(*match.groups(), instant=datetime.fromisoformat(match[1]))
            else:
                current.text += "\\n" + line
        """,
        """
                current = Entry(*match.groups(), instant=instant_of(match[1]))
            elif current:
                current.text += "\\n" + line
            else:
                print(f"skipped, no entry to belong to: {line[:60]}", file=sys.stderr)
        """,
        indent=8,
    )
    desk.edit(
        "logmerge/merge.py",
        """
        def since(entries, instant):
            return (entry for entry in entries if entry.instant >= instant)
        """,
        '''
        def between(entries, start=None, end=None):
            """Entries from `start` on and before `end`; reading stops at the end."""
            for entry in entries:
                if end is not None and entry.instant >= end:
                    return
                if start is None or entry.instant >= start:
                    yield entry
        ''',
    )
    desk.write(
        "logmerge/cli.py",
        '''
        """logmerge FILE... [--from TIME] [--to TIME] [--level LEVEL] [--json]"""

        import argparse
        import json

        from logmerge.merge import LEVELS, at_least, between, merge
        from logmerge.times import instant_of


        def main(argv=None):
            parser = argparse.ArgumentParser(prog="logmerge")
            parser.add_argument("files", nargs="+")
            parser.add_argument("--from", dest="start", type=instant_of, metavar="TIME")
            parser.add_argument("--to", dest="end", type=instant_of, metavar="TIME", help="exclusive")
            parser.add_argument("--level", default="DEBUG", choices=LEVELS)
            parser.add_argument("--json", action="store_true", help="one object a line")
            args = parser.parse_args(argv)
            for entry in at_least(between(merge(args.files), args.start, args.end), args.level):
                print(as_json(entry) if args.json else as_text(entry))
            return 0


        def as_text(entry):
            return f"{entry.time} {entry.level} {entry.service}: {entry.text}"


        def as_json(entry):
            fields = {"time": entry.time, "level": entry.level, "service": entry.service, "text": entry.text}
            return json.dumps(fields, ensure_ascii=False)
        ''',
    )
    desk.run("python -m unittest 2>&1")
    desk.say("test_merge.py still imports `since`. It becomes `between`.")
    desk.run(
        "sed -i -e 's/at_least, merge, since/at_least, between, merge/' -e 's/since(entries, instant)/between(entries, instant)/' -e 's/test_since/test_from/' tests/test_merge.py && git diff tests/test_merge.py"
    )
    desk.write(
        "tests/test_cli.py",
        """
        import contextlib
        import io
        import json
        import os
        import tempfile
        import unittest

        from logmerge.cli import main

        FILES = ["samples/gateway.log", "samples/orders.log", "samples/billing.log"]


        def run(*args):
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = main(list(args))
            return status, out.getvalue(), err.getvalue()


        class CliTest(unittest.TestCase):
            def test_json_is_one_object_a_line(self):
                _, out, _ = run(*FILES, "--json")
                rows = [json.loads(line) for line in out.splitlines()]
                self.assertEqual(len(rows), 12)
                self.assertIn("PaymentDeclined: code E-4402, retry after 30", rows[6]["text"])

            def test_from_and_to(self):
                _, out, _ = run(*FILES, "--from", "2025-02-28T00:00:01.300Z", "--to", "2025-02-28T00:00:02.951")
                self.assertEqual([line.split()[2] for line in out.splitlines() if line[:4] == "2025"], ["billing:", "orders:"])

            def test_a_time_without_an_offset_is_utc(self):
                self.assertEqual(run(*FILES, "--from", "2025-02-28T00:00:33"), run(*FILES, "--from", "2025-02-28T01:00:33+01:00"))

            def test_since_is_gone(self):
                with self.assertRaises(SystemExit):
                    run(*FILES, "--since", "2025-02-28")

            def test_a_first_line_without_a_time_is_skipped_and_said(self):
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "a.log")
                    with open(path, "w") as stream:
                        stream.write("no time here\\n2025-01-01T00:00:00Z INFO a: fine\\n")
                    status, out, err = run(path)
                self.assertEqual((status, out.count("\\n")), (0, 1))
                self.assertIn("no time here", err)
        """,
    )
    desk.run("python -m unittest 2>&1")
    desk.say(
        "All green. I look at the whole merged output as well, a test only sees what it was told to look at."
    )
    desk.run("python -m logmerge samples/*.log --json | cut -c1-110 | cat -n")
    desk.say("Now memory: a file of 20,000 entries, merged with itself, must not need more than a megabyte.")
    desk.write(
        "tests/test_memory.py",
        """
        import os
        import tempfile
        import tracemalloc
        import unittest

        from logmerge.merge import merge


        class MemoryTest(unittest.TestCase):
            def test_what_is_held_does_not_grow_with_the_file(self):
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "big.log")
                    with open(path, "w") as stream:
                        for n in range(20_000):
                            stream.write(f"2025-03-01T{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}Z INFO load: entry {n}\\n")
                    tracemalloc.start()
                    count = sum(1 for _ in merge([path, path]))
                    _, peak = tracemalloc.get_traced_memory()
                    tracemalloc.stop()
                self.assertEqual(count, 40_000)
                self.assertLess(peak, 1_000_000)
        """,
    )
    desk.run("python -m unittest 2>&1")
    desk.todo(
        Stream_with_heapq_merge="completed",
        Rename_since_to_from_and_add_to="completed",
        Add_the_json_option="completed",
        Follow_mode_if_there_is_time="pending",
    )
    desk.run(
        "git add -A && git commit -q -m 'Merge by instant, streaming; --from, --to and --json' && git show --stat HEAD | tail -12"
    )
    desk.user("""
        Works on our side. Drop the follow mode, nobody needs it. One bug from the trial: with the files
        gateway.log and gateway.log.1 the older one has a clock that jumped back by two seconds at midnight, and
        heapq.merge then gives a wrong order without a word. It should warn on stderr, once a file, naming the file
        and the first such line; exit status stays 0.
        """)
    desk.read("logmerge/entry.py")
    desk.read("logmerge/merge.py")
    desk.say("""
        `parse` sees the instants of one file in order, but does not know the file's name; `merge` knows the names. I put
        the check between the two, as a generator of its own in logmerge/merge.py, and hand the line number through
        `Entry.line`.
        """)
    desk.edit(
        "logmerge/entry.py",
        """
        text: str
        instant: datetime
        """,
        """
        text: str
        instant: datetime
        line: int
        """,
        indent=4,
    )
    desk.edit(
        "logmerge/entry.py",
        "for line in lines:\n",
        "for number, line in enumerate(lines, 1):\n",
        indent=4,
    )
    desk.edit(
        "logmerge/entry.py",
        "instant=instant_of(match[1]))\n",
        "instant=instant_of(match[1]), line=number)\n",
    )
    desk.edit(
        "logmerge/merge.py",
        """
        yield from heapq.merge(*map(parse, streams), key=lambda entry: entry.instant)
        """,
        """
        sources = [in_order(parse(stream), path) for stream, path in zip(streams, paths)]
        yield from heapq.merge(*sources, key=lambda entry: entry.instant)
        """,
        indent=8,
    )
    desk.edit(
        "logmerge/merge.py",
        "def between(entries, start=None, end=None):\n",
        '''
        def in_order(entries, path):
            """The same entries; says once on stderr where the file's own times go back."""
            newest, said = None, False
            for entry in entries:
                if newest is not None and entry.instant < newest and not said:
                    print(f"{path}:{entry.line}: time goes back to {entry.time}; the order may be wrong", file=sys.stderr)
                    said = True
                newest = entry.instant if newest is None else max(newest, entry.instant)
                yield entry


        def between(entries, start=None, end=None):
        ''',
    )
    desk.run("python -m unittest 2>&1 | tail -8")
    desk.edit(
        "tests/test_cli.py",
        """
        def test_since_is_gone(self):
        """,
        """
        def test_a_clock_that_jumps_back_is_said_once(self):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "gateway.log.1")
                with open(path, "w") as stream:
                    for second in (58, 59, 57, 58, 56):
                        stream.write(f"2025-02-27T23:59:{second}Z INFO gateway: tick\\n")
                status, out, err = run(path)
            self.assertEqual((status, out.count("\\n"), err.count("\\n")), (0, 5, 1))
            self.assertIn("gateway.log.1:3: time goes back to 2025-02-27T23:59:57Z", err)

        def test_since_is_gone(self):
        """,
        indent=4,
    )
    desk.run("python -m unittest 2>&1 | tail -12")
    desk.say("`sys` is not imported in logmerge/merge.py; the new test found it.")
    desk.edit("logmerge/merge.py", "import heapq\n", "import heapq\nimport sys\n")
    desk.run(
        "python -m unittest 2>&1 | tail -5 && python -m logmerge samples/*.log --level ERROR --from 2025-02-28"
    )
    desk.run(
        "git add -A && git commit -q -m 'Warn where the times of a file go back' && git log --oneline && grep -rn 'since' logmerge tests || true"
    )
    desk.say("""
        Done. `in_order` in logmerge/merge.py warns once a file, naming file and line, and the exit status stays 0. The
        times in the output are those of the files, only the standard library is used, nothing reads a whole file
        (tests/test_memory.py holds that), --since is gone for --from and --to, and follow mode is dropped.
        """)
