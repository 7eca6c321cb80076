"""Letters among second thoughts, conditions, reports, other languages and odd choices."""

import pytest

from harness.scoring.letters.choice import choice

FRUIT = ("apple", "pear", "plum", "fig")

# What follows an answer, or stands around it.
CONTEXT = [
    ("The answer is A. Wait, actually it is B.", "B"),
    ("The answer is A. On second thought, B.", "B"),
    ("Final answer: A\nHmm, no. It should be B.", "B"),
    ("The answer is A... no, B", "B"),
    ("I initially chose A but the correct one is C", "C"),
    ("Answer: A (edit: B)", "B"),
    ("Answer: A. Oops, I meant D.", "D"),
    ("\\boxed{A} Wait, it's B.", "B"),
    ("A is correct. No, wait, D is correct.", "D"),
    ("The answer is A. Wait.", None),
    ("The answer is B. Hmm, but C is close.", None),
    ("The answer is A. It should be B.", None),
    ("The answer is A. Please ignore that.", None),
    ("The answer is A. That was a mistake.", None),
    ("The answer is A. The bus has to wait for the light.", "A"),
    ("The answer is A. No other choice fits.", "A"),
    ("The answer is B. Let me double-check: yes, B.", "B"),
    ("The answer is B. If it were red, it would be A.", "B"),
    ("The answer is A. Or B.", None),
    ("The answer is A but it could also be B.", None),
    ("The answer is A. B is also correct.", None),
    ("The answer is A and the answer is B.", None),
    ("Answer: B (or C)", None),
    ("Answer: B (C is wrong)", "B"),
    ("Answer: A) apple or B) pear", None),
    ("Answer: A\nB\nC\nD", None),
    ("\\boxed{A}\\boxed{B}", None),
    ("\\boxed{A} (not \\boxed{B})", "A"),
    ("The answer is not \\boxed{A}.", None),
    ("My friend says \\boxed{B}.", None),
    ("Here are the most likely options: A) apple B) pear C) plum D) fig", None),
    ("If it is ripe the answer is A, otherwise the answer is B.", None),
    ("If we add them we get 5, so the answer is B.", "B"),
    ("When we add them, the answer is B.", "B"),
    ("When the bowl is red, the answer is B.", None),
    ("The answer is A if it is ripe.", None),
    ("Had it been ripe, the answer would be A.", None),
    ("Some would say the answer is A.", None),
    ("The hint suggests that the answer is C.", None),
    ("This means that the answer is C.", "C"),
    ("According to the chart, the answer is B.", "B"),
    ("According to Tom, the answer is B.", None),
    ("The answer is D, according to Tom.", None),
    ("A trap lies in the idea that the answer is C.", None),
    ('"The answer is B", said Tom.', None),
    ("There is no doubt that the answer is B.", "B"),
    ("I deny that the answer is B.", None),
    ("It may be that the answer is B.", None),
    ("Is it true that the answer is B?", None),
    ("The answer is not among the choices, but the closest is (C).", "C"),
    ("I'm pretty sure it's B.", "B"),
    ("Maybe B", None),
    ("Answer:\n(a) The first is 3 m.\n(b) The second is 4 m.", None),
    ("The answer is A > B.", None),
    ("The answer is vitamin C.", None),
    ("Answer: I, II and III", None),
    ("La respuesta no es B.", None),
    ("La respuesta es B, no C.", "B"),
    ("Die Antwort ist B.", "B"),
    ("Правильный ответ: B", "B"),
    ("الإجابة الصحيحة هي B", "B"),
    ("我不认为答案是B", None),
    ("错误的答案是B", None),
    ("答案是C语言", None),
    ("正解はBではありません", None),
    ("정답은 B입니다.", "B"),
    ('{"reason": "A is red", "answer": "B"}', "B"),
    ('[{"answer": "A"}, {"answer": "B"}]', None),
    ("| Answer | B |", "B"),
    ("Answer: ~~A~~ B", "B"),
    ("Ⓑ", "B"),
    ("\\boxed{C", "C"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("response", "letter"), CONTEXT, ids=[f"{i:02d}" for i in range(len(CONTEXT))]
)
def test_what_stands_around_an_answer(response: str, letter: str | None) -> None:
    answer = choice(response, FRUIT)
    assert answer.value == letter, answer


@pytest.mark.parametrize(
    ("choices", "response", "letter"),
    [
        ((r"\frac{1}{2}", r"\frac{1}{3}"), r"\boxed{\dfrac{1}{3}}", "B"),
        ((r"\frac{1}{2}", r"\frac{1}{3}"), "The answer is 1/2.", "A"),
        (("5 m/s^2", "10 m/s^2"), r"\boxed{10\,\text{m/s}^2}", "B"),
        (("H2O", "CO2"), "The answer is H₂O.", "A"),
        (("1", "-1", "0"), "−1", "B"),
        (("1", "10", "1000"), "The answer is 1,000.", "C"),
        (("red", "blue", "Both A and B"), "The answer is both A and B.", "C"),
        (("red", "blue", "All of the above"), "C. All of the above", "C"),
        (("red", "blue", "red"), "red", None),
        (("red", "blue", "red"), "C. red", "C"),
        (("A", "B", "AB", "O"), "Answer: O", "D"),
        (("3", "4", "2"), "Answer: C2", "C"),
        (("Increase it", "Reduce A"), "Answer: B (Reduce A)", "B"),
        (("Increase it", "Reduce A"), "Answer: B (Increase it)", None),
        (("3", "4"), "The answer is 3, 4.", None),
        (("yes", "no"), "Yes, there is a dog.", "A"),
        (("cat", "dog"), "The answer is cats.", None),
    ],
)
def test_texts_of_choices(choices: tuple[str, ...], response: str, letter: str | None) -> None:
    answer = choice(response, choices)
    assert answer.value == letter, answer
