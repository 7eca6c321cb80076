import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.statements.refusal import refused


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, I can't assist with that.",
        "I’m sorry, but I can’t help with identifying people in images.",
        "I cannot help with this request.",
        "I won't answer that.",
        "I must decline.",
        "I'm unable to identify people in images.",
        "As an AI language model, I am unable to view images.",
        "抱歉，我无法回答这个问题。",
        "Lo siento, no puedo ayudar con eso.",
        "Je suis désolé, je ne peux pas répondre.",
        "Es tut mir leid, das kann ich nicht beantworten.",
        "申し訳ありませんが、お答えできません。",
        "죄송합니다. 도와드릴 수 없습니다.",
        "Извините, я не могу помочь.",
    ],
)
def test_refusals(text: str) -> None:
    assert refused(text)


@pytest.mark.parametrize(
    "text",
    [
        "I can't see any dog, so no",
        "It cannot be determined.",
        "I cannot determine the answer from the image.",
        "I'm sorry, I can't determine who made it.",
        "对不起，无法确定。",
        "There is no image.",
        "The man cannot help with the car.",
        "I don't know.",
        "<think>I can't help with that.</think>Red.",
        "Error: rate limited",
        "B",
        "",
    ],
)
def test_what_is_no_refusal(text: str) -> None:
    assert not refused(text)


@given(st.text(max_size=200))
def test_any_text_can_be_asked(text: str) -> None:
    assert refused(text) in (True, False)
