"""House rules on one screen: each option with the sentence that a player would read."""

from __future__ import annotations

import streamlit as st

from dashboard import texts
from dashboard.desk import plain
from referee.options import OPTIONS, OptionValue
from referee.rulesets import Ruleset, changed_options, describe


def options_form(rules: Ruleset, key: str) -> dict[str, OptionValue]:
    """A field for each option of the game; returns the values that differ from the game's usual ones."""
    rows = {row.option: row for row in describe(rules)}
    values: dict[str, OptionValue] = {}
    for head, names in texts.OPTION_GROUPS:
        own = [rows.pop(name) for name in names if name in rows]
        if own:
            values |= _group(head, [row.option for row in own], rules, key)
    if rows:
        values |= _group(texts.OTHER_OPTIONS, list(rows), rules, key)
    usual = {row.option: row.default for row in describe(rules)}
    return {name: value for name, value in values.items() if value != usual[name]}


def _group(head: str, names: list[str], rules: Ruleset, key: str) -> dict[str, OptionValue]:
    changed = set(changed_options(rules)) & set(names)
    values = {}
    with st.expander(texts.options_head(head, len(changed)), expanded=head == texts.OPTION_GROUPS[0][0]):
        for name in names:
            values[name] = _field(name, rules, key)
    return values


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
            return st.number_input(label, option.low, option.high, float(value), 0.05, key=field_key)
        low, high = int(option.low), int(option.high)
        return st.number_input(label, low, high, int(value), key=field_key)
    return st.text_input(label, str(value), max_chars=20, key=field_key).strip() or str(option.default)
