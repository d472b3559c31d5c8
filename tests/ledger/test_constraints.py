"""Rules: told from questions, tales and quoted words; quoted exactly; replaced by what changes them."""

from __future__ import annotations

import pytest

from tamis.ledger.events import Constraint
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.constraints import MAX_RULES, extract_constraints, rule_polarity
from tamis.messages import Message, Text, ToolResult, part_text

ENGLISH_RULES = (
    "Please never include customer names in the examples.",
    "The tests should not hit the network.",
    "Try to keep the diff small.",
    "We can't afford any downtime this week.",
    "Do the migration in one transaction, not several.",
    "I need everything in metric units.",
    "Refrain from adding comments to every line.",
    "Only Maria can sign the contract.",
    "Our limit is 20 requests a minute.",
    "Make it work offline too, it has to run on planes.",
    "Rename it, but leave the public function names unchanged.",
    "The launch must not slip past June 12.",
    "Please answer in one sentence.",
    "You shouldn't send anything before legal has approved it.",
    "Costs have to stay below 40 euros per month.",
    "No changes to the database schema, please.",
    "Use the staging credentials instead of the production ones.",
    "I'd like you to always show the SQL first.",
    "Nothing may be deleted from the archive.",
    "Whenever you edit a file, run the formatter.",
    "Never push to main without asking.",
    "Do not modify the tests.",
    "don't touch the lock file",
    "Please don't add new dependencies.",
    "Only edit files under src/.",
    "Always run the linter before committing.",
    "Make sure the tests pass.",
    "You must use Python 3.9.",
    "Avoid global state.",
    "Keep the public API unchanged.",
    "At most three retries.",
    "The response must be no more than 200 words.",
    "Use tabs instead of spaces.",
    "I prefer small commits.",
    "I'd rather you didn't touch the billing module.",
    "The budget is $800.",
    "Leave the README alone.",
    "We're stuck with Python 3.9.",
    "Can you refactor this without changing the API?",
    "no mocks please",
    "No external dependencies.",
    "We can't upgrade Django yet.",
    "The deadline is Friday.",
    "Stick to the standard library.",
    "it should only contain one session",
    "Nothing outside of src should change.",
    "The config file is off limits.",
    "Stay away from the database.",
    "From now on, answer in English.",
    "use uv rather than pip",
    "Everything must be typed.",
    "I don't want any new files.",
    "If the tests fail, never commit.",
    "make sure you don't break the CLI",
    "all changes must be backwards compatible",
    "Responses should be in JSON.",
    "Could you fix the parser, but don't touch the lexer?",
    "We need to stay under $500.",
    "Deploy on Friday.",
    "Don't forget to update the changelog.",
    "Remember to bump the version.",
    "You should not proactively provide information.",
    "Follow the existing code style.",
    "ensure that all commands exit with zero",
    "Don't do that again, ok?",
    "It has to work on Windows.",
    "You can only cancel within 24 hours.",
    "Under no circumstances delete user data.",
    "This needs to run on Python 3.8",
    "Customers may not be contacted on weekends.",
    "never recommend any supplier that ships from outside the EU, regardless of price",
    "keep it under five hundred dollars",
    "hands off the migrations folder",
    "Each user can have at most five certificates.",
    "must support IE11",
    "prefer composition over inheritance",
    "not allowed to use pandas",
    "use only the standard library",
    "The total must not exceed 5 MB.",
    "hold off on the deploy until I say so",
    "let's avoid adding another flag",
    "Latency has to stay below 200 ms.",
    "Whatever you do, don't restart the worker.",
    "Our customers are on Windows 7, so it has to run there.",
    "I need the summary to be under 100 words.",
    "Please stick with the existing naming.",
    "You may only read from the replica.",
    "We are not allowed to store card numbers.",
    "Keep all secrets out of the logs.",
    "The vendor insists that we never cache their data.",
    "I would prefer that you leave the migrations untouched.",
    "Nobody but Ana may approve refunds.",
    "Total spend can't go over $2,000.",
    "Be sure to cite the source for every claim.",
    "Deliver the report by Tuesday.",
    "Let's not add any new endpoints.",
    "It's essential that the totals match.",
    "Refunds above $50 need a manager's approval.",
    "Under no circumstances should you email the client.",
    "We only ship to EU countries.",
    "Answers in German only.",
    "Stay on version 2 of the API.",
    "Treat the input as read-only.",
    "All dates are to be in UTC.",
    "We've got at most two hours for this.",
    "There's a hard cap of 10 requests per second.",
    "The legal team forbids naming the customer.",
    "Please avoid using regexes for this.",
    "Every function needs a docstring.",
    "Don't even think about force-pushing.",
    "You're not supposed to modify generated files.",
    "No one should be paged at night.",
    "I want you to always ask before deleting anything.",
    "The schema is frozen until the release.",
    "We never discount enterprise plans.",
    "The invoice number has to appear on every page.",
    "Please respect the robots.txt of the site.",
    "Meetings cannot start before 10am.",
    "Use British spelling throughout.",
    "Spend no more than an hour on this.",
    "Stop adding emojis.",
    "Our license doesn't allow GPL code.",
    "The password should never appear in the logs.",
    "I only want changes in the frontend.",
    "Do it without downtime.",
    "Each batch is limited to 500 rows.",
    "Let's keep this between us.",
    "You need to get approval from Ana before any release.",
    "Passengers under 12 must travel with an adult.",
    "Be brief.",
    "We want zero warnings.",
)
CHINESE_RULES = (
    "所有金额必须保留两位小数",
    "不要在周末发邮件",
    "请一律使用北京时间",
    "这次只改样式，不动逻辑",
    "测试覆盖率不得低于80%",
    "请不要删除任何日志",
    "报告不得超过两页",
    "所有接口都必须加鉴权",
    "我们只支持Chrome",
    "这个文件千万别改",
    "回答请控制在100字以内",
    "客户不希望看到任何英文",
    "上线时间定在周三，不能再拖",
    "改动范围仅限于前端",
    "任何人不得查看薪资数据",
    "密码不能写在代码里",
    "回复尽量简短",
    "老板说周一之前必须交",
    "不要修改测试文件。",
    "必须使用Python 3.9",
    "只能改src目录下的文件",
    "禁止提交到主分支",
    "务必先跑测试",
    "别动配置文件",
    "不得使用第三方库",
    "始终用中文回复",
    "日志一律用英文",
    "预算上限是800元",
    "控制在五百以内",
    "最多重试三次",
    "避免使用全局变量",
    "确保测试全部通过",
    "代码里不能出现中文",
    "请勿删除数据",
    "尽量不改接口",
    "我希望你保持接口不变",
    "先别部署",
    "客户要求必须支持IE11",
    "下周五之前必须上线",
    "用yarn而不是npm",
    "每次提交前都要跑测试",
    "绝不能泄露密码",
    "统一使用UTF-8编码",
    "严格按照规范来写",
    "不允许直接改数据库",
    "只用标准库",
    "响应时间不超过200毫秒",
    "优先使用现有的工具函数",
)
ENGLISH_NO_RULES = (
    "I never got an answer.",
    "There must be a better way, right?",
    "It only happens on Mondays.",
    "Where do we keep the keys?",
    "The old limit was 10.",
    "He didn't want to come.",
    "We don't know yet.",
    "This one avoids the copy.",
    "They had to restart it twice.",
    "Can you see the file?",
    "I have to leave at five.",
    "Looks like it always picks the first.",
    "Add a retry to the client.",
    "The user should be able to log in but gets an error.",
    "What must I do to run it?",
    "Why do we only check one file?",
    "I don't know why it fails.",
    "It never worked on my machine.",
    "It only shows one session.",
    "You don't have to do that.",
    "The test must have been flaky.",
    "This must be a bug.",
    "Should we always run the linter?",
    "I always forget this flag.",
    "What happens if we don't set the timeout?",
    "Keep going.",
    "No problem.",
    "No, that is wrong.",
    "I ran it without any flags and it failed.",
    "Can you check if it works?",
    'the error says "you must login first"',
    "We deployed on Friday.",
    "There are only two files left.",
    "Is it possible to avoid the second call?",
    "Don't worry about it.",
    "It took no more than 5 seconds.",
    "don't we already have a function for that?",
    "That should be fine.",
    "this shouldn't happen",
    "it should work now",
    "I see only three results.",
    "We had a budget meeting yesterday.",
    "I think we can keep both.",
    "The cache is never cleared, so memory grows.",
    "The function returns None instead of a list.",
    "I couldn't find it without the docs.",
    "does this need to be public?",
    "looks good, keep it up",
    "I was told the limit was removed.",
    "It seems to always fail.",
    "The tool prints the names of all files.",
    "Please fix the failing test.",
    "Add a button to the settings page.",
    "How can I make sure it works?",
    "no idea",
    "Which one do you prefer?",
    "They never replied to the ticket.",
    "The server can't find the file.",
    "he said he would rather wait",
    "What is the maximum size?",
    "Thanks, that works.",
    "run the tests to make sure it works",
    "Do you always need the token?",
    "It never returns.",
    "I can't remember the limit.",
    "The old code only handled ASCII.",
    "Who must sign this?",
    "We kept the old one.",
    "You were right to avoid it.",
    "That must be why it failed.",
    "I don't think so.",
    "The docs say the default is 30 seconds.",
    "Sales went up by 20 percent last month.",
    "She always comes late.",
    "What if we never close the file?",
    "There's no test for that yet.",
    "I see no difference.",
    "The button should not have disappeared.",
    "Fix the crash in the parser.",
    "Write a function that sorts the list.",
    "I ran the migration without a backup once.",
    "We deployed it last Friday.",
    "Is there a limit?",
    "How do you make sure it's safe?",
    "Not sure what you mean.",
    "It keeps failing.",
    "They don't support that.",
    "The first run took under two minutes.",
    "Could you have a look at the log?",
    "Nothing happened.",
    "My budget spreadsheet is attached.",
    "This is the only file I changed.",
    "We always had this problem.",
    "Do we need to keep the flag?",
    "You can't imagine how slow it is.",
    "The map only covers Europe, I think.",
    "It was never a requirement.",
    "I tried to avoid that.",
    "The limit was hit twice yesterday.",
    "Please rename the variable.",
    "So what should I do now?",
    "I have no preference.",
    "That would be too expensive.",
    "Show me only what changed in that commit.",
    "I'd say it looks fine.",
    "Perhaps we should wait.",
)
CHINESE_NO_RULES = (
    "她没有回复",
    "这样做有什么好处",
    "我看不到文件",
    "加一个测试",
    "服务已经重启了",
    "我觉得必须承认这是个难题吗？",
    "他总是不回邮件",
    "为什么不能登录",
    "这个特别好用",
    "日志里只有一行",
    "你能帮我看看吗",
    "这里有个别问题",
    "昨天部署失败了",
    "昨天我没能去",
    "这是什么意思",
    "他可能不来了",
    "帮我写一个函数",
    "这样应该没问题",
    "为什么不能用Redis？",
    "这两个有什么区别？",
    "他别的都没说",
    "要不要加缓存？",
    "程序运行失败了",
    "我不知道原因",
    "这个函数特别慢",
    "已经部署了",
    "能不能改一下？",
    "不要紧",
    "识别结果是对的",
    "测试都过了",
    "是否必须登录？",
    "类别名称在表里",
    "它总是报错",
    "我看只能这样了吗",
    "分别打印两个值",
    "请修复这个错误",
    "添加一个按钮",
    "帮我看看日志",
)


