"""Everything that the dashboard says, in the players' words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any

from engine.club import TableStatus
from engine.history import MatchSummary
from engine.hub import CameraHealth, CameraState, FlagView, MatchView, Mode, Phase, PlayerView, RoundView
from engine.reconsider import Effect
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.findings import named, words

LIVE, COUNT, REVIEW, MATCH, SETUP = "Live", "Count", "Review", "Match", "Set-up"

NO_TABLE = ("No table is running", "Start one with “blitzref app”, then reload this page.")
NO_PILES = ("The middle is empty", "The piles show up here as soon as the first card is down.")
NO_EVENTS = ("Nothing played yet", "Every card that lands is written down here.")
NO_FLAGS = (
    "Nothing to look at",
    "If a play looks wrong, it waits here with a picture from before and after.",
)
NOTHING_LEFT = ("All flagged plays are settled", "Show the settled ones too, to read them again.")
NO_MATCHES = ("No flagged play fits", "Choose “all” in the filters above.")
NO_PLAYERS = ("Who is playing?", "Say who is playing; then the counts can be entered here.")
NO_ROUNDS = ("No round is scored yet", "Play a round, count it, confirm it; then the scores stand here.")
NO_ROUND_THERE = ("That round is not there", "Choose another one, or go back to the round on the table.")
NO_HISTORY = ("No match yet", "Every match that is played here can be found again later.")
NO_TOPS = (
    "No piles were seen",
    "Add the top of each pile by hand, or leave it: then only the sum is not checked.",
)
NOTHING_THERE = "There is nothing of that name."
ROUND_RUNNING = (
    "The round is still on",
    "Count when it is over. If everybody has stopped, end the round here.",
)
ALL_AGREES = ("Nothing speaks against this count", "Confirm the score; then it is announced on every screen.")

# Words that occur on more than one page.
PLAYER, ROUND, TOTAL, SCORE, SCORE_SO_FAR = "Player", "Round", "Total", "Score", "Score so far"
NONE, ALL, NOBODY, NOT_KNOWN = "–", "all", "Nobody", "not known"
CALLER_MARK, CORRECTED_MARK, CORRECTED, CURRENT_MARK = "✹", " ✎", "corrected", "on the table"
COLOUR, NUMBER, RULE, SEVERITY = "Colour", "Number", "Rule", "How grave"
SAVE, CANCEL, CHANGE, LEAVE_IT = "Save", "Cancel", "Change the card", "Leave it"
ANOTHER_CARD, NOT_A_CARD = "Another card", "This is no card"
BEFORE, AFTER, CLIP, SAVE_CLIP = "Before", "After", "Three seconds around the play", "keep the film"
NO_PICTURE = "There is no picture of this play."
LEVELS = {"error": "⛔", "warning": "⚠", "info": "ⓘ", "ok": "✓"}

# Live.
DUTCH = "Dutch! Stop"
START, RESUME, END, NEXT = "Start the round", "Play on", "End the round", "Next round"
WHO_CALLED = "Who called?"
FALSE_CALL = "If it was a false call, play on."
COUNT_NOW, TO_COUNT = "The round is over. Sort the cards by their backs.", "Count the round"
FIRST_TIME, TO_SETUP = "First time at this table? Say who plays and check the camera.", "Set the table up"
TABLE_PICTURE = "The table as the camera sees it"
PILE_COMPLETE, PILE_HIDDEN = "complete", "hidden"
SOUND_ON, SOUND_OFF = "🔔 Sound is on", "🔕 Sound is off"
LATER = "Later"
MODE_HELP = "How much the referee says while a round is on. What it saw waits on the Review page either way."
MODES = {
    Mode.REFEREE: "Referee: all is said",
    Mode.QUIET: "Quiet: no sound, no dialog",
    Mode.COUNT_ONLY: "Count only",
}
MODES_HELP = {
    Mode.REFEREE: "A banner for what is worth a look; a sound and a dialog for a foul.",
    Mode.QUIET: "A banner, nothing else.",
    Mode.COUNT_ONLY: "Nothing is said of any play; the round is followed, called and counted.",
}

# Count.
STEPS_LABEL = "The steps of the count"
STEPS = {"tops": "Tops", "goals": "Goal piles", "middle": "Middle", "check": "Check"}
LOOK_AT = {
    "tops": "Look at the tops",
    "goals": "Look at the goal piles",
    "middle": "Count the middle again",
    "check": "Look at the questions",
}
TOPS_HELP = (
    "Are these the tops of all piles? They tell how many cards must lie in the middle. Tap one that is wrong."
)
PICTURES_OF_TABLE = ("At the call", "At the end")
TAP_A_PILE = "Tap a pile to change it."
ADDED_BY_HAND, TAKEN_PILE, UNREAD_TOP = "added by hand", "taken away", "look at it"
PILE_MISSING, ADD_PILE, NO_SUCH_PILE = "A pile is missing", "Add this pile", "There is no such pile"
LEFT_HELP = "How many cards are left in each goal pile? The caller has none."
COUNT_STEP = {"goals": "Count the goal piles", "middle": "Count the cards of the middle"}
PHOTOGRAPH_GOALS = "Photograph a goal pile"
MIDDLE_HELP = (
    "Sort the cards by their backs and spread them so that none covers another. Several pictures add up."
)
BY_PHOTOGRAPH, ONE_BY_ONE = "Photographs", "One by one"
COUNT_HELP = "The camera's number can always be typed over; both are kept."
PLAYED, LEFT = "Cards in the middle", "Left in the goal pile"
UPLOAD, FROM_CAMERA, FROM_CAMERA_NAME = "Photographs", "Take a picture with the table camera", "table camera"
READING = "Reading the cards …"
NO_PHOTOS_HERE = "Photographs cannot be read here; type the counts."
PICTURES_CAME_ALONG = "This recording brings pictures of these cards with it."
NO_CARDS_FOUND = "No card was found in this picture."
FACES, NOT_READABLE, REMOVE_PICTURE = "faces", "not readable", "Remove this picture"
DEALING_HELP = "Deal the cards one after another onto one place under the camera; each is counted once."
DEALING_START, DEALING_STOP, DEALING_CLEAR = "Start dealing", "That was the last card", "Forget these cards"
NO_DEALING_HERE = "Cards can be dealt one by one where a camera looks on."
IT_IS_RIGHT = "It is right all the same"
NOT_COUNTED_YET = "Not all is counted yet"
CONFIRM, REOPEN = "Confirm the score", "Take the score back"
IN_THE_MATCH, TO_MATCH = "Totals, the way to the target and every earlier round:", "See the match"
NO_SHUFFLING = "No shuffling before the score is confirmed."
NOT_OVER = "The round is not over: play on"

# Review.
WHICH_ROUND, FLAGS, NOT_SEEN_WHO, UNSEEN = "Which round?", "Flags", "not seen who", "Not seen"
ONLY_OPEN = "Only what waits for the table's word"
VERDICTS = {"uphold": "It was wrong", "overrule": "It was fine", "unclear": "Can't tell"}
VERDICT_KEYS = {"uphold": "W", "overrule": "F", "unclear": "T"}
OPINIONS = {
    "uphold": "The table says: it was wrong. Undo the play; what it costs is told above.",
    "overrule": "The table says: it was fine. The play stands and nothing follows from this.",
    "unclear": "Nobody can tell. The play stands.",
}
OPINION_WORDS = {"uphold": "it was wrong", "overrule": "it was fine", "unclear": "nobody can tell"}
FELL_AWAY = "fell away"
CORRECTED_AWAY = "This fell away after a correction."
BEFORE_THIS, AFTER_THIS = "Previous", "Next"
UNDO = "Undo the last change"
ALL_PLAYS, WHICH_PLAY, DID_NOT_HAPPEN = "Change another play", "Which play?", "It did not happen"
JUDGE_AGAIN, JUDGE_AGAIN_BUTTON = "Judge this round by other house rules", "Judge again"
JUDGE_AGAIN_HELP = "The same plays, other rules: see what would be said. Nothing is changed by looking."
WOULD_BE_FLAGGED, WOULD_FALL_AWAY = "Would be flagged", "Would fall away"
TAKE_AWAY, SAVE_LOG, SAVE_ALL = "Take the round away", "Log (events.jsonl)", "Log, clips and pictures (ZIP)"
TAKE_AWAY_HELP = (
    "The log can be judged again with “blitzref judge”; the films and subtitles are for your own cut."
)
OPEN_VIDEO, WATCH_IT, REVIEW_IT = "Open a recorded video", "Watch it", "Review it"
OPEN_VIDEO_HELP = (
    "The referee watches the whole video, frame by frame, with the players and rules of this table. The video"
    " stays on this computer and is not kept; its log, pictures and clips are, until you delete them."
)
VIDEO_FILE, VIDEO_PATH = "Video file", "Or its place on the computer at the table"
VIDEO_PATH_EXAMPLE = "Videos/sunday.mp4"
DELETE_RECORDING, WHICH_RECORDING = "Delete a recording", "Which one?"
DELETE_FOR_GOOD = "Delete it for good"

# Match.
PEOPLE, SAVE_PLAYERS = "Players, seats and decks", "Save the players"
HOW_MANY, NAME, SEAT, DECK, TEAM = "How many players?", "Name", "Seat", "Deck", "Team"
SAME_PEOPLE = "Seats, decks and teams can still be changed. For other players start a new match."
NAME_MISSING = "Give every player a name."
NEW_MATCH, NEW_MATCH_HELP = "New match, same people", "This one stays in the history."
SHEET, CSV, JSON, SCOREKEEPER = "Score sheet to print", "CSV", "JSON", "Scorekeeper"
LEAD_CHANGES, CARDS_SEEN, CONTESTED = "lead changes", "cards seen to land", "contested plays"
CORRECTIONS_PER_HUNDRED = "corrections of 100 things seen"
NUMBER_COLUMNS = ("", "Calls", "Plays", "Flips", "Lost races", "Best round")
SET_RIGHT, TAKE_OUT, PUT_BACK = "Set an earlier round right", "Take this round out", "Put this round back"
SET_RIGHT_HELP = (
    "Everything can be changed; the sheet marks it with ✎ and the record keeps what was there before."
)
ROUND_IS_OUT = "This round does not count at the moment."
HISTORY, SEARCH, SEARCH_EXAMPLE = "Earlier matches", "Search", "a name, a game, a date such as 2026-03"
NOTHING_FOUND = "No match fits these words."
WHICH_MATCH, RESUME_MATCH = "Which match?", "Go on with this match"
UNKNOWN_GAME = "played as a game that this program does not know"

# Set-up.
CHECKS = {
    "camera": "Camera",
    "light": "Light",
    "glare": "Glare",
    "view": "Sheet or cards",
    "scale": "Distance",
    "tilt": "Angle",
    "lens": "Lens",
    "sharpness": "Focus",
    "evenness": "Evenness",
    "grain": "Grain",
    "flicker": "Flicker",
    "steadiness": "Stand",
    "cards": "Cards",
    "people": "Players",
    "seats": "Seats",
    "decks": "Decks",
}
ALL_READY, TO_LIVE = "The table is ready.", "Play"
EXAMPLE, EXAMPLE_AGAIN, EXAMPLE_END = "Show me an example round", "From the beginning", "Back to my own table"
NO_CAMERA = "No camera at hand? See how it works first."
EXAMPLE_RUNS = "The example round is on the table. Its record is kept apart from your own games."
STREAM, STREAM_EXAMPLE, USE_STREAM = (
    "Another camera or a stream",
    "rtsp://… or a camera's number",
    "Look there",
)
CHECK_PICTURE = "Check the picture"
CHECK_PICTURE_HELP = (
    "Lay a few cards, or the printed sheet, in the middle; then light, glare and distance are checked."
)
NAME_PEOPLE_FIRST = "Say who plays first."
DECKS = "Whose deck is which"
DECKS_HELP = (
    "Each player lays one card face down at the own place, or shows the back of one card to the camera."
)
DECKS_FROM_TABLE = "See whose backs lie where"
BACK_BY_PHOTO, BACK_PHOTO, USE_PHOTO = "By photograph", "Photograph of one back", "Use this photograph"
NO_BACKS = "No back that is known can be read in this picture; hold it nearer, or choose the deck by hand."
SEVERAL_BACKS = "Backs of several decks are in the picture; show one deck alone."
TEACH, TEACH_NAME, TEACH_PHOTO = "Teach a deck of your own", "Name of the deck", "Photograph of its back"
TEACH_FROM_CAMERA = "Look at it through the camera"
TEACH_HELP = (
    "Lay one card of it face down, alone, on a plain place; it should fill a quarter of the picture. Showing"
    " its faces too, spread out, helps to read them."
)
LEARNING, LEARNING_ALLOW = "Learning from corrections", "Keep corrected cards as pictures"
LEARNING_HELP = "They stay on this computer; “blitzref train reader --corrections” can learn from them."
LEARNING_ASK = (
    "May corrected cards be kept as pictures on this computer, so that the reader can learn from them?"
)
LEARNING_YES, LEARNING_NO = "Keep them", "No"
CALLS, CALLS_HEARD = "Calls by voice", "A call that is taught here is heard at this table."
CALLS_HELP = (
    "Record the word five times, at once with a pause of a second after each or one by one, in a quiet room."
    " A heard call ends a round only if an empty goal pile was seen. What is said is not kept."
)
NO_WORDS = "No word is taught yet."
WORD, WORD_EXAMPLE, WHO_SAYS_IT, SOMEBODY = "Word", "blitz", "Who says it", "somebody"
STOPS_PLAY = "It stops play instead of ending the round"
STOPS_PLAY_HELP = "As “Dutch!”, when something has to be put right."
NO_RECORDING = (
    "A browser lets this page listen on the referee's own computer alone. Here, record the word with another"
    " app and give the sound file."
)
IF_REFUSED = (
    "The browser asks for the microphone. If it was refused, allow it beside the address of this page and"
    " load the page again, or give a sound file."
)
SAY_IT, SOUND_FILE, NOTHING_SAID = "Say it here", "Or a sound file", "Nothing was said in this recording."
LEARN_WORD, SAY_ANEW, FORGET_WORD = "Learn this word", "Record anew", "Forget it"
GAME, PLAY_BY_THESE, SENTENCES = "Game", "Play by these rules", "All rules, as they stand now"
OTHER_OPTIONS = "Everything else"
OPTION_GROUPS = (
    ("The match", ("target", "rounds", "tie", "deciding_players", "team_mode", "max_players")),
    (
        "Points",
        ("card_points", "goal_penalty", "call_bonus", "face_scheme", "ace", "low_value", "bone_value"),
    ),
    (
        "The call",
        (
            "call_word",
            "call_mandatory",
            "empty_pile_ends",
            "count_rule",
            "false_call",
            "points_per_player",
            "next_correct_bonus",
            "until_no_play",
        ),
    ),
    ("The deal", ("goal_size", "side_piles", "flip_count", "setup_order", "goal_face", "remainder")),
    ("Play", ("hands", "side_building", "goal_direct", "refill", "space_fill", "group_moves", "dead_heat")),
    ("Wrong cards", ("unwind", "late_error", "complete_pile", "stall_rule", "stall_scope")),
    ("Lotto", ("lotto", "lotto_base", "lotto_caller_share", "lotto_tie")),
)
PRESETS, KEPT, USE_PRESET, DROP_PRESET = "Kept set-ups", "Set-up", "Use it", "Forget it"
NO_PRESETS = "Keep these people and rules under a name; next time one tap brings them back."
PRESET_NAME, KEEP_PRESET, SETUP_FILE = "Name of the set-up", "Keep it", "As a file (SETUP.toml)"

JOIN, JOIN_CODE, JOIN_BUTTON = "Join the table", "Join code", "Join"
JOIN_HELP = "Type the code that the computer at the table shows."
WRONG_CODE = "That is not the code. Look at it again and type it once more."
TOO_MANY_CODES = "Too many wrong codes were typed. Wait a minute, then try again."
JOIN_FIRST = "Open the first page and give the join code."
THIS_COMPUTER_ONLY = "This table is open on its own computer only."
FROM_ELSEWHERE = "Another site's page asked for this; open the table in a tab of its own."

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

PHASES = {
    Phase.WAITING: "Ready",
    Phase.PLAYING: "Playing",
    Phase.PAUSED: "Stopped",
    Phase.CALLED: "Called",
    Phase.ENDED: "Counting",
    Phase.CONFIRMED: "Scored",
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


VARIANTS = {"dutch_blitz_2": "dutch_blitz", "dutch_blitz_8": "dutch_blitz"}
"""Games that are chosen by the number of players."""

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
    changed = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in match.changed)
    return f"{game_name(match.ruleset)}, with {changed}" if changed else game_name(match.ruleset)


def game_name(ruleset: str) -> str:
    """A game by its name."""
    return GAMES.get(ruleset, ruleset)


def empty(words: tuple[str, str], ornament: str = "") -> str:
    """An empty state: what is missing and what to do, as HTML."""
    head, body = words
    return f'<div class="br-empty">{ornament}<h3>{escape(head)}</h3><p>{escape(body)}</p></div>'


def pointer(words: str, page: str, link: str) -> str:
    """A calm line that leads to another page, as HTML."""
    return (
        f'<div class="br-banner call"><span>{escape(words)}<br>'
        f'<a href="{escape(page)}" target="_self">{escape(link)} →</a></span></div>'
    )


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
            return "The video has ended."
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
            return f"{card(event.card)} opens a pile{_how_known(event)}"
        case EventType.LANDED:
            return f"{card(event.card)} goes down{_how_known(event)}"
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


def _how_known(event: PlayEvent) -> str:
    return ", told by the card on it" if event.extra.get("inferred") else ""


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
    """How sure the camera is, in words with the figure; nothing is ever fully certain."""
    p = min(p, 0.99)
    words = (
        "nearly certain"
        if p >= 0.98
        else "quite sure"
        if p >= 0.9
        else "fairly sure"
        if p >= 0.7
        else "unsure"
    )
    return f"{words} ({p:.0%})"


def doubts(count: int) -> str:
    """How many cards of a photograph a person should look at."""
    return "One card to look at" if count == 1 else f"{count} cards to look at"


def more_doubts(count: int) -> str:
    """How many more wait behind these."""
    return f"{count} more come up once these are settled."


def winners(names: tuple[str, ...]) -> str:
    """Who won the match."""
    return f"{names[0]} wins!" if len(names) == 1 else f"{' and '.join(names)} win together!"


def deciding(names: tuple[str, ...]) -> str:
    """A deciding round is due."""
    return f"It is a tie. {' and '.join(names)} play a deciding round."


# -- live ---------------------------------------------------------------------------------------------------


def call(word: str) -> str:
    """The big button, with the table's own word."""
    return f"{word.upper()}!"


