"""Corrections: what the user says later replaces what it updates, and nothing else."""

from __future__ import annotations

import pytest

from ledger.conversation import ran, said
from tamis.ledger import State, read_ledger


def after(*texts: str) -> State:
    return read_ledger([said("user", text, f"m{i}") for i, text in enumerate(texts)]).state


def replaced(state: State) -> list[tuple[str, str]]:
    return [(entry.value.old, entry.value.new) for entry in state.corrections]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The timeout is 30 seconds.", "Timeout should be 45 seconds now."),
        (
            "The invoice module uses Postgres.",
            "We're going with MySQL rather than Postgres for the invoice module.",
        ),
        ("Never exceed $900.", "Budget was raised to $956."),
        ("The login token is valid for 15 minutes.", "The login token should be valid for 60 minutes."),
        ("The deadline for the report is 3 May.", "The deadline moved to 14 May."),
        ("Dana owns the export job.", "Marek took over the export job from Dana."),
        ("The reports read from MongoDB.", "The reports no longer read from MongoDB but from MySQL."),
        ("Deployments run through Terraform.", "Deployments have been switched over to Bazel."),
        ("The cat is called Mimi.", "The cat's name is Momo, not Mimi."),
        ("I want the report in English.", "I want the report in German."),
        ("Lukas lives in Berlin.", "Lukas moved to Hamburg last month."),
        ("The cache lifetime is 30 seconds.", "The cache lifetime is no longer 30 seconds but 45."),
        ("The parcel weighs 2.4 kg.", "I re-weighed the parcel: 2.7 kg."),
        ("Marketing prefers the blue banner.", "Marketing changed its mind and prefers the green banner."),
        ("Wagons are built by Olga.", "Building the wagons is Bruno's job now."),
        ("The runtime is Ruby 2.7.", "We had to go back to Python 3.9 for the runtime."),
        ("It takes two signatures to publish.", "One signature is enough to publish."),
    ],
)
def test_a_later_sentence_replaces_what_it_updates(old: str, new: str) -> None:
    state = after(old, new)
    assert replaced(state) == [(old, new)]
    tables = (state.constraints, state.facts, state.entities, state.decisions)
    assert old not in [getattr(entry.value, "text", "") for table in tables for entry in table]


def at_work(old: str, new: str) -> State:
    """What is known where an agent has run something before it is told."""
    told = [said("user", text, f"m{i}") for i, text in enumerate(("Look around.", old, new))]
    return read_ledger([told[0], *ran("ls", "a.py"), *told[1:]]).state


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The timeout is 30 seconds.", "The timeout should be 45 seconds now."),
        ("/1 /2 being 1 first to be created.", "I want /0 to be first created instead"),
        (
            "The invoice module uses Postgres.",
            "We're going with MySQL rather than Postgres for the invoice module.",
        ),
        ("Never exceed $900.", "Budget was raised to $956."),
    ],
)
def test_at_work_a_figure_an_order_and_what_is_given_up_replace(old: str, new: str) -> None:
    assert replaced(at_work(old, new)) == [(old, new)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Variable named README but creates DOCS.md file",
            "CreateREADME actually creates DOCS.md and README files",
        ),
        (
            "got merge conflicts from parent alex/git-hooks",
            "okay, fix is pushed, let's update from parent branch alex/git-hooks; there's a merge conflict",
        ),
        ("User removes the hook and adds their own hook B", "User manually replaces hook with hook B"),
        (
            "Let's update that file to be `POSTHOG.md` and keep the relevant analytics docs.",
            "Make sure you find any analytics code that isn't in the docs.",
        ),
        ("Never push to main: the fork fetches from origin.", "Fetching main from the fork (origin) now..."),
    ],
)
def test_at_work_reports_replace_nothing(old: str, new: str) -> None:
    assert replaced(at_work(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The read timeout is 30 seconds.", "The connect timeout is 10 seconds now."),
        ("The hotel budget is $900.", "The flight budget is $400."),
        ("Never touch config.yaml.", "Never touch secrets.yaml."),
        ("Anna owns billing.", "Ben owns shipping now."),
        ("The first payment is due on 1 May.", "The second payment is due on 1 June."),
        ("Order W1 was shipped on Monday.", "Order W2 was shipped on Tuesday."),
        ("Anna has two kids.", "Ben has three kids."),
        ("Invoices are sent as XML.", "Offers should be sent as CSV from now on."),
        ("We're on Python 3.9.", "We use Node 18 now."),
        ("Don't deploy on Friday.", "The release is planned for Tuesday."),
        ("Sessions expire after 90 seconds.", "Invitations expire after 250 ms."),
    ],
)
def test_two_subjects_both_stand(old: str, new: str) -> None:
    assert replaced(after(old, new)) == []


