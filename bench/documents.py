"""Make the documents that the demo and the benchmarks work on.

Eight JSON documents of 0.3 to 2 MB that look like what people have: messages
with emoji and CJK, a catalogue keyed by numbers, GeoJSON, logs full of escapes,
Latin-1 prose, nested configuration, rows of a table. All come from fixed seeds:
the same bytes on every machine. Files differ in layout as real ones do (compact,
indented, escaped to ASCII), so that decoders meet each.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Value = Any

EMOJI = [chr(point) for point in (*range(0x1F600, 0x1F640), *range(0x1F680, 0x1F6C0))]
IDEOGRAPHS = [chr(point) for point in range(0x4E00, 0x9FA0)]
KANA = [chr(point) for point in range(0x3041, 0x3094)]
HANGUL = [chr(point) for point in range(0xAC00, 0xD7A0, 7)]
CYRILLIC = [chr(point) for point in range(0x0430, 0x0450)]
ENGLISH = """the engine writes every line as fast as memory lets it go and nobody waits for
a reply that comes late when the morning train has left without us again today""".split()
FRENCH = """l'été où la forêt s'éveille à côté du château façade déjà vu garçon âge naïve
Noël hôtel être présent élève goût brûler île maïs août""".split()
GERMAN = """über die Straße größer müssen schön Äpfel Öl für Gemüse zurück hören Übung
natürlich später Mädchen können fünfzig Wörter""".split()


def words(source: random.Random, vocabulary: list[str], least: int, most: int) -> str:
    """Join some words with spaces."""
    return " ".join(source.choices(vocabulary, k=source.randint(least, most)))


def letters(source: random.Random, alphabet: list[str], least: int, most: int) -> str:
    """Join some characters."""
    return "".join(source.choices(alphabet, k=source.randint(least, most)))


def timestamp(source: random.Random) -> str:
    """Write a moment of 2025 by RFC 3339."""
    day = f"2025-{source.randint(1, 12):02}-{source.randint(1, 28):02}"
    clock = ":".join(f"{source.randrange(limit):02}" for limit in (24, 60, 60))
    return f"{day}T{clock}Z"


def message_text(source: random.Random) -> str:
    """Write a short message in one of the world's scripts, often with emoji."""
    kind = source.randrange(6)
    if kind == 0:
        text = letters(source, IDEOGRAPHS, 10, 60) + "。"
    elif kind == 1:
        text = letters(source, KANA, 5, 30) + letters(source, IDEOGRAPHS, 4, 20)
    elif kind == 2:
        text = " ".join(letters(source, HANGUL, 2, 6) for _ in range(source.randint(3, 12)))
    elif kind == 3:
        text = " ".join(letters(source, CYRILLIC, 2, 9) for _ in range(source.randint(3, 14)))
    else:
        text = words(source, ENGLISH, 4, 24)
    if source.random() < 0.4:
        text += " " + letters(source, EMOJI, 1, 4)
    return text


def messages(source: random.Random) -> Value:
    """Make a timeline: users, texts, counters, nested objects, nulls."""
    return {
        "statuses": [
            {
                "id": source.getrandbits(60),
                "id_str": str(source.getrandbits(60)),
                "created_at": timestamp(source),
                "text": message_text(source),
                "truncated": False,
                "in_reply_to": None if source.random() < 0.7 else source.getrandbits(60),
                "user": {
                    "name": message_text(source)[:20],
                    "screen_name": letters(source, list("abcdefghijklmnop_0123"), 4, 15),
                    "followers_count": source.randrange(100_000),
                    "verified": source.random() < 0.1,
                    "url": f"https://example.org/{source.getrandbits(32):x}",
                },
                "entities": {
                    "hashtags": [
                        {"text": letters(source, KANA, 2, 8), "indices": [number, number + 8]}
                        for number in range(source.randrange(3))
                    ]
                },
                "retweet_count": source.randrange(2000),
                "lang": source.choice(["ja", "zh", "ko", "ru", "en"]),
            }
            for _ in range(1500)
        ],
        "search_metadata": {"completed_in": 0.087, "count": 1500},
    }


def catalogue(source: random.Random) -> Value:
    """Make tables of names by number, as catalogues have, and events that refer to them."""
    areas = {str(205705993 + number): words(source, FRENCH, 1, 3) for number in range(400)}
    events = {
        str(138586341 + 17 * number): {
            "id": 138586341 + 17 * number,
            "name": words(source, FRENCH, 2, 8).capitalize(),
            "description": None,
            "logo": f"/images/{source.getrandbits(64):016x}.png",
            "subTopicIds": [337184262 + source.randrange(50) for _ in range(5)],
            "topicIds": [324846099, 107888604],
        }
        for number in range(900)
    }
    performances = [
        {
            "eventId": int(source.choice(list(events))),
            "id": 339887544 + number,
            "prices": [
                {
                    "amount": 500 * source.randint(10, 500),
                    "audienceSubCategoryId": 337100890,
                    "seatCategoryId": 338937200 + category,
                }
                for category in range(3)
            ],
            "start": 1372701600000 + 86_400_000 * source.randrange(365),
            "venueCode": "PLEYEL_PLEYEL",
        }
        for number in range(1200)
    ]
    return {"areaNames": areas, "events": events, "performances": performances}


