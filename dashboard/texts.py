"""Everything that the dashboard says, in the players' words."""

from __future__ import annotations

import re
from html import escape

from engine.hub import CameraHealth, CameraState, FlagView, MatchView, Phase, PlayerView, RoundView
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone

LIVE, COUNT, REVIEW, MATCH = "Live", "Count", "Review", "Match"

NO_TABLE = ("No table is running", "Start one with “blitzref app”, then reload this page.")
NO_PILES = ("The middle is empty", "The piles show up here as soon as the first card is down.")
NO_EVENTS = ("Nothing played yet", "Every card that lands is written down here.")
NO_FLAGS = (
    "Nothing to look at",
    "If a play looks wrong, it waits here with a picture from before and after.",
)
NO_PLAYERS = ("Who is playing?", "Say who is playing on the Match page; then the counts can be entered here.")
NO_ROUNDS = ("No round is scored yet", "Play a round, count it, confirm it; then the scores stand here.")
ROUND_RUNNING = (
    "The round is still on",
    "Count when it is over. If everybody has stopped, end the round here.",
)

BLITZ, DUTCH = "BLITZ!", "Dutch! Stop"
START, PAUSE, RESUME, END, NEXT = "Start the round", "Pause", "Play on", "End the round", "Next round"
WHO_CALLED = "Who called?"
COUNT_NOW = "The round is over. Sort the cards by their backs."
UPHOLD, OVERRULE, UNCLEAR = "It was wrong", "It was fine", "Can't tell"
CONFIRM, REOPEN = "Confirm the score", "Take the score back"
SAVE, SAVE_PLAYERS, NEW_MATCH = "Save", "Save the players", "Start a new match"
PLAYED, LEFT = "Cards in the middle", "Left in the goal pile"
NOT_OVER = "The round is not over: play on"
UPLOAD = "Photograph of the sorted cards"
FROM_CAMERA = "Take a picture with the table camera"
TAKE_COUNTS = "Take these counts"
UPLOAD_HELP = (
    "Sort the cards by their backs and spread them so that none covers another. Several pictures add up."
)
LEFT_HELP = "Each player counts the goal pile first. The caller has none."
COUNT_HELP = "The camera's number can always be typed over; both are kept."
NOT_A_CARD = "This is no card"
VIDEO_OVER = "The video has ended."
CARD_IS = "What is it really?"
CORRECTED_AWAY = "This fell away after a correction."
ALL_PLAYS = "Change another play"
UNDO = "Undo the last change"
CHANGE, DID_NOT_HAPPEN = "Change the card", "It did not happen"

JOIN, JOIN_CODE, JOIN_BUTTON = "Join the table", "Join code", "Join"
JOIN_HELP = "Type the code that the computer at the table shows."
WRONG_CODE = "That is not the code. Look at it again and type it once more."
TOO_MANY_CODES = "Too many wrong codes were typed. Wait a minute, then try again."
JOIN_FIRST = "Open the first page and give the join code."
THIS_COMPUTER_ONLY = "This table is open on its own computer only."
FROM_ELSEWHERE = "Another site's page asked for this; open the table in a tab of its own."
NOTHING_THERE = "There is nothing there."

SCREENS, CLUB, SCOREBOARD = "Screens", "Club", "Scoreboard"
NOT_SHARED = (
    "This table is on this computer only",
    "To see it on phones and a television in your network, start the program with “--join new”.",
)
NO_NETWORK = (
    "This computer is in no network now",
    "Connect it to your network, then load this page again.",
)
ADDRESS = "Address in your network"
SAME_NETWORK = "Point a phone's camera at a picture, or type the address and then the code."
SCREENS_TABLE = "The whole table"
SCREENS_TABLE_HELP = "For a second scorekeeper: sees and changes everything."
SCOREBOARD_HELP = "For a television or the players' phones: large, with nothing to press."
SCOREBOARD_HERE = "On a screen of this computer:"
SCOREBOARD_EMPTY = "Nobody is playing yet."
SCOREBOARD_LOST = "The table does not answer. This is how it was last."
NO_CLUB = (
    "This table is in no club",
    "With several tables, start each with “--table” and a name of its own; they all show up here.",
)
THIS_TABLE, OPEN_TABLE, NOBODY_YET = "this table", "Open the table", "Nobody is playing yet"
TABLE_CLOSED, TABLE_SILENT, TABLE_DISPUTED = "Closed", "Not heard of", "Disputed"
CAMERA_LOST = "The camera is lost."

