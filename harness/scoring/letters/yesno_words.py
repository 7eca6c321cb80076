"""The words that say yes and no, and how one stands at a place."""

from __future__ import annotations

import re

_YES = (
    *("yes", "yeah", "yep", "yup", "ja", "oui", "sí", "sì", "sim", "да", "tak", "evet", "نعم"),
    *("はい", "예", "네", "हाँ"),
)
_NO = (
    *("no", "nope", "nah", "nein", "non", "não", "нет", "nie", "hayır", "لا", "いいえ", "아니요"),
    *(
        "아니오",
        "아뇨",
        "नहीं",
        "absolutely not",
        "definitely not",
        "certainly not",
        "of course not",
    ),
)
# Chinese words answer only where their clause ends with them: 是 is also the verb "is".
_YES_CLAUSES = ("是", "是的", "有", "有的", "对", "對", "对的", "正确", "正確", "没错", "沒錯")
_NO_CLAUSES = (
    *("否", "不", "不是", "没有", "沒有", "无", "不对", "不對", "错", "錯", "错误", "不正确"),
    *("不是的", "没有的", "并没有", "并不是"),
)
# Words that answer only where nothing else is said.
ALONE = {
    **dict.fromkeys(
        (
            "true",
            "correct",
            "affirmative",
            "of course",
            "certainly",
            "absolutely",
            "definitely",
            "indeed",
        ),
        "yes",
    ),
    **dict.fromkeys(("false", "incorrect", "negative", "not really", "not at all", "never"), "no"),
}
WORDS = {
    **dict.fromkeys((*_YES, *_YES_CLAUSES), "yes"),
    **dict.fromkeys((*_NO, *_NO_CLAUSES), "no"),
}


def _any(words: tuple[str, ...]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


WORD = re.compile(
    rf"[\s\"'(\[{{]{{0,9}}(?:(?P<word>{_any((*_YES, *_NO))})(?![\w-]|'[A-Za-z]|\s+one\b)"
    rf"|(?P<clause>{_any((*_YES_CLAUSES, *_NO_CLAUSES))})[呢啊哦呀了喔]?(?=[\s\"')\]}}]*(?:$"
    rf"|[.,;:!\n。、])))",
    re.IGNORECASE,
)


__all__ = ["ALONE", "WORD", "WORDS"]
