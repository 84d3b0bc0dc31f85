"""`factspine serve`: a real server, asked over loopback by programs and by people."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import lxml.html
import pytest

from tests.commandline import DOCUMENTS, run
from tests.serving import serving

QUESTION = "中国内地FY2024的REVENUE是多少"
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of a deck and a workbook of the demo."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "docs").mkdir()
    shutil.copy(DOCUMENTS / "ACME_FY2024_Review.pptx", folder / "docs")
    shutil.copy(DOCUMENTS / "retail" / "Harbour_Light_Stores.xlsx", folder / "docs" / "a [1]* & b.xlsx")
    (folder / "docs" / "broken.xlsx").write_bytes(b"PK\x03\x04 is how a workbook begins")
    assert run("ingest", folder / "docs", "--store", folder / "facts.db").returncode == 0
    return folder / "facts.db"


@pytest.fixture(scope="module")
def client(store: Path) -> Iterator[httpx.Client]:
    with serving(store) as address, httpx.Client(base_url=address, timeout=60) as client:
        for _ in range(50):
            try:
                client.get("/v1/health")
                break
            except httpx.ConnectError:
                threading.Event().wait(0.1)
        yield client


def page(client: httpx.Client, address: str) -> Any:
    got = client.get(address)
    assert (got.status_code, got.headers["content-type"]) == (200, "text/html; charset=utf-8")
    return lxml.html.fromstring(got.text)


def test_an_answer_is_the_one_of_the_command_line(client: httpx.Client, store: Path) -> None:
    """The same JSON, field by field, but for the time it took."""
    served = client.post("/v1/ask", json={"question": QUESTION}).json()
    printed = run("ask", QUESTION, "--store", store, "--json").stdout

    expected = json.loads(printed)
    assert served["value"] == "1320"
    assert {**served, "elapsed_ms": 0} == {**expected, "elapsed_ms": 0}


def test_a_refusal_is_an_answer_too(client: httpx.Client) -> None:
    """With its reason, and with status 200: the question was understood, and there is nothing to say to it."""
    got = client.post("/v1/ask", json={"question": "How many penguins in FY2024?"})
    assert got.status_code == 200
    assert got.json()["mode"] == "refuse"
    assert "penguins" in got.json()["reason"]["message"]


def test_facts_come_in_parts_that_make_the_whole(client: httpx.Client, store: Path) -> None:
    """`next` leads from part to part; nothing is missing and nothing comes twice."""
    ids: list[str] = []
    start: int | None = 0
    while start is not None:
        part = client.get("/v1/facts", params={"start": start, "limit": 70}).json()
        ids += [one["fact_id"] for one in part["facts"]]
        start = part["next"]
    assert len(ids) == len(set(ids)) == len(run("facts", "--store", store, "--json").stdout.splitlines())


def test_a_fact_is_read_again_on_demand(client: httpx.Client) -> None:
    """What `factspine show --json` says, and 404 for what there is not."""
    fact = client.get("/v1/facts", params={"metric": "REVENUE", "limit": 1}).json()["facts"][0]
    shown = client.get(f"/v1/facts/{fact['fact_id']}").json()
    assert (shown["verdict"], shown["state"], shown["fact"]["value"]) == ("match", "current", fact["value"])
    gone = client.get(f"/v1/facts/{'0' * 24}.1")
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, "NotFound")


def test_filters_are_those_of_the_command_line(client: httpx.Client, store: Path) -> None:
    """A period in any form that reads as one, every filter, and superseded facts where they are asked for."""
    said = {
        "doc": "ACME*",
        "metric": "REVENUE",
        "geography": "CN",
        "period": "FY 2024",
        "unit": "USD",
        "text": "slide=2",
    }
    options = [part for name, text in said.items() for part in (f"--{name}", text)]
    listed = run("facts", "--store", store, *options, "--all", "--json").stdout.splitlines()
    served = client.get("/v1/facts", params={**said, "all": "true"}).json()["facts"]
    assert served == [json.loads(line) for line in listed]
    assert len(served) == 1


def test_what_is_promised_to_programs_is_what_they_get(client: httpx.Client) -> None:
    """/openapi.json names every call for programs, each with the problems it may have and the form they come in."""
    told = client.get("/openapi.json").json()
    assert set(told["paths"]) == {"/v1/ask", "/v1/search", "/v1/facts", "/v1/facts/{fact_id}", "/v1/health"}
    forms = {
        response["content"]["application/json"]["schema"].get("$ref", "").rpartition("/")[2]
        for path in told["paths"].values()
        for call in path.values()
        for status, response in call["responses"].items()
        if status != "200"
    }
    assert forms == {"Problem"}
    problem = client.get("/v1/facts", params={"limit": "0"}).json()
    assert set(problem) == set(told["components"]["schemas"]["Problem"]["properties"])
    assert set(problem["error"]) == set(told["components"]["schemas"]["Error"]["properties"])


def test_search_gives_citations(client: httpx.Client) -> None:
    """Each hit has its document and place."""
    hits = client.post("/v1/search", json={"question": "new plants opened", "top": 1}).json()["hits"]
    assert [(hit["doc_id"], hit["locator"].split(",")[0]) for hit in hits] == [("ACME_FY2024_Review.pptx", "slide=2")]


def test_people_get_from_a_question_to_the_cell(client: httpx.Client) -> None:
    """Home lists the documents, a document its facts, a fact its cell; a question shows the cells of its answer."""
    home = page(client, "/")
    links = {one.text: one.get("href") for one in home.iter("a") if "/documents" in one.get("href")}
    assert set(links) == {"ACME_FY2024_Review.pptx", "a [1]* & b.xlsx", "broken.xlsx"}
    listed = page(client, links["a [1]* & b.xlsx"])
    facts = [one for one in listed.iter("a") if one.get("href").startswith("/facts/")]
    assert len(facts) > 100
    boxed = [one.text for one in page(client, facts[3].get("href")).iter("td") if "cell" in (one.get("class") or "")]
    assert boxed == [facts[3].text]
    answered = page(client, f"/?q={QUESTION}")
    assert [one.get("value") for one in answered.iter("input") if one.get("name") == "q"] == [QUESTION]
    assert "1,320" in [one.text for one in answered.iter("td") if "cell" in (one.get("class") or "")]


def test_a_document_that_was_not_read_says_why(client: httpx.Client) -> None:
    """It is listed as not read, and not as one without numbers; its page has the finding, and links lead on."""
    home = page(client, "/")
    row = next(one for one in home.iter("tr") if "broken.xlsx" in one.text_content())
    assert "not read" in row.text_content()
    (link,) = (one.get("href") for one in row.iter("a"))
    assert "FS105" in page(client, link).text_content()
    fact = client.get("/v1/facts", params={"limit": 1}).json()["facts"][0]
    back = [one.get("href") for one in page(client, f"/facts/{fact['fact_id']}").iter("a") if one.get("href") != "/"]
    assert back == [f"/documents?doc={fact['source_doc_id']}"]


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (("POST", "/v1/ask", {"json": {"question": ""}}), 400),
        (("POST", "/v1/ask", {"json": {"question": "x", "viewer": "RESTRICTED"}}), 400),
        (("POST", "/v1/ask", {"json": {"question": "x" * 2001}}), 400),
        (("POST", "/v1/ask", {"content": b"x" * 100_000}), 413),
        (("POST", "/v1/ask", {"json": {"question": "Revenue", "as_of": "the day before never"}}), 400),
        (("POST", "/v1/ask", {"content": b'{"question": "Revenue", "documents": ["\\ud800"]}', "headers": JSON}), 400),
        (("POST", "/v1/ask", {"content": b'{"question": "Revenue"}'}), 400),
        (("POST", "/v1/ask", {"content": b"Revenue", "headers": JSON}), 400),
        (("POST", "/v1/ask", {"json": {"question": "Revenue"}, "params": {"viewer": "RESTRICTED"}}), 400),
        (("GET", "/v1/ask", {}), 405),
        (("GET", "/v1/facts", {"params": {"limit": "0"}}), 400),
        (("GET", "/v1/facts", {"params": {"start": "9" * 30}}), 400),
        (("GET", "/v1/facts", {"params": {"colour": "red"}}), 400),
        (("GET", "/v1/facts", {"params": {"period": "the good years"}}), 400),
        (("GET", "/v1/facts", {"params": {"metric": "x" * 60_000}}), 400),
        (("GET", "/v1/facts/nothing", {}), 400),
        (("GET", "/v1/facts/nothing", {"params": {"as_of": "2024-01-01"}}), 400),
        (("GET", "/v1/nothing", {}), 404),
        (("GET", "/v1/health", {"headers": {"host": "evil.example"}}), 400),
    ],
    ids=[
        "empty",
        "viewer",
        "long",
        "large",
        "moment",
        "half a character",
        "no type",
        "no JSON",
        "viewer beside",
        "method",
        "limit",
        "start",
        "filter",
        "period",
        "long filter",
        "id",
        "beside an id",
        "path",
        "host",
    ],
)
def test_what_makes_no_sense_is_told_and_harms_nothing(
    client: httpx.Client, request_: tuple[str, str, dict[str, Any]], status: int
) -> None:
    """A sentence for people, a code for programs, never a traceback; whose eyes the server has is not for callers."""
    method, path, options = request_
    got = client.request(method, path, **options)
    assert got.status_code == status
    assert "Traceback" not in got.text
    assert len(got.json()["error"]["message"]) < 200
    assert got.headers["cache-control"] == "no-store"
    assert client.get("/v1/health").json()["status"] == "ok"


def test_pages_let_nothing_in_and_nothing_out(client: httpx.Client) -> None:
    """No script, no other origin, no frame; what was asked is in no cache and no log."""
    got = client.get("/", params={"q": "<script>alert(1)</script>"})
    assert "<script>" not in got.text
    assert "script-src" not in got.headers["content-security-policy"]
    assert got.headers["content-security-policy"].startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in got.headers["content-security-policy"]
    assert got.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in client.get("/v1/health", headers={"origin": "http://a.b"}).headers


def test_many_may_ask_at_once(client: httpx.Client) -> None:
    """Questions, pages and lists at the same time: each gets its own answer."""

    def asked(number: int) -> str:
        if number % 3 == 0:
            return str(client.post("/v1/ask", json={"question": QUESTION}).json()["value"])
        if number % 3 == 1:
            return str(len(client.get("/v1/facts", params={"limit": 5}).json()["facts"]))
        return str(client.get("/", params={"q": QUESTION}).status_code)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(asked, range(24))) == ["1320", "5", "200"] * 8


def test_a_document_is_read_while_others_ask(tmp_path: Path) -> None:
    """An ingest keeps nobody waiting in vain: each answer is of before it or of after it, and whole."""
    docs, store = tmp_path / "docs", tmp_path / "facts.db"
    docs.mkdir()
    shutil.copy(DOCUMENTS / "ACME_FY2024_Review.pptx", docs)
    run("ingest", docs, "--store", store)
    with serving(store) as address, ThreadPoolExecutor(3) as pool:
        before = len(httpx.get(f"{address}/v1/facts", timeout=60).json()["facts"])
        shutil.copy(DOCUMENTS / "hong_kong" / "Branch_KPIs.xlsx", docs)
        reading = pool.submit(run, "ingest", docs, "--store", store)
        seen = set()
        while not reading.done():
            seen.add(len(httpx.get(f"{address}/v1/facts", timeout=60).json()["facts"]))
            assert httpx.post(f"{address}/v1/ask", json={"question": QUESTION}, timeout=60).json()["value"] == "1320"
        assert reading.result().returncode == 0
        after = len(httpx.get(f"{address}/v1/facts", timeout=60).json()["facts"])
        assert before < after
        assert seen <= {before, after}
        assert "Branch_KPIs.xlsx" in httpx.get(address, timeout=60).text


def test_a_viewer_is_chosen_where_the_server_is_started(tmp_path: Path) -> None:
    """What is RESTRICTED is not there for the public, however it is asked for; the server's own viewer sees it."""
    doc = "board/ACME_FY2024_Review.pptx"
    (tmp_path / "docs" / "board").mkdir(parents=True)
    shutil.copy(DOCUMENTS / "ACME_FY2024_Review.pptx", tmp_path / "docs" / "board")
    (tmp_path / "vocabulary.toml").write_text('[[sensitivity]]\ndocuments = ["board/*"]\nlevel = "RESTRICTED"\n')
    store = tmp_path / "facts.db"
    run("ingest", tmp_path / "docs", "--store", store)
    with serving(store, "--viewer", "RESTRICTED") as address:
        facts = httpx.get(f"{address}/v1/facts", timeout=60).json()["facts"]
        fact = facts[0]["fact_id"]
        assert httpx.get(f"{address}/v1/facts/{fact}", timeout=60).json()["verdict"] == "match"
        assert doc in httpx.get(address, timeout=60).text
    with serving(store) as address, httpx.Client(base_url=address, timeout=60) as client:
        assert client.get("/v1/facts", params={"all": "true"}).json() == {"facts": [], "next": None}
        assert client.get("/v1/facts", params={"as_of": facts[0]["known_from"]}).status_code == 400
        assert [client.get(f"{path}/{fact}").status_code for path in ("/v1/facts", "/facts")] == [404, 404]
        assert client.get("/documents", params={"doc": doc}).status_code == 404
        assert client.post("/v1/search", json={"question": "new plants opened"}).json()["hits"] == []
        asked = client.post("/v1/ask", json={"question": QUESTION})
        assert (asked.json()["mode"], asked.json()["candidates"]) == ("refuse", [])
        for got in (asked, client.get("/"), client.get("/v1/health")):
            assert "ACME" not in got.text.replace(QUESTION, "")
