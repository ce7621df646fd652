"""What a command writes into the log of its round, or why it makes no sense there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.counting import fold_counts, fold_notes
from engine.hub import Phase
from engine.table_command import Command, CommandError, CommandKind
from referee.events import EventType, LogError, PlayEvent
from referee.fold import CorrectionError, effective_events


def event_for(command: Command, phase: Phase, log: Sequence[PlayEvent], t_s: float) -> PlayEvent:
    """The event of a command given at `t_s`, while the round of `log` is in `phase`.

    Raises:
        CommandError: if it makes no sense now.
    """
    values, kind = dict(command.values), command.kind
    by = {"by": command.by}

    def pressed(made: EventType, extra: dict[str, Any], seat: str | None = None) -> PlayEvent:
        return PlayEvent(0, t_s, made, seat=seat, source="button", extra=extra)

    def corrected(what: Mapping[str, Any]) -> PlayEvent:
        return _correction(what, command.by, log, t_s)

    match kind:
        case CommandKind.START if phase is Phase.WAITING:
            return pressed(EventType.ROUND_STARTED, by)
        case CommandKind.CALL if phase in (Phase.PLAYING, Phase.CALLED):
            caller = {"by": values.get("player") or command.by}
            return pressed(EventType.CALLED, caller, values.get("seat"))
        case CommandKind.DUTCH if phase is Phase.PLAYING:
            return pressed(EventType.PAUSED, {**by, "reason": "dutch"})
        case CommandKind.PAUSE if phase is Phase.PLAYING:
            return pressed(EventType.PAUSED, by)
        case CommandKind.RESUME if phase in (Phase.PAUSED, Phase.CALLED, Phase.ENDED):
            return pressed(EventType.RESUMED, by)
        case CommandKind.END if phase in (Phase.PLAYING, Phase.PAUSED, Phase.CALLED):
            return pressed(EventType.ROUND_ENDED, by)
        case CommandKind.CORRECT:
            return corrected(values)
        case CommandKind.COUNT if phase is not Phase.CONFIRMED:
            return corrected({"of": [], "action": "count", **values})
        case CommandKind.CONFIRM if phase is Phase.ENDED:
            return corrected({"of": [], "action": "count", "confirmed": True})
        case CommandKind.REOPEN if phase is Phase.CONFIRMED:
            return corrected({"of": [], "action": "count", "confirmed": False})
    raise CommandError(f"{kind.value!r} is not possible while the round is {phase.value}.")


def _correction(values: Mapping[str, Any], by: str, log: Sequence[PlayEvent], t_s: float) -> PlayEvent:
    unknown = [seq for seq in values.get("of", ()) if not 1 <= seq <= len(log)]
    if unknown:
        raise CommandError(f"there is no line {unknown[0]} in this round.")
    head = {"seq": len(log) + 1, "t": t_s, "type": "correction", "source": "human"}
    try:
        event = PlayEvent.from_json({**values, **head, "by": by, "at_s": t_s})
        # A line that cannot be folded must not get into the log, where it would fail for ever.
        effective_events([*log, event])
        fold_counts([*log, event])
        fold_notes([*log, event])
    except (LogError, CorrectionError) as error:
        raise CommandError(f"this cannot be corrected: {error}.") from error
    except (KeyError, TypeError, ValueError) as error:
        raise CommandError("this count cannot be read.") from error
    return event