def called(who: str | None, when: str) -> str:
    """A call, and what follows from it at once."""
    return (
        f"{who} called at {when}. Hands off the table." if who else f"Called at {when}. Hands off the table."
    )


def table_decides(p: float) -> str:
    """How sure the camera is, and who decides."""
    return f"The camera is {sure(p)}. The table decides."


def look_at_it(more: int) -> str:
    """The way to the review page."""
    return f"Look at it ({more} more)" if more > 0 else "Look at it"


def camera_figures(camera: CameraHealth) -> list[str]:
    """How the pictures arrive."""
    figures = [f"{words(round(camera.fps_hz), 'picture')} a second", f"{camera.lag_s:.1f} s behind"]
    if camera.size_px is not None:
        figures.append(f"{camera.size_px[0]} × {camera.size_px[1]}")
    if camera.dropped:
        figures.append(f"{camera.dropped} skipped")
    return figures


def round_name(number: int) -> str:
    """A round by its number."""
    return f"Round {number}"


def round_scored(number: int) -> str:
    """A round's score is announced."""
    return f"Round {number} is scored"


def signed(score: int) -> str:
    """A score with its sign."""
    return f"+{score}" if score > 0 else f"−{-score}" if score < 0 else "0"


def would_bring(scores: Mapping[str, int]) -> str:
    """What a round would bring that is out."""
    return f"Put back it brings {', '.join(f'{name} {signed(score)}' for name, score in scores.items())}."


