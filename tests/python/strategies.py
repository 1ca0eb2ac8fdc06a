"""Values to encode, as strategies for Hypothesis."""

from typing import Any

from hypothesis import strategies as st
from trees import FLOATS, INTS, KINDS, SAMPLES


def characters(kinds: tuple[str, ...] = KINDS) -> st.SearchStrategy[str]:
    """Characters that make a string of one of these kinds, the awkward ones often."""
    limits = {"ascii": 0x7F, "latin1": 0xFF, "ucs2": 0xFFFF, "ucs4": 0x10FFFF}
    parts = [st.sampled_from(SAMPLES[kind]) for kind in kinds]
    top = max((limits[kind] for kind in kinds if kind in limits), default=0x7F)
    parts.append(st.characters(max_codepoint=top, exclude_categories=["Cs"]))
    return st.one_of(parts)


def texts(*, surrogates: bool = False) -> st.SearchStrategy[str]:
    """Strings of every representation, of lengths around those of blocks."""
    extra = ("surrogate",) if surrogates else ()
    alphabets = [characters(KINDS[: n + 1] + (extra if n > 1 else ())) for n in range(4)]
    short = [st.text(alphabet, max_size=20) for alphabet in alphabets]
    padded = st.builds(
        lambda n, text: "x" * n + text + "y" * (n // 2), st.integers(0, 140), st.one_of(short)
    )
    return st.one_of(*short, padded)


def leaves(*, surrogates: bool = False) -> st.SearchStrategy[Any]:
    """Values that hold no others."""
    return st.one_of(
        st.none(),
        st.booleans(),
        st.sampled_from(INTS),
        st.integers(),
        st.sampled_from(FLOATS),
        st.floats(allow_nan=False, allow_infinity=False),
        texts(surrogates=surrogates),
    )


def trees(*, surrogates: bool = False) -> st.SearchStrategy[Any]:
    """JSON documents as Python objects."""
    keys = texts(surrogates=surrogates)
    return st.recursive(
        leaves(surrogates=surrogates),
        lambda inner: st.one_of(
            st.lists(inner, max_size=6),
            st.lists(inner, max_size=6).map(tuple),
            st.dictionaries(keys, inner, max_size=6),
        ),
        max_leaves=30,
    )
