"""House rules on one screen: each option with the sentence that a player would read."""

from __future__ import annotations

import streamlit as st

from dashboard import texts
from dashboard.desk import plain
from referee.options import OPTIONS, OptionValue
from referee.rulesets import Ruleset, changed_options, describe


def options_form(rules: Ruleset, key: str) -> dict[str, OptionValue]:
    """A field for each option of the game; returns the values that differ from the game's usual ones."""
    usual = {row.option: row.default for row in describe(rules)}
    grouped = {name for _, names in texts.OPTION_GROUPS for name in names}
    groups = [(head, [name for name in names if name in usual]) for head, names in texts.OPTION_GROUPS]
    groups = [group for group in groups if group[1]]
    groups.append((texts.OTHER_OPTIONS, [name for name in usual if name not in grouped]))
    changed = set(changed_options(rules))
    labels = [texts.options_head(head, len(changed & set(names))) for head, names in groups]
    values: dict[str, OptionValue] = {}
    for tab, (_, names) in zip(st.tabs(labels), groups, strict=True):
        with tab:
            values |= {name: _field(name, rules, key) for name in names}
    return {name: value for name, value in values.items() if value != usual[name]}


def _field(name: str, rules: Ruleset, key: str) -> OptionValue:
    """One option; its sentence stands above it, its short name and other choices below the sentence."""
    option, value = OPTIONS[name], rules[name]
    label = plain(option.sentence)
    field_key = f"{key}-{rules.preset}-{name}"
    if option.choices:
        choices = list(option.choices)
        chosen: str = st.selectbox(
            label, choices, choices.index(str(value)), format_func=texts.choice, key=field_key
        )
        return chosen
    if isinstance(option.default, bool):
        return st.toggle(label, bool(value), key=field_key)
    if option.low is not None and option.high is not None:
        if isinstance(option.default, float):
            least, most = float(option.low), float(option.high)
            return st.number_input(label, least, most, float(value), 0.05, key=field_key)
        low, high = int(option.low), int(option.high)
        return st.number_input(label, low, high, int(value), key=field_key)
    return st.text_input(label, str(value), max_chars=20, key=field_key).strip() or str(option.default)