def total(points: int) -> str:
    """The total beside a round's score."""
    return f"total {points}"


# -- count --------------------------------------------------------------------------------------------------


def step(number: int, name: str, done: bool) -> str:
    """A step of the count."""
    return f"{'✓' if done else number} {name}"


def go_on(name: str) -> str:
    """The button to the next step."""
    return f"On to: {name}"


def camera_counted(count: int) -> str:
    """The machine's number beside a typed one."""
    return f"The camera counted {count}."


def camera_read(face: Card | None) -> str:
    """What was read, and the question what it is."""
    return f"The camera read {card(face)}. What is it really?"


def goal_seen(name: str, count: int) -> str:
    """A goal pile as the camera last saw it."""
    return f"{name} {count}"


def take_seen(seen: str) -> str:
    """The button that takes what the camera saw of the goal piles."""
    return f"The camera last saw: {seen}. Take it"


def whose(picture: str) -> str:
    """The question whose cards a picture shows."""
    return f"Whose cards are on {picture}?"


def take_own(count: int, name: str, *, left: bool) -> str:
    """The button that takes a picture of one player's cards."""
    return f"{name} has {words(count)} left" if left else f"{name} played {words(count)}"


def take_counts(entries: Sequence[dict[str, Any]]) -> str:
    """The button that takes what the photographs say."""
    said = ", ".join(f"{entry['player']} {entry['played']}" for entry in entries)
    return f"Take these counts: {said}"