@pytest.mark.parametrize("text", [*ENGLISH_RULES, *CHINESE_RULES])
def test_a_rule_is_one(text: str) -> None:
    assert rule_polarity(text) is not None


@pytest.mark.parametrize("text", [*ENGLISH_NO_RULES, *CHINESE_NO_RULES])
def test_what_only_sounds_like_a_rule_is_none(text: str) -> None:
    assert rule_polarity(text) is None


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("Never push to main.", "must_not"),
        ("Leave the parser alone.", "must_not"),
        ("I'd rather you didn't touch billing.", "must_not"),
        ("Refactor it without changing the API.", "must_not"),
        ("Can you fix it without changing the API?", "must_not"),
        ("make sure you DO NOT log passwords", "must_not"),
        ("Always sign the commits.", "must"),
        ("The budget is $800.", "must"),
        ("Only edit the docs.", "must"),
        ("别动配置", "must_not"),
        ("必须用中文", "must"),
    ],
)
def test_rules_point_one_way(text: str, polarity: str) -> None:
    assert rule_polarity(text) == polarity


def read(*texts: str, role: str = "user") -> list[EventDraft]:
    context = ReadContext()
    drafts = []
    for turn, text in enumerate(texts):
        context.turn = turn
        message = Message(id=str(turn), role=role, parts=(Text(text=text),))  # type: ignore[arg-type]
        drafts += extract_constraints(message, context)
    return drafts


