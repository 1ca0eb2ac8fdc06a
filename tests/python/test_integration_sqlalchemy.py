"""`linecaster.integrations.sqlalchemy` against what SQLAlchemy itself gives."""

import dataclasses
import datetime as dt
import json
import uuid

import linecaster
import pytest
from frameworks import need, outcome
from hypothesis import given
from hypothesis import strategies as st
from trees import Source, plain, tree_of

sqlalchemy = need("sqlalchemy")

from linecaster.integrations import sqlalchemy as ours  # noqa: E402
from sqlalchemy import JSON, ForeignKey, String, create_engine, func, select, text  # noqa: E402
from sqlalchemy.orm import (  # noqa: E402
    DeclarativeBase,
    Mapped,
    MappedAsDataclass,
    Session,
    deferred,
    exc,
    load_only,
    mapped_column,
    relationship,
)


class Base(DeclarativeBase):
    pass


class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column("full_name", String(30))
    nick: Mapped[str | None]
    born: Mapped[dt.date | None]
    key: Mapped[uuid.UUID | None]
    data: Mapped[dict | None] = mapped_column(JSON)
    large: Mapped[str | None] = deferred(mapped_column(String))
    addresses: Mapped[list["Address"]] = relationship(back_populates="user")


class Address(Base):
    __tablename__ = "addresses"
    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    user: Mapped[User] = relationship(back_populates="addresses")


class DataBase(MappedAsDataclass, DeclarativeBase):
    pass


class Parent(DataBase):
    __tablename__ = "parents"
    id: Mapped[int] = mapped_column(primary_key=True)
    children: Mapped[list["Child"]] = relationship(default_factory=list, back_populates="parent")


class Child(DataBase):
    __tablename__ = "children"
    id: Mapped[int] = mapped_column(primary_key=True)
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("parents.id"), default=None)
    parent: Mapped[Parent | None] = relationship(default=None, back_populates="children")


@dataclasses.dataclass
class Page:
    rows: list
    number: int = 1


KEY = uuid.UUID(int=9)


@pytest.fixture
def engine():
    made = create_engine(
        "sqlite://",
        json_serializer=ours.json_serializer,
        json_deserializer=ours.json_deserializer,
    )
    for base in (Base, DataBase):
        base.metadata.create_all(made)
    yield made
    made.dispose()


@pytest.fixture
def session(engine):
    with Session(engine) as made:
        user = User(name="Zoë", born=dt.date(1990, 1, 2), key=KEY, data={"b": ["é"]}, large="l")
        user.addresses = [Address(email="a@b"), Address(email="c@d")]
        made.add_all([user, User(name="Al", nick="a")])
        made.commit()
        yield made


def test_rows(session):
    query = select(User.id, User.name, User.nick, User.born.label("day"), func.count().label("n"))
    rows = session.execute(query.group_by(User.id)).all()
    expected = [dict(row._mapping) for row in rows]
    assert ours.dumps(rows) == plain(expected, default=str)
    assert ours.encode(rows[0]) == plain(expected[0], default=str).encode()
    assert linecaster.dumps(rows, default=ours.default) == ours.dumps(rows)
    assert ours.dumps(rows, indent=1, ensure_ascii=True) == (
        json.dumps(expected, default=str, indent=1)
    )
    mappings = session.execute(query.group_by(User.id)).mappings().all()
    assert linecaster.dumps(mappings) == plain(expected, default=str)


def test_rows_with_the_same_name_twice_and_of_text(session):
    rows = session.execute(select(User.id, Address.id).join(Address.user)).all()
    assert ours.dumps(rows) == plain([dict(row._mapping) for row in rows])
    rows = session.execute(text("select 1 as a, 'é' as b")).all()
    assert ours.dumps({"rows": rows}) == '{"rows":[{"a":1,"b":"é"}]}'


def test_rows_of_objects(session):
    rows = session.execute(select(User, Address.email).join(Address.user)).all()
    given = linecaster.loads(ours.dumps(rows))
    assert [list(row) for row in given] == [["User", "email"]] * 2
    assert given[0]["User"]["name"] == "Zoë"


def test_mapped_objects(session):
    users = session.scalars(select(User).order_by(User.id)).all()
    expected = (
        '[{"id":1,"name":"Zoë","nick":null,"born":"1990-01-02","key":"KEY","data":{"b":["é"]}},'
        '{"id":2,"name":"Al","nick":"a","born":null,"key":null,"data":null}]'
    )
    expected = expected.replace("KEY", str(KEY))
    assert ours.dumps(users) == expected
    assert users[0].large == "l"
    assert list(ours.column_values(users[0]))[-1] == "large"
    session.commit()
    assert ours.dumps(users) == expected


def test_what_was_not_loaded_is_left_out_without_a_query(session, engine):
    statements = []
    session.expunge_all()
    users = session.scalars(select(User).options(load_only(User.name)).order_by(User.id)).all()
    sqlalchemy.event.listen(
        engine, "before_cursor_execute", lambda *arguments: statements.append(arguments[2])
    )
    assert ours.dumps(users) == '[{"id":1,"name":"Zoë"},{"id":2,"name":"Al"}]'
    assert statements == []


def test_new_objects_and_detached_ones(session):
    assert ours.dumps(User(name="new")) == (
        '{"id":null,"name":"new","nick":null,"born":null,"key":null,"data":null,"large":null}'
    )
    user = session.get(User, 2)
    session.expunge(user)
    assert linecaster.loads(ours.dumps(user))["nick"] == "a"
    gone = session.get(User, 1)
    session.expire_all()
    session.expunge(gone)
    with pytest.raises(exc.DetachedInstanceError):
        ours.dumps(gone)


def test_mapped_dataclasses(engine):
    with Session(engine) as session:
        session.add(Parent(id=1, children=[Child(id=2)]))
        session.commit()
        parent = session.get(Parent, 1)
        assert parent.children[0].parent is parent
        assert ours.dumps(Page([parent, parent.children[0]])) == (
            '{"rows":[{"id":1},{"id":2,"parent_id":1}],"number":1}'
        )


def test_fallback():
    assert ours.dumps([{1}], default=sorted) == "[[1]]"
    assert linecaster.dumps([{1}], default=ours.make_default(sorted)) == "[[1]]"
    for value in ({1}, object(), User, Page):
        with pytest.raises(TypeError, match="not JSON serializable"):
            ours.dumps([value])


def test_json_columns(session):
    value = {"é": [1, 2.5, None, 10**20, {"2": "\u2028"}]}
    session.add(User(name="json", data=value))
    session.commit()
    stored = session.scalars(text("select data from users where full_name = 'json'")).one()
    assert stored == json.dumps(value)
    assert session.scalars(select(User.data).where(User.name == "json")).one() == value


@given(st.binary(max_size=400))
def test_json_column_documents(data):
    value = tree_of(Source(data))
    stored = ours.json_serializer(value)
    assert stored == json.dumps(value)
    assert ours.json_deserializer(stored) == json.loads(stored)


@pytest.mark.parametrize(
    "value",
    [float("nan"), {1: 2, None: 3}, dt.date(2026, 1, 1), KEY, {1}, Page([]), [b""]],
    ids=repr,
)
def test_json_column_values(value):
    assert outcome(ours.json_serializer, value) == outcome(json.dumps, value)


@pytest.mark.parametrize("given", ["[NaN]", "1e999", "", "[1,]", b"[1]", b'"\xff"', "\ufeff1"])
def test_json_column_texts(given):
    assert repr(outcome(ours.json_deserializer, given)) == repr(outcome(json.loads, given))