def taken(said: str) -> str:
    """What a button would take stands already; `said` is what the button said."""
    return f"✓ Taken: {said.partition(': ')[2] or said}"


def pictures_beside(names: Sequence[str]) -> str:
    """The button that takes the pictures that lie beside a recording."""
    return f"Use {', '.join(names)}"


def take_lefts(entries: Sequence[dict[str, Any]]) -> str:
    """The button that takes what pictures of several goal piles say."""
    said = ", ".join(f"{entry['player']} {entry['left']} left" for entry in entries)
    return f"Take these: {said}"


def back_of(deck: str) -> str:
    """A card that lies face down."""
    return f"back: {deck}"


def about_file(name: str, fault: str) -> str:
    """What is wrong with a file, with its name."""
    return f"{name}: {fault}"


def dealt(face: Card | None, deck: str | None) -> str:
    """The card that was dealt last."""
    shown = face.words if face is not None else back_of(deck) if deck is not None else "not readable"
    return f"cards so far; the last one: {shown}"


def dealt_again(cards: Sequence[Card]) -> str:
    """Faces that came by twice."""
    return f"{named(sorted(set(cards)))} came by more than once and counts once."


def finding(text: str) -> str:
    """What the audit found, without the log's own names of piles, which nobody at the table knows."""
    return re.sub(r"\bpile d\d+\b", "a pile", re.sub(r"\bPile d\d+\b", "A pile", text))