@pytest.mark.parametrize(
    ("rule", "lifted"),
    [
        ("Dates must be in ISO format.", "ISO dates are no longer required."),
        ("Always run `make verify` before a commit.", "You don't need to run `make verify` any more."),
        ("config/prod.yaml is off limits.", "The restriction on config/prod.yaml is lifted."),
        ("Every commit has to name PO-66102.", "Forget the rule about naming PO-66102 in commits."),
    ],
)
def test_a_rule_that_is_taken_back_goes(rule: str, lifted: str) -> None:
    assert rule not in [entry.value.text for entry in after(rule, lifted).constraints]


def test_a_fault_and_its_cure_in_one_message_both_stand() -> None:
    fault = "However, the folder is still named by `paths.dir(raw)`, which makes a new date."
    assert (
        replaced(after(f"{fault} The cure is to name it by `paths.of(id)` instead of `paths.dir(raw)`."))
        == []
    )


def test_a_task_stands_of_which_a_part_is_changed() -> None:
    task = "Write a summary as `docs/summary.md` with prose and tables on the 10 systems and 7 areas."
    assert replaced(after(task, "instead make 7 tables, 1 for each area")) == []


def test_a_list_in_one_message_stands_as_a_whole() -> None:
    assert replaced(after("Titles: at most 60 words. Titles: at most 80 words.")) == []


def test_make_it_means_the_value_said_last() -> None:
    state = after("The timeout is 30 seconds.", "Make that 45 seconds.")
    assert replaced(state) == [("The timeout is 30 seconds.", "Make that 45 seconds.")]


def test_what_replaces_a_rule_is_a_rule_and_remembers_it() -> None:
    [rule] = after("Keep answers under 90 words.", "Answers can be up to 150 words.").constraints
    assert rule.value.text == "Answers can be up to 150 words."
    assert [old.text for old in rule.superseded] == ["Keep answers under 90 words."]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The deadline for the report is the 5th of May.", "The deadline is now the 9th."),
        ("The budget for the fair is $4,000.", "Finance gave us $5,500 for the fair."),
        ("The invoice prefix is INV.", "The invoice prefix isn't INV any longer, it's RE."),
        ("The minimum age for accounts is 16.", "Legal says the minimum age for accounts is 18."),
        ("Cache entries live for 10 minutes.", "Cache entries should live for an hour."),
        ("Name the export file totals.csv.", "Call the export file sums.csv instead."),
        ("Write the tests with unittest.", "On reflection, write the tests with pytest."),
        ("Store the sessions in Redis.", "We decided against Redis for the sessions; they go into Postgres."),
        ("The team lead is Oskar.", "Oskar handed over to Mina, she's team lead."),
        ("The demo is at 3 pm.", "The demo's been brought forward to 1 pm."),
        ("The config is in settings.toml.", "The config has moved into pyproject.toml."),
        ("The password must have at least 8 characters.", "Passwords need at least 12 characters, not 8."),
        ("The image tag is v1.4.", "The image tag is v1.5."),
        ("Poll the sensor every 5 seconds.", "Poll the sensor every 20 seconds, 5 drains the battery."),
        ("Tickets go to the OPS board.", "Tickets go to the CORE board going forward."),
        ("Keep the old endpoints working.", "The old endpoints can go."),
        ("Rent the van from Hertz.", "Rent the van from Sixt, Hertz had none left."),
        ("Dana reviews the translations.", "Dana is on leave, Piet reviews the translations."),
        ("The seed is 42.", "Use 7 as the seed."),
        ("The sprint ends on Friday.", "The sprint ends on Thursday because of the holiday."),
    ],
)
def test_it_does_so_in_other_words_too(old: str, new: str) -> None:
    assert replaced(after(old, "Which modules print receipts?", new)) == [(old, new)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs in Go files.", "Use spaces in Python files."),
        ("The interview with Ada is on Monday.", "The interview with Tim is on Wednesday."),
        ("The tag of the api image is v1.4.", "The tag of the worker image is v1.5."),
        ("Log errors to stderr.", "Log requests to stdout."),
        ("Cache the images for an hour.", "Cache the fonts for a day."),
    ],
)
def test_two_subjects_of_one_form_both_stand_in_either_order(one: str, other: str) -> None:
    assert replaced(after(one, other)) == replaced(after(other, one)) == []


