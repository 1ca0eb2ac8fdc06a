"""Rows of SQLAlchemy and what mapped objects are related to, in `linecaster.fastapi`: by SQLite."""

import datetime as dt
from typing import Optional

import pytest
from frameworks import need

encoders = need("fastapi.encoders")
sa = need("sqlalchemy")
orm = need("sqlalchemy.orm")
sqlmodel = need("sqlmodel")

from fastapi_outcomes import check, rendered, same  # noqa: E402
from linecaster.fastapi import encode, jsonable_encoder  # noqa: E402

# rows


@pytest.fixture(scope="module")
def engine_of_rows():
    engine = sa.create_engine("sqlite://", poolclass=sa.pool.StaticPool)
    yield engine
    engine.dispose()


class Base(orm.DeclarativeBase):
    pass


class Note(Base):
    __tablename__ = "note"
    id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
    text: orm.Mapped[str]
    at: orm.Mapped[dt.datetime | None]


@pytest.fixture(scope="module")
def session(engine_of_rows):
    Base.metadata.create_all(engine_of_rows)
    with orm.Session(engine_of_rows) as session:
        session.add_all(
            [
                Note(id=1, text="é", at=dt.datetime(2026, 1, 2, 3, 4, 5)),
                Note(id=2, text="b", at=None),
            ]
        )
        session.commit()
        yield session