def question_of(count: int) -> str:
    """How many questions wait."""
    return "One question" if count == 1 else f"The first of {count} questions"


def open_questions(count: int) -> str:
    """How many questions of the audit are open."""
    return "Look at one open question" if count == 1 else f"Look at {count} open questions"


# -- review -------------------------------------------------------------------------------------------------


def this_round(number: int) -> str:
    """The round on the table."""
    return f"Round {number}, on the table"


def recording_title(title: str) -> str:
    """A recording among the rounds."""
    return f"Recording: {title}"


def waiting(count: int, flags: int) -> str:
    """How much of the queue is left."""
    if count == 1:
        return f"One of {words(flags, 'flagged play')} waits for the table's word."
    return f"{count} of {flags} flagged plays wait for the table's word."


def unseen(event: PlayEvent, at_s: float) -> str | None:
    """What was missed at that moment of the round; None where an event tells of nothing missed."""
    match event.type:
        case EventType.GAP if event.pile is None and event.extra.get("reason") != "ended":
            said = "nothing was seen for a moment"
        case EventType.GAP if event.pile is not None and event.card is None:
            said = "a card came that could not be read"
        case EventType.CAMERA_MOVED:
            said = "the camera was moved"
        case _:
            return None
    return f"{clock(at_s)} {said}"