def test_a_question_that_is_taken_back_stands_no_more() -> None:
    state = after("What does the flag do? Why is there a lock?", "Never mind the question about the lock.")
    assert replaced(state) == [("Why is there a lock?", "")]


def test_a_message_that_is_taken_back_goes_with_its_rules() -> None:
    state = after("Never touch prices.csv.", "Wrong window, ignore that.")
    assert [entry.value.text for entry in state.constraints] == []


def test_to_be_told_not_to_forget_takes_nothing_back() -> None:
    assert replaced(after("Never touch prices.csv.", "Don't forget that, please.")) == []


def test_a_rule_for_a_time_goes_when_little_of_it_is_named() -> None:
    state = after(
        "Hold off on deploying until Ann is back from Porto.", "Ann is here, go ahead with the deployment."
    )
    assert "Hold off" not in " ".join(entry.value.text for entry in state.constraints)


def test_a_request_that_is_repeated_corrects_nothing_of_itself() -> None:
    request = (
        "Do not commit the 12 keys.\n\n- Commit list in order, 12 lines\n- Do not commit drafts (12 files)."
    )
    assert replaced(after(request, "Thanks.", request)) == []


def test_what_takes_back_the_last_message_in_two_sentences_takes_back_no_other() -> None:
    state = after("Never touch prices.csv.", "The fee is 3 euros.", "Sorry, wrong chat. Ignore last message.")
    assert replaced(state) == [("The fee is 3 euros.", "")]


@pytest.mark.parametrize(
    "amiss",
    [
        "It does not clear the sessions that the reset command leaves in the shop.",
        "I can't see any use of the reset command, so we are not really clearing the sessions.",
    ],
)
def test_what_is_amiss_with_the_work_takes_the_task_not_back(amiss: str) -> None:
    assert replaced(after("Add a reset command that clears all sessions of the shop.", amiss)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Step 2", "Step 3"),
        ("Please go on to step 5.", "Now go on to step 4."),
        (
            "[Image: source: /tmp/a-2026-06-18-20.40.25.png]",
            "[Image: source: /tmp/a-2026-06-19-08.23.03.png]",
        ),
        ("✓ Indexed 81 files into a.db (20.7s)", "✓ Indexed 31 files into a.db (3.1s)"),
    ],
)
def test_steps_and_what_a_program_printed_are_no_updates(old: str, new: str) -> None:
    assert replaced(after(old, new)) == []
    assert replaced(at_work(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Status pages read from /status.", "Could you make the status pages read from /live instead?"),
        ("The shutters close at 8 pm.", "Moving the shutters to 9 pm, okay?"),
        ("The till opens with 40 euros.", "The till opens with 60 euros due to the new market."),
        ("The poll runs every hour.", "The poll runs every day now."),
        ("Drawings live in plans/.", "Drawings were moved to sketches/."),
        ("Our broker is Hansen.", "Since January our broker is Olsen."),
        ("The runner image is jammy.", "Switch the runner image over to noble."),
    ],
)
def test_an_update_may_be_asked_reasoned_or_dated(old: str, new: str) -> None:
    assert replaced(after(old, new)) == [(old, new)]
