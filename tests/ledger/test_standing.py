"""What stands: a later statement finds the one that it replaces, and leaves the others alone."""

from __future__ import annotations

import json

import pytest

from tamis.ledger.extract import ReadContext
from tamis.ledger.speech.rule_polarity import rule_polarity
from tamis.ledger.speech.standing import MAX_OPEN, Subjects

SAME_SUBJECT = (
    ("The cap is $800.", "Keep it under five hundred dollars."),
    ("A discount must never be more than 8.00 pounds.", "Keep the discount under five pounds."),
    ("端口必须用9090", "改主意了，端口用 7070"),
    ("We deploy on Friday.", "Let's move the deploy to Monday."),
    ("Use Redis", "Actually, go with Memcached instead."),
    ("Never call the vendor API", "It is fine to call the vendor API now"),
    ("预算上限是800元", "控制在五百以内"),
    ("先别部署", "可以部署了"),
    ("We're stuck with Python 3.9", "We can use Python 3.12 now"),
    ("Reply in English.", "From now on reply in Chinese."),
    ("Don't push to main", "You can push to main now"),
    ("Responses must stay under 300 words", "Keep responses under 150 words"),
    ("Always run the tests before committing", "No need to run the tests before committing any more"),
    ("不要调用供应商接口", "现在可以调用供应商的接口了"),
    ("用Redis做缓存", "缓存改用Memcached"),
    ("Use tabs for indentation", "Use spaces for indentation instead"),
    ("at most 3 retries", "at most five retries"),
    ("Hotel budget is $800", "Hotel budget is now $600"),
    ("周五上线", "上线推迟到下周"),
    ("The meeting is at 3pm", "Meeting moved to 5pm"),
    ("use postgres", "use mysql instead of postgres"),
    ("回复用中文", "回复改成英文"),
    ("最多重试三次", "最多重试五次"),
    ("Do not touch the auth module", "Feel free to modify the auth module"),
    ("The budget for the trip is $800.", "Make that six hundred dollars."),
    ("No more than 5 retries.", "Let's allow up to 8 retries."),
    ("Do not email the client.", "You may email the client now."),
    ("The release is on May 3.", "The release got pushed to May 10."),
    ("Write the report in French.", "Actually write the report in Spanish."),
    (
        "Please don't touch the billing service.",
        "OK, the billing service is fair game now, you can modify it.",
    ),
    ("Keep the bundle below 200 KB.", "The bundle may be at most 300 KB."),
    ("Target Node 16.", "Target Node 20 instead."),
    ("Use npm.", "Switch to pnpm."),
    ("The standup is at 9:30.", "Move the standup to 10:00."),
    ("部署时间定在周五", "部署改到周一"),
    ("超时时间不超过30秒", "超时时间改为60秒"),
    ("禁止访问生产数据库", "现在可以访问生产数据库了"),
    ("用MySQL存储", "改用PostgreSQL"),
    ("预算控制在一万元以内", "预算提高到两万元"),
    ("must stay under 50% CPU", "CPU must stay under 40%"),
    ("Only use AWS.", "We switched from AWS to GCP."),
    ("Always squash commits.", "No need to squash commits any more."),
    ("Max 10 pages.", "Cut it to 8 pages max."),
    ("Ship by Friday.", "Shipping is postponed to Wednesday."),
    ("Limit the response to 200 tokens.", "Responses can go up to 400 tokens now."),
    ("Don't deploy before Thursday.", "You can deploy before Thursday after all."),
    ("Reply only in English.", "Please reply in German from now on."),
    ("The meeting is on Tuesday.", "We moved the meeting to Thursday."),
    ("Keep the price under $50.", "The price can be up to $70."),
    ("Use pytest for the tests.", "Let's use unittest for the tests instead."),
    ("Never contact the supplier directly.", "Contacting the supplier directly is okay now."),
    ("每页最多十条", "每页改成最多二十条"),
    ("不要联系客户", "可以联系客户了"),
    ("会议在下午三点", "会议改到下午五点"),
    ("用英文写文档", "文档改用中文写"),
)
TWO_SUBJECTS = (
    ("Hotel budget is $800", "Flight budget is $500"),
    ("Deploy on Friday", "The demo is on Monday"),
    ("Use Redis for sessions", "Use Memcached for pages"),
    ("Never call the vendor API", "You can call the billing API now"),
    ("Don't touch the auth module", "It's fine to touch the payments module"),
    ("use pytest", "use docker instead"),
    ("at most 3 retries", "at most 5 workers"),
    ("不要改认证模块", "可以改支付模块了"),
    ("Never push to main", "You can push to staging now"),
    ("Reply in English", "Write the docs in Chinese"),
    ("budget is $800", "at least $100 must be left"),
    ("Support JSON", "Also support YAML"),
    ("用Redis做缓存", "用Kafka做队列"),
    ("Keep functions under 50 lines", "keep files under 300 lines"),
    ("先别部署", "可以部署到测试环境了"),
    ("Never delete files", "don't delete branches"),
    ("we're on Python 3.9", "we use Node 18 now"),
    ("酒店预算800元", "机票预算500元"),
    ("Timeout is limited to 30 seconds", "the interview takes up to 40 minutes"),
    ("The hotel must be under $200 a night.", "Dinner should stay under $50."),
    ("Do not email the client.", "Email the vendor now."),
    ("Release on May 3.", "The audit is on May 10."),
    ("Never edit the lock file.", "You can edit the config file now."),
    ("At most 5 retries.", "At most 5 minutes."),
    ("Write the report in French.", "Write the code in Python."),
    ("Don't restart the worker.", "You can restart the web server."),
    ("Keep the bundle below 200 KB.", "Keep images below 100 KB."),
    ("Use Redis for the queue.", "Also use Postgres for the users."),
    ("部署定在周五", "会议改到周一"),
    ("禁止访问生产数据库", "可以访问测试数据库了"),
    ("酒店不超过500元", "机票不超过2000元"),
    ("The standup is at 9:30.", "The retro is at 15:00."),
    ("Always squash commits.", "Always sign commits."),
    ("Dana approves budgets over $500.", "The budget is $900."),
    ("Backend must use Java.", "Frontend must use TypeScript."),
    ("Don't delete user data.", "Don't delete log files."),
    ("Timeout is 30 seconds.", "Wait up to 2 minutes for the deploy."),
    ("Tests must pass on Python 3.9.", "The docs build needs Python 3.12."),
    ("must not log emails", "must not send emails"),
    ("Limit the response to 200 tokens.", "Limit the title to 10 tokens."),
    ("Don't deploy before Thursday.", "The review is before Monday."),
    ("Reply only in English.", "The website must be in German."),
    ("Keep the price under $50.", "Keep shipping under $10."),
    ("Use pytest for the tests.", "Use Docker for the builds."),
    ("Never contact the supplier directly.", "You can contact the warehouse directly."),
    ("每页最多十条", "每天最多十次"),
    ("不要联系客户", "可以联系供应商了"),
    ("会议在下午三点", "培训在下午五点"),
    ("Do not log passwords.", "It's fine to log user names."),
    ("Max 3 attempts.", "Max 20 files."),
    ("Never merge without review.", "You can merge docs without tests."),
)