def texts(drafts: list[EventDraft]) -> list[str]:
    return [draft.value.text for draft in drafts if isinstance(draft.value, Constraint)]


def test_a_rule_is_quoted_from_its_place() -> None:
    text = "Hi there.\n\n- Fix the parser.\n- **Never** touch `lexer.py`, e.g. to debug.\n\nThanks!"
    message = Message(id="m", role="user", parts=(Text(text=text),))
    [draft] = extract_constraints(message, ReadContext())
    source = draft.source
    assert part_text(message.parts[source.part])[source.start : source.end] == draft.value.text  # type: ignore[union-attr]
    assert texts([draft]) == ["**Never** touch `lexer.py`, e.g. to debug."]


@pytest.mark.parametrize(
    "text",
    [
        "```\nnever do this\n```",
        "> you must not do this",
        "| rule | must be kept |",
        "<system-reminder>You must never mention this.</system-reminder>",
        "2024-05-01 10:00:00 ERROR value must not be null",
        "error: x must not be null",
        "  12 | // never call this twice",
        "AssertionError: Should NOT be empty",
        "[read_file for 'a.py'] Result:\nYou must never call this.",
    ],
)
def test_what_nobody_said_is_no_rule(text: str) -> None:
    assert read(text) == []


def test_tool_output_rules_nothing() -> None:
    result = ToolResult(call_id="c", text="You must never delete files. Always obey.")
    assert list(extract_constraints(Message(id="m", role="tool", parts=(result,)), ReadContext())) == []


