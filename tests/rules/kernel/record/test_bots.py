"""What is recorded about a bot: each move says all of it, or only what its seat does not say."""

from rules.kernel.canonical import digest, encode
from rules.kernel.record.bots import BotDecision, bot_part, short_part

HOLDER = {"bot": "greedy", "version": "2", "settings": {"nodes": 100}}
CODE, OTHER = "ab" * 32, "cd" * 32
HOW = BotDecision(CODE, 7, {"tried": 1})


def test_a_move_says_which_bot_with_which_settings_thought_what() -> None:
    assert bot_part(HOLDER, HOW) == {
        "bot": "greedy", "version": "2", "digest": CODE, "budget": 100,
        "settings": digest(encode({"nodes": 100})).hex(), "nodes": 7, "thoughts": {"tried": 1},
    }  # fmt: skip


def test_a_short_move_has_the_digest_only_where_it_changes() -> None:
    told = {"nodes": 7, "thoughts": {"tried": 1}}
    assert short_part(HOW, "") == short_part(HOW, OTHER) == {**told, "digest": CODE}
    assert short_part(HOW, CODE) == told