def geography(source: random.Random) -> Value:
    """Make GeoJSON: coastlines as long rings of coordinates."""
    features = []
    for number in range(60):
        x, y = source.uniform(-140, -50), source.uniform(42, 83)
        ring = []
        for _ in range(source.randint(100, 1200)):
            x += source.uniform(-0.05, 0.05)
            y += source.uniform(-0.03, 0.03)
            ring.append([x, y] if number % 3 else [round(x, 6), round(y, 6)])
        features.append(
            {
                "type": "Feature",
                "properties": {"name": f"Island {number}", "area": source.uniform(1, 1e6)},
                "geometry": {"type": "Polygon", "coordinates": [ring]},
            }
        )
    return {"type": "FeatureCollection", "features": features}


def log_line(source: random.Random) -> str:
    """Write a log message that needs escaping: quotes, paths, traces, colours."""
    kind = source.randrange(6)
    if kind == 0:
        frames = (
            f'  File "C:\\srv\\app\\{source.choice(ENGLISH)}.py", line {source.randrange(900)}'
            for _ in range(source.randint(2, 9))
        )
        return "Traceback (most recent call last):\n" + "\n".join(frames) + "\nKeyError: 'id'\n"
    if kind == 1:
        inner = {"query": words(source, ENGLISH, 2, 5), "rows": source.randrange(99)}
        return f"request body: {json.dumps(inner)}"
    if kind == 2:
        return f"\x1b[31mERROR\x1b[0m\t{words(source, ENGLISH, 3, 9)}\r\n"
    if kind == 3:
        return '<a href="/{}" title="{}">'.format(*source.choices(ENGLISH, k=2))
    if kind == 4:
        return f"\x7f{words(source, ENGLISH, 2, 5)}\u2028\x00\x1f\x80"
    return words(source, ENGLISH, 5, 20)


def logs(source: random.Random) -> Value:
    """Make log records whose messages are full of escapes."""
    return [
        {
            "time": timestamp(source),
            "level": source.choice(["debug", "info", "warning", "error"]),
            "logger": f"app.{source.choice(ENGLISH)}.{source.choice(ENGLISH)}",
            "message": log_line(source),
            "path": f"C:\\srv\\app\\{source.choice(ENGLISH)}\\{source.choice(ENGLISH)}.log",
            "duration": round(source.expovariate(20), 6),
        }
        for _ in range(5000)
    ]


def prose(source: random.Random) -> Value:
    """Make articles in French and German: text that fits Latin-1."""
    return [
        {
            "titre": words(source, vocabulary, 3, 8),
            "préface": words(source, vocabulary, 20, 60),
            "paragraphs": [words(source, vocabulary, 40, 160) for _ in range(6)],
            "größe": source.randrange(10_000),
        }
        for vocabulary in (FRENCH, GERMAN)
        for _ in range(120)
    ]


def setting(source: random.Random, depth: int) -> Value:
    """Make one setting, or a section of settings."""
    if depth > 0:
        count = source.randint(2, 5)
        return {
            f"{source.choice(ENGLISH)}_{number}": setting(source, depth - 1)
            for number in range(count)
        }
    return source.choice(
        [
            True,
            False,
            None,
            source.randrange(65536),
            source.random(),
            source.choice(ENGLISH),
            f"/etc/{source.choice(ENGLISH)}/{source.choice(ENGLISH)}.conf",
            ["a", 1, {"enabled": True}],
            {},
            [],
        ]
    )


def configuration(source: random.Random) -> Value:
    """Make configuration: nested sections, few long strings."""
    return {f"service-{number}": setting(source, 6) for number in range(7)}


def rows(source: random.Random) -> Value:
    """Make the rows of a table: short keys, numbers, short strings."""
    return [
        {
            "id": number,
            "uuid": f"{source.getrandbits(128):032x}",
            "name": words(source, ENGLISH, 2, 2).title(),
            "balance": source.randrange(-10_000_000, 10_000_000) / 100,
            "visits": source.randrange(1000),
            "active": source.random() < 0.5,
            "tags": source.sample(ENGLISH, 3),
        }
        for number in range(6000)
    ]


MAKERS: dict[str, tuple[Callable[[random.Random], Value], dict[str, Any]]] = {
    "messages": (messages, {"ensure_ascii": False, "separators": (",", ":")}),
    "messages-ascii": (messages, {"ensure_ascii": True, "indent": 1}),
    "catalogue": (catalogue, {"ensure_ascii": False, "indent": 4}),
    "geography": (geography, {"separators": (",", ":")}),
    "logs": (logs, {}),
    "prose-latin1": (prose, {"ensure_ascii": False}),
    "configuration": (configuration, {"indent": 2}),
    "rows": (rows, {"separators": (",", ":")}),
}


def make(name: str) -> bytes:
    """Make one document as UTF-8."""
    maker, layout = MAKERS[name]
    return json.dumps(maker(random.Random(name)), **layout).encode()


def write(folder: Path) -> list[Path]:
    """Write all documents into the folder; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in MAKERS:
        path = folder / f"{name}.json"
        path.write_bytes(make(name))
        paths.append(path)
    return paths


if __name__ == "__main__":
    write(Path(sys.argv[1]))