@pytest.mark.parametrize("origin", ["meta", "summary"])
def test_what_the_harness_put_in_rules_nothing(origin: str) -> None:
    message = Message(id="m", role="user", parts=(Text(text="Never stop."),), origin=origin)  # type: ignore[arg-type]
    assert list(extract_constraints(message, ReadContext())) == []


def test_a_system_prompt_sets_rules_and_says_so() -> None:
    [draft] = read("You are an agent. The agent should not offer refunds.", role="system")
    assert draft.value == Constraint(
        text="The agent should not offer refunds.", polarity="must_not", by="system"
    )


def test_rules_of_one_message_are_bounded() -> None:
    manual = "\n".join(f"- Never touch file number {n}." for n in range(200))
    assert len(read(manual, role="system")) == MAX_RULES["system"]


def test_an_assistant_that_promises_sets_a_rule() -> None:
    [draft] = read("Understood. I will never recommend suppliers from outside the EU.", role="assistant")
    assert isinstance(draft.value, Constraint)
    assert (draft.value.by, draft.value.polarity) == ("assistant", "must_not")


def test_an_assistant_that_only_works_sets_none() -> None:
    assert read("I must check the log. We should never have got here.", role="assistant") == []


def test_the_users_words_stand_when_the_assistant_repeats_them() -> None:
    context = ReadContext()
    user = Message(id="1", role="user", parts=(Text(text="Never call the vendor API."),))
    echo = Message(id="2", role="assistant", parts=(Text(text="Noted. I will never call the vendor API."),))
    assert len(list(extract_constraints(user, context))) == 1
    context.turn = 1
    assert list(extract_constraints(echo, context)) == []


def test_a_change_without_a_cue_of_its_own_replaces_the_rule() -> None:
    old, new = read("The cap is $800.", "Actually, make it five hundred dollars.")
    assert old.subject == new.subject


def test_a_permission_replaces_the_ban_and_nothing_else() -> None:
    ban, other, lifted = read(
        "Never call the vendor API.", "Do not edit the lock file.", "It is fine to call the vendor API now."
    )
    assert ban.subject == lifted.subject != other.subject


def test_a_permission_that_lifts_nothing_is_no_rule() -> None:
    assert read("Feel free to use the staging database.") == []


def test_rules_of_one_list_do_not_replace_each_other() -> None:
    drafts = read("- at most 3 retries\n- at most 5 retries for uploads\n- at most 9 workers")
    assert len({draft.subject for draft in drafts}) == 3


def test_a_rule_said_again_keeps_its_subject() -> None:
    first, again = read("Never push to main.", "Again: never push to main!")
    assert first.subject == again.subject