PHASES = {
    Phase.WAITING: "Ready",
    Phase.PLAYING: "Playing",
    Phase.PAUSED: "Stopped",
    Phase.CALLED: "Called",
    Phase.ENDED: "Counting",
    Phase.CONFIRMED: "Scored",
}
OPINIONS = {
    "uphold": "The table says: it was wrong. Undo the play; scores change only by the count.",
    "overrule": "The table says: it was fine. The play stands and nothing follows from this.",
    "unclear": "Nobody can tell. The play stands.",
}
SEVERITIES = {"foul": "Looks like a foul", "warning": "Worth a look"}

_SEATS = {
    "bottom": "the near side",
    "top": "the far side",
    "left": "the left side",
    "right": "the right side",
    "bottom-left": "the near left",
    "bottom-right": "the near right",
    "top-left": "the far left",
    "top-right": "the far right",
}


GAMES = {
    "dutch_blitz_2": "Dutch Blitz for two",
    "dutch_blitz": "Dutch Blitz",
    "dutch_blitz_8": "Dutch Blitz for five to eight",
    "nertz_std": "Nertz",
    "nertz_modern": "Nertz, modern",
    "hoorah": "Hoorah",
    "swinging_door": "Swinging Door",
    "double_swinging_door": "Double Swinging Door",
    "starter9": "Starter Nine",
    "evil_jacks": "Evil Jacks",
    "ligretto": "Ligretto",
}


def game(match: MatchView) -> str:
    """The game that is played, with what differs from its usual rules."""
    name = GAMES.get(match.ruleset, match.ruleset)
    changed = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in match.changed)
    return f"{name}, with {changed}" if changed else name


def empty(words: tuple[str, str], ornament: str = "") -> str:
    """An empty state: what is missing and what to do, as HTML."""
    head, body = words
    return f'<div class="br-empty">{ornament}<h3>{escape(head)}</h3><p>{escape(body)}</p></div>'


def refused(reason: str) -> str:
    """A command that was refused."""
    return f"That did not work: {reason}"


def seat_words(seat: str) -> str:
    """A seat in words."""
    return _SEATS.get(seat, seat)


def player_name(players: tuple[PlayerView, ...], seat: str | None) -> str | None:
    """Who sits there; the seat itself where nobody was named."""
    if seat is None:
        return None
    return next((p.name for p in players if seat in (p.seat, p.name)), seat_words(seat))


def clock(t_s: float) -> str:
    """Minutes and seconds."""
    minutes, seconds = divmod(int(t_s), 60)
    return f"{minutes}:{seconds:02d}"


def phase(view: RoundView) -> str:
    """Where the round stands."""
    return PHASES[view.phase]


def card(face: Card | None) -> str:
    """A card in words."""
    return "a card that could not be read" if face is None else face.words


def health(camera: CameraHealth) -> str:
    """The camera in one sentence."""
    match camera.state:
        case CameraState.STARTING:
            return camera.problem or "Waiting for the first picture."
        case CameraState.LOST:
            reason = camera.problem or "no new picture arrives"
            return f"The camera is lost: {reason}. Plug it in again; the round goes on where it was."
        case CameraState.FINISHED:
            return VIDEO_OVER
    return "The camera is on." if camera.is_live else "The video is playing."