def camera_was_lost(from_s: float, to_s: float) -> str:
    """A stretch of the round without pictures."""
    return f"{clock(from_s)} to {clock(to_s)}: the camera was lost"


def because_of(option: str) -> str:
    """The option that made the difference."""
    return f"The option “{option}” makes it so."


def at_and_how_sure(when: str, p: float) -> str:
    """When it was, and how sure the camera is."""
    return f"At {when}. The camera is {sure(p)}."


def effect(change: Effect) -> str:
    """What a correction or other rules would change, in one or two sentences."""
    parts = [
        f"{name} {_points(before)} → {_points(after)}" for name, (before, after) in change.scores.items()
    ]
    if parts:
        said = f"Score: {', '.join(parts)}."
    else:
        said = (
            "The score stays as it is." if change.counted else "Nothing is counted yet, so no score changes."
        )
    if change.fallen:
        said += f" {_flags(len(change.fallen))} would fall away."
    if change.raised:
        said += f" {_flags(len(change.raised))} would come up."
    return said


def _points(score: int | None) -> str:
    return NONE if score is None else str(score)


def _flags(count: int) -> str:
    return "One flag" if count == 1 else f"{count} flags"


def if_it_is(face: Card) -> str:
    """The card that is tried in place of the one that was read."""
    return f"If it is {face.words}:"