STATEMENTS = [
    sa.select(Note.id, Note.text, Note.at),
    sa.select(Note.__table__),
    sa.select(sa.func.count(), sa.literal(3), sa.literal_column("5") + 1),
    sa.select(Note.id, Note.id.label("id_again"), Note.text.label("_sa_text")),
    sa.text("select id as a, text as a, at as b from note"),
    sa.text("select 1, 2.5, null"),
    sa.select(Note.__table__.c.id.label(sa.sql.quoted_name("Quoted", True))),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_rows_are_objects_by_column(session, statement):
    rows = session.execute(statement).all()
    expected = [
        encoders.jsonable_encoder({str(name): row[i] for i, name in enumerate(row._fields)})
        for row in rows
    ]
    assert expected
    check(expected, rows, rows=True)
    for row, tree in zip(rows, expected, strict=False):
        check(tree, row, rows=True)
        assert jsonable_encoder(row._mapping, rows=True) == tree
    mixed = [rows[0], session.execute(sa.text("select 7 as n")).one(), rows[0]]
    check([expected[0], {"n": 7}, expected[0]], mixed, rows=True)
    stripped = [
        {name: value for name, value in tree.items() if value is not None} for tree in expected
    ]
    check(stripped, rows, rows=True, exclude_none=True)


def test_rows_under_filters(session):
    rows = session.execute(STATEMENTS[0]).all()
    assert jsonable_encoder(rows, rows=True, include={"id"}) == [{"id": 1}, {"id": 2}]
    options = {"rows": True, "deep": True, "exclude": {0: ..., 1: {"at"}}}
    check([{"id": 2, "text": "b"}], rows, **options)
    custom = {str: str.upper}
    assert jsonable_encoder(rows[1], rows=True, custom_encoder=custom)["TEXT"] == "B"


def test_rows_of_objects(session):
    rows = session.execute(sa.select(Note, Note.id).order_by(Note.id)).all()
    expected = [{"Note": encoders.jsonable_encoder(row[0]), "id": row[1]} for row in rows]
    check(expected, rows, rows=True)


def test_a_row_of_an_encoder_of_the_user(session, monkeypatch):
    row = session.execute(STATEMENTS[0]).first()
    monkeypatch.setitem(encoders.ENCODERS_BY_TYPE, sa.Row, list)
    assert jsonable_encoder(row, rows=True) == encoders.jsonable_encoder(row)
    assert encode([row.id, row._mapping["text"]], rows=True) == '[1,"é"]'.encode()


def test_without_rows_all_is_as_in_fastapi(session):
    for row in session.execute(STATEMENTS[0]).all():
        same(row)
        same([row])
        same(row._mapping)
        same(tuple(row))


# relationships


class Team(sqlmodel.SQLModel, table=True):
    id: int | None = sqlmodel.Field(default=None, primary_key=True)
    name: str
    founded: dt.date | None = None
    heroes: list["Hero"] = sqlmodel.Relationship(back_populates="team")


class Hero(sqlmodel.SQLModel, table=True):
    id: int | None = sqlmodel.Field(default=None, primary_key=True)
    name: str
    team_id: int | None = sqlmodel.Field(default=None, foreign_key="team.id")
    team: Team | None = sqlmodel.Relationship(back_populates="heroes")
    mentor_id: int | None = sqlmodel.Field(default=None, foreign_key="hero.id")
    mentor: Optional["Hero"] = sqlmodel.Relationship(
        sa_relationship_kwargs={"remote_side": "Hero.id"}
    )


@pytest.fixture
def heroes():
    """A session over a team of two, and the statements that were run in it."""
    database = sa.create_engine("sqlite://", poolclass=sa.pool.StaticPool)
    sqlmodel.SQLModel.metadata.create_all(database)
    with sqlmodel.Session(database) as session:
        team = Team(id=1, name="Z", founded=dt.date(2026, 1, 2))
        session.add_all(
            [
                team,
                Hero(id=1, name="A", team=team),
                Hero(id=2, name="B", team=team, mentor_id=1),
                Hero(id=3, name="C"),
            ]
        )
        session.commit()
        session.expunge_all()
        statements = []
        sa.event.listen(database, "before_cursor_execute", lambda *args: statements.append(args[2]))
        yield session, statements
    database.dispose()


TEAM = {"id": 1, "name": "Z", "founded": "2026-01-02"}
A = {"id": 1, "name": "A", "team_id": 1, "mentor_id": None}
B = {"id": 2, "name": "B", "team_id": 1, "mentor_id": 1}
C = {"id": 3, "name": "C", "team_id": None, "mentor_id": None}
ALL = {"relationships": True}


def unordered(tree):
    """Members in the order of their names: SQLModel's is that of loading."""
    if isinstance(tree, dict):
        return {key: unordered(tree[key]) for key in sorted(tree)}
    return [unordered(item) for item in tree] if isinstance(tree, list) else tree


def check_related(expected, obj, heroes, **options):
    _, statements = heroes
    statements.clear()
    made = jsonable_encoder(obj, **options)
    assert unordered(made) == unordered(expected)
    assert encode(obj, **options) == rendered(made)
    if options == ALL:
        assert encode({"a": (obj,)}, **options) == rendered({"a": [made]})
    assert statements == []


def loaded(session, model, *paths):
    return session.exec(sqlmodel.select(model).options(*paths).order_by(model.id)).all()


def test_what_is_not_loaded_is_not_there(heroes):
    session, _ = heroes
    check_related([A, B, C], loaded(session, Hero), heroes, **ALL)
    check_related([TEAM], loaded(session, Team), heroes, **ALL)


def test_what_is_loaded_is_there(heroes):
    session, _ = heroes
    rows = loaded(session, Hero, orm.joinedload(Hero.team))
    expected = [{**A, "team": TEAM}, {**B, "team": TEAM}, {**C, "team": None}]
    check_related(expected, rows, heroes, **ALL)
    expected[2] = {"id": 3, "name": "C"}
    expected[0] = {key: value for key, value in expected[0].items() if value is not None}
    check_related(expected, rows, heroes, exclude_none=True, **ALL)
    same(rows)


def test_lists_of_related_objects(heroes):
    session, _ = heroes
    (team,) = loaded(session, Team, orm.selectinload(Team.heroes))
    check_related({**TEAM, "heroes": [A, B]}, team, heroes, **ALL)
    assert jsonable_encoder(team) == encoders.jsonable_encoder(team)


def test_what_leads_back_is_left_out(heroes):
    session, _ = heroes
    (team,) = loaded(session, Team, orm.selectinload(Team.heroes).joinedload(Hero.team))
    assert team.heroes[0].team is team
    check_related({**TEAM, "heroes": [A, B]}, team, heroes, **ALL)
    hero = team.heroes[1]
    check_related({**B, "team": TEAM}, hero, heroes, **ALL)
    check_related([{**TEAM, "heroes": [A, B]}, {**B, "team": TEAM}], [team, hero], heroes, **ALL)


def test_cycles_end(heroes):
    session, _ = heroes
    first, second, _third = loaded(session, Hero, orm.joinedload(Hero.mentor))
    check_related({**B, "mentor": {**A, "mentor": None}}, second, heroes, **ALL)
    with session.no_autoflush:
        first.mentor, first.mentor_id = second, 2
        a = {**A, "mentor_id": 2}
        check_related({**a, "mentor": {**B, "mentor": a}}, first, heroes, **ALL)
        second.mentor = second
        check_related({**B, "mentor": B}, second, heroes, **ALL)
        session.rollback()


def test_related_objects_under_filters(heroes):
    session, _ = heroes
    (team,) = loaded(session, Team, orm.selectinload(Team.heroes))
    for expected, options in [
        ({"name": "Z", "heroes": [A, B]}, {"include": {"name", "heroes"}}),
        ({"name": "Z"}, {"include": {"name"}}),
        (TEAM, {"exclude": {"heroes"}}),
        (
            {**TEAM, "heroes": [{"id": 1}, {"id": 2}]},
            {"exclude": {"heroes": {"__all__": {"name", "team_id", "mentor_id"}}}},
        ),
        ({"heroes": [{"name": "B"}]}, {"include": {"heroes": {-1: {"name"}}}}),
    ]:
        check_related(expected, team, heroes, **options, **ALL)


def test_objects_that_are_no_models(session):
    class Owner(Base):
        __tablename__ = "owner"
        id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
        pets: orm.Mapped[list["Pet"]] = orm.relationship(back_populates="owner")

    class Pet(Base):
        __tablename__ = "pet"
        id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
        owner_id: orm.Mapped[int] = orm.mapped_column(sa.ForeignKey("owner.id"))
        owner: orm.Mapped[Owner] = orm.relationship(back_populates="pets")

    owner = Owner(id=1)
    owner.pets = [Pet(id=1, owner_id=1), Pet(id=2, owner_id=1)]
    pets = [{"id": 1, "owner_id": 1}, {"id": 2, "owner_id": 1}]
    check({"id": 1, "pets": pets}, owner, relationships=True)
    check({**pets[0], "owner": {"id": 1}}, owner.pets[0], relationships=True)
    with pytest.raises(RecursionError):
        jsonable_encoder(owner)


def test_rows_of_related_objects(heroes):
    session, _ = heroes
    rows = session.exec(
        sqlmodel.select(Hero, Team).join(Team).options(orm.contains_eager(Hero.team))
    ).all()
    expected = [{"Hero": {**hero, "team": TEAM}, "Team": TEAM} for hero in (A, B)]
    check_related(expected, rows, heroes, rows=True, relationships=True)
