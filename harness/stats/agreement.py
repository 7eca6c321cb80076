"""How often two runs give the same answer, whether right or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.stats.checks import StatisticsError, check_part, check_same_length


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerAgreement:
    """Agreement of two runs, as shares of all `n` examples.

    `n_unparsed` counts the examples without an answer on one side or both, None where only
    the agreement was published. `turnover` is the share of answers that changed, 1 -
    agreement. Both shares are None where `n` is 0.
    """

    n: int
    n_agree: int
    n_unparsed: int | None
    agreement: float | None
    turnover: float | None


def is_parsed(answer: str | None) -> bool:
    """Say whether an answer is text that is not blank.

    Parameters
    ----------
    answer : a canonical answer, None or blank if unparsed.

    Returns
    -------
    bool
        False for None, for empty text and for white space.

    Raises
    ------
    StatisticsError
        `invalid_answer` for an answer that is neither text nor None.

    References
    ----------
    The rule of the R1-Onevision robustness study: an answer counts when it is not empty.

    Examples
    --------
    >>> is_parsed("A"), is_parsed(" "), is_parsed(None)
    (True, False, False)
    """
    if answer is not None and not isinstance(answer, str):
        raise StatisticsError("invalid_answer", f"expected text or None, found {answer!r}")
    return answer is not None and bool(answer.strip())


def agree(a: str | None, b: str | None) -> bool:
    """Say whether two canonical answers are both parsed and equal.

    Parameters
    ----------
    a, b : canonical answers, compared verbatim; None or blank if unparsed.

    Returns
    -------
    bool
        False where either is unparsed.

    Raises
    ------
    StatisticsError
        `invalid_answer` for an answer that is neither text nor None.

    References
    ----------
    The rule of the R1-Onevision robustness study: accept where two outputs for one question give
    the same answer, and score the first.

    Examples
    --------
    >>> agree("A", "A"), agree(None, None), agree(" ", " ")
    (True, False, False)
    """
    parsed = [is_parsed(answer) for answer in (a, b)]
    return all(parsed) and a == b


def answer_agreement(a: Sequence[str | None], b: Sequence[str | None]) -> AnswerAgreement:
    """Count the examples on which two runs give the same canonical answer.

    An answer that could not be read agrees with nothing, not even with another such answer,
    and its example stays in the denominator.

    Parameters
    ----------
    a, b : the canonical answers of the two runs, example by example; None or blank for one
        that could not be read. Compared verbatim: the caller normalises.

    Returns
    -------
    AnswerAgreement
        Counts, agreement and turnover in [0, 1]; the two shares are None without examples.

    Raises
    ------
    StatisticsError
        `length_mismatch` for runs of different length; `invalid_answer` for an answer that is
        neither text nor None.

    References
    ----------
    M. Milani Fard et al., "Launch and iterate: reducing prediction churn", NeurIPS 29 (2016),
    where 1 - agreement is called churn.

    Examples
    --------
    >>> found = answer_agreement(["A", None, "C", None], ["A", "B", "D", None])
    >>> found.agreement, found.n_unparsed
    (0.25, 2)
    """
    check_same_length(a=a, b=b)
    n_parsed = n_agree = 0
    for x, y in zip(a, b, strict=True):
        parsed = is_parsed(x), is_parsed(y)
        n_parsed += all(parsed)
        n_agree += all(parsed) and x == y
    return _shares(n_agree, len(a), len(a) - n_parsed)


def agreement_from_counts(n_agree: int, n: int) -> AnswerAgreement:
    """Give agreement and turnover from published counts.

    Parameters
    ----------
    n_agree : examples with the same answer in both runs, 0 ≤ n_agree ≤ n.
    n : all examples, n ≥ 0.

    Returns
    -------
    AnswerAgreement
        As `answer_agreement`, with `n_unparsed` None; the two shares are None where n is 0.

    Raises
    ------
    StatisticsError
        `invalid_count` for counts that are no integers, negative or more than n.

    References
    ----------
    M. Milani Fard et al., "Launch and iterate: reducing prediction churn", NeurIPS 29 (2016).

    Examples
    --------
    >>> round(agreement_from_counts(169, 300).turnover, 4)
    0.4367
    """
    n_agree, n = check_part("n_agree", n_agree, "n", n)
    return _shares(n_agree, n, None)


def _shares(n_agree: int, n: int, n_unparsed: int | None) -> AnswerAgreement:
    return AnswerAgreement(
        n=n,
        n_agree=n_agree,
        n_unparsed=n_unparsed,
        agreement=n_agree / n if n else None,
        turnover=(n - n_agree) / n if n else None,
    )


__all__ = [
    "AnswerAgreement",
    "agree",
    "agreement_from_counts",
    "answer_agreement",
    "is_parsed",
]