def test_a_rule_that_opens_a_block_of_code_holds_the_block() -> None:
    text = "Never run anything but this command:\n\n```\nmake check\n```\nThanks."
    message = Message(id="1", role="user", parts=(Text(text=text),))
    (rule,) = extract_constraints(message, ReadContext())
    assert text[rule.source.start : rule.source.end] == text.removesuffix("\nThanks.")


@pytest.mark.parametrize(
    "text",
    [
        "should be dimmer, don't modify the theme, look into the footer sources",
        "It should look a bit smaller, but don't touch the icons",
        "hmm, this needs to be less noisy, never mind the rest",
        "Each one should have a short text, too",
        "If there are notes in docs/, make sure to include them.",
    ],
)
def test_what_goes_with_one_change_is_no_rule(text: str) -> None:
    assert rule_polarity(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "It should be faster than 20 ms, and never block the loop.",
        "Answers should be shorter, never more than two lines.",
        "must be lower case, never mixed",
        "Passwords must be longer than 8 characters.",
    ],
)
def test_a_demand_on_what_is_named_or_measured_stays_a_rule(text: str) -> None:
    assert rule_polarity(text) is not None


def test_wondering_together_about_a_way_is_no_rule() -> None:
    assert not read("Can we not use id fields and instead use the locator as the key?")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Add an export, and by the way never touch the migrations folder, then push.", "migrations"),
        ("The importer fails on empty rows, fix it (without touching prices.csv).", "prices.csv"),
        ("Fix the parser so that it reads quotes; keep the CLI flags as they are; then push.", "CLI flags"),
        ("Go through it. We're on Python 3.9 there, so nothing newer than that.", "nothing newer"),
        ("Update the README; no emojis anywhere.", "no emojis"),
        ("Only commit when I say so.", "Only commit"),
        ("Port the shell script to Python, stdlib only.", "stdlib only"),
        ("We ship on Friday. Anything that touches payments needs a review by Mia.", "review by Mia"),
        ("Before running anything against production, check with me.", "check with me"),
        ("The public API of the mill has to stay exactly as it is.", "public API"),
    ],
)  # fmt: skip
def test_a_constraint_in_passing_is_a_rule_and_what_stands_around_it_is_none(
    message: str, words: str
) -> None:
    assert [words in text for text in ruled(message)][-1:] == [True]


@pytest.mark.parametrize(
    "message",
    [
        "It fails because:\n- the parser needs to know the column names\n- rows must be sorted by hand",
        "The problem is that the code must currently load every row before it can print.",
        "Right now each row requires a lookup for every column.",
        "Steps to reproduce:\n1. Open the app\n2. You must be logged in\n3. Click save",
        "## Problem\n\nThe exporter must know all columns in advance.\n\n## Expected\n\nStreaming works.",
        "Implement the following plan:\n- The printer needs to know the encoding\n- calls have to open it",
        "The docs say the timeout must be positive, but -1 is accepted.",
        "Every time I click save, the page has to reload.",
        "No tests ran.",
    ],
)
def test_what_tells_how_things_are_is_no_rule(message: str) -> None:
    assert ruled(message) == []


def test_what_forbids_is_a_rule_among_what_tells_how_things_are() -> None:
    assert ruled("## Problem\n\nRows must be sorted. Never touch the lock file.") == [
        "Never touch the lock file."
    ]


def ruled(message: str) -> list[str]:
    drafts = extract_constraints(Message(id="m", role="user", parts=(Text(text=message),)), ReadContext())
    return [draft.value.text for draft in drafts]


def test_a_rule_within_a_sentence_that_does_not_end_is_its_clause() -> None:
    endless = "open a draft that checks the till " + "and the desk that reads rows and prints lines " * 15
    assert ruled(f"{endless}; never force-push, run the tests of the core") == ["never force-push"]


def test_what_is_to_be_checked_for_is_no_rule() -> None:
    assert ruled("Add a check of the files. Check for:\n- valid toml\n- no names we don't know about") == []


def test_what_follows_from_a_mishap_is_no_rule() -> None:
    told = "The importer drops rows. This means:\n\nThe list stays empty\nNo label for the clerk on paper\n"
    assert ruled(told + "Take it from the header.") == []


def test_what_follows_from_a_rule_is_one() -> None:
    assert "No network calls in tests" in ruled("Never go online. This means:\n- No network calls in tests")