def said(event: PlayEvent, players: tuple[PlayerView, ...]) -> str | None:
    """A line of the feed, or None for what is not shown while the round is on.

    Goal piles and side piles are left out: naming them live would be coaching.
    """
    by = player_name(players, event.seat) or ""
    if event.type is EventType.RULING:
        return sentence(str(event.extra["text"]), players) if event.extra["severity"] in SEVERITIES else None
    if event.zone is not Zone.SHARED:
        return None
    match event.type:
        case EventType.ROUND_STARTED:
            return "The round starts"
        case EventType.STARTED:
            return f"{card(event.card)} opens a pile"
        case EventType.LANDED:
            return f"{card(event.card)} goes down"
        case EventType.WITHDRAWN:
            return f"{card(event.card)} is taken back"
        case EventType.COMPLETED:
            return "A pile is complete"
        case EventType.CALLED:
            return f"{by} calls “Blitz!”" if by else "“Blitz!” is called"
        case EventType.PAUSED:
            return "“Dutch!” Everybody stops" if event.extra.get("reason") == "dutch" else "Stopped"
        case EventType.RESUMED:
            return "Play goes on"
        case EventType.ROUND_ENDED:
            return "The round is over"
        case EventType.CAMERA_LOST:
            return "The camera is lost; nothing is judged until it is back"
        case EventType.CAMERA_BACK:
            return "The camera is back"
        case EventType.CAMERA_MOVED:
            return "The camera was moved; the referee looks afresh"
        case EventType.GAP if event.pile is None:
            return "Not seen for a moment"
    return None


def flag_banner(flag: FlagView, players: tuple[PlayerView, ...]) -> str:
    """A calm line for a warning or foul."""
    return f"{SEVERITIES[flag.severity]}: {sentence(flag.text, players)}"


def sentence(text: str, players: tuple[PlayerView, ...]) -> str:
    """A ruling's sentence with the players' names, without the rule's number, which stands beside it."""
    for player in players:
        if player.seat is not None:
            text = text.replace(f"the {player.seat} seat", player.name)
            text = text.replace(f"The {player.seat} seat", player.name)
    return re.sub(r" \(E\d\d\)\.$", ".", text)


def sure(p: float) -> str:
    """A probability in words with its figure; nothing is ever fully certain."""
    p = min(p, 0.99)
    words = (
        "nearly certain" if p >= 0.98 else "very likely" if p >= 0.9 else "likely" if p >= 0.7 else "unsure"
    )
    return f"{words} ({p:.0%})"


def doubts(count: int) -> str:
    """How many cards of a photograph a person should look at."""
    return "One card to look at" if count == 1 else f"{count} cards to look at"


def winners(names: tuple[str, ...]) -> str:
    """Who won the match."""
    return f"{names[0]} wins!" if len(names) == 1 else f"{' and '.join(names)} win together!"


def target(points: int) -> str:
    """What the match is played to."""
    return f"Played to {points}"


def phase_word(phase: str) -> str:
    """Where a round at another table stands; a word of a newer program is shown as it is."""
    return PHASES[Phase(phase)] if phase in set(Phase) else phase


def open_flags(count: int) -> str:
    """How many plays wait for somebody's word."""
    return "One play to look at" if count == 1 else f"{count} plays to look at"


def last_heard(age_s: float) -> str:
    """How long ago another table was heard of."""
    if age_s < 10:
        return "Up to date"
    return f"Heard {age_s:.0f} s ago" if age_s < 120 else f"Heard {age_s / 60:.0f} minutes ago"


def club_place(tables: int, place: str) -> str:
    """Where the club's tables write to."""
    count = "One table" if tables == 1 else f"{tables} tables"
    return f"{count} in {place}"


def qr_alt(page: str) -> str:
    """What a picture for phones is."""
    return f"A picture that leads a phone's camera to: {page}"


def round_name(number: int) -> str:
    """A round by its number."""
    return f"Round {number}"


def signed(score: int) -> str:
    """A score with its sign."""
    return f"+{score}" if score > 0 else f"−{-score}" if score < 0 else "0"


def game_name(ruleset: str) -> str:
    """A game by its name."""
    return GAMES.get(ruleset, ruleset)