def change_to(face: Card) -> str:
    """The button that puts the reading right."""
    return f"It is {face.words}"


def watching(title: str, done: int, frames: int | None) -> str:
    """How far a recording has been watched."""
    of = "" if frames is None else f" of {frames}"
    return f"{title}: {done}{of} pictures watched"


def watched(title: str) -> str:
    """A recording has been watched to its end."""
    return f"{title} has been watched to its end."


# -- match --------------------------------------------------------------------------------------------------


def of_target(target: int) -> str:
    """The total that ends the match."""
    return f"of {target}"


def target_line(target: int) -> str:
    """The line in the chart."""
    return f"target {target}"


def from_pot(points: int) -> str:
    """What the lotto pot paid in a round."""
    return f"+{points} from the pot"


def pot(points: int) -> str:
    """What is in the lotto pot."""
    return f"{points} points are in the pot for the next round's best."


def unplaced(plays: int) -> str:
    """Plays of which nobody saw whose they were; the counts know."""
    said = "Plays and flips are as far as the camera saw whose hand it was."
    return f"{said} Of {words(plays, 'play')} it did not see it." if plays else said


def twice(word: str) -> str:
    """Two players share something that each has alone."""
    return f"Two players have the same {word.lower()}; give each their own."


def day(started_at: str) -> str:
    """The day and the hour of an ISO 8601 time, in this computer's time zone."""
    try:
        return datetime.fromisoformat(started_at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return started_at


def rounds(count: int) -> str:
    """How many rounds."""
    return words(count, "round")


def match_line(match: MatchSummary) -> str:
    """A match in one line."""
    return f"{day(match.started_at)} · {', '.join(match.names) or NOBODY} · {rounds(match.rounds)}"


def more_matches(count: int) -> str:
    """Matches that are not shown."""
    return f"{count} more: search for a name or a date."


def rules_named(rules_hash: str) -> str:
    """The very rules, by a name that changes with each of them."""
    return f"rules {rules_hash}"


# -- set-up -------------------------------------------------------------------------------------------------


def camera_name(source: str, *, example: bool) -> str:
    """A source in words."""
    if example:
        return "The example round"
    return f"Camera {source}" if source.isdigit() else source


def seat_for(sitting: PlayerView | None, chosen: PlayerView | None, seat: str) -> str:
    """What tapping a place does."""
    if chosen is None:
        return seat_words(seat)
    there = f", where {sitting.name} sits" if sitting is not None and sitting.name != chosen.name else ""
    return f"{chosen.name} sits on {seat_words(seat)}{there}"


def tap_place(name: str) -> str:
    """Whose place is tapped next."""
    return f"Tap the place of {name} in the picture."


def shows_back(name: str, deck: str | None) -> str:
    """The button for a player who holds a back to the camera."""
    return f"{name} shows a back" if deck is None else f"{name}: {deck}"


def taught(deck: str, backs: int, faces: int, alike: Sequence[str]) -> str:
    """What became of a deck that was taught."""
    said = f"{deck} is known now, by {words(backs, 'look')} at its back and {words(faces, 'face')}."
    if alike:
        said += f" Its back cannot be told from that of {' and '.join(alike)}: play with one of them only."
    return said


def forget_deck(deck: str) -> str:
    """The button that forgets an own deck."""
    return f"Forget {deck}"


def no_calls_heard(reason: str) -> str:
    """Why no call is heard at this table."""
    return f"No call is heard at this table: {reason}."


def taught_word(word: str, person: str, stops_play: bool) -> str:
    """A word that is known."""
    return f"{word}, said by {person}, {'stops play' if stops_play else 'ends the round'}"


def heard_times(times: int, wanted: int) -> str:
    """How often a word was recorded so far."""
    return f"Recorded {times} of {wanted} times." if times < wanted else f"Recorded {times} times: enough."


def word_learnt(word: str, person: str, *, is_heard: bool) -> str:
    """A word was learnt; nothing hears it where there is no microphone."""
    return f"{word}, said by {person}, is known now{' and is heard from now on' if is_heard else ''}."


def forget_corrections(count: int) -> str:
    """The button that removes the kept corrections."""
    return f"Remove all {words(count, 'picture')}"


def choice(value: str) -> str:
    """A choice of an option."""
    return value.replace("_", " ")


def options_head(head: str, changed: int) -> str:
    """A group of options, and how many of them are house rules."""
    return head if changed == 0 else f"{head} ({changed} changed)"


def rules_of(game_words: str) -> str:
    """The part of the page with the rules."""
    return f"Rules: {game_words}"


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


def table_camera(status: TableStatus) -> str:
    """How another table's camera is; a word of a newer program is shown as it is."""
    if status.camera not in set(CameraState):
        return status.camera
    state = CameraState(status.camera)
    if state is CameraState.LIVE:
        rate = f"{words(round(status.fps_hz), 'picture')} a second"
        return f"The camera is on, {rate}." if status.camera_problem is None else status.camera_problem
    return health(CameraHealth(state, is_live=status.is_live, problem=status.camera_problem))