def replaced(old: str, new: str, *, turns: int = 5, by: str = "user") -> bool:
    """Whether `new`, said some messages later, finds `old`."""
    context = ReadContext()
    Subjects(context).add("constraint", old, by="user", rule=rule_polarity(old))
    context.turn += turns
    later = Subjects(context).replaced_by(new, by=by, kind="constraint", rule=rule_polarity(new))
    return later is not None


@pytest.mark.parametrize(("old", "new"), SAME_SUBJECT)
def test_the_later_statement_replaces_the_earlier(old: str, new: str) -> None:
    assert replaced(old, new)


@pytest.mark.parametrize(("old", "new"), TWO_SUBJECTS)
def test_two_subjects_stay_two(old: str, new: str) -> None:
    assert not replaced(old, new)


def test_what_the_user_said_is_not_replaced_by_the_assistant() -> None:
    assert replaced("The cap is $800.", "The cap is $500.")
    assert not replaced("The cap is $800.", "The cap is $500.", by="assistant")


def test_it_means_nothing_where_it_could_mean_two_things() -> None:
    context = ReadContext()
    for text in ("The hotel budget is $800.", "The flight budget is $400."):
        Subjects(context).add("constraint", text, by="user", rule=rule_polarity(text))
    context.turn = 3
    assert Subjects(context).replaced_by("Keep it under $300.", by="user", kind="constraint") is None


def test_it_does_not_reach_back_for_ever() -> None:
    assert replaced("The hotel budget is $800.", "Keep it under $300.", turns=4)
    assert not replaced("The hotel budget is $800.", "Keep it under $300.", turns=400)


def test_a_chain_of_changes_keeps_one_subject() -> None:
    context = ReadContext()
    found = []
    for turn, text in enumerate(
        ("The cap is $800.", "Keep it under $500.", "Make it $400.", "限制在三百美元以内")
    ):
        context.turn = turn
        subjects = Subjects(context)
        before = subjects.replaced_by(text, by="user", kind="constraint")
        found.append(subjects.add("constraint", text, by="user", rule="must", replaced=before))
    assert len(set(found)) == 1


def test_what_is_remembered_is_bounded_and_can_be_put_away() -> None:
    context = ReadContext()
    for n in range(3 * MAX_OPEN):
        text = f"never open drawer{n}"
        Subjects(context).add("constraint", text, by="user", rule=rule_polarity(text))
    [remembered] = context.memory.values()
    assert len(remembered) == MAX_OPEN
    assert json.loads(json.dumps(context.memory)) == context.memory
