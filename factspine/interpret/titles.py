"""Whose numbers and where: the company and the place that a title, caption or sheet name gives.

Titles are read in segments ("Group — Mainland China: results"). A company is known by its form of body, a place when
it is a segment of its own or says whose business it is ("Hong Kong branches", 内地业务). Anything else is not guessed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from factspine.lexicon import names
from factspine.lexicon.labels import read_label
from factspine.lexicon.vocabulary import Vocabulary

# Behind a comma, Inc. is the end of a name.
_BREAK = re.compile(
    r"\s+[-–—―|·•]+\s+|[—―|·•]+|[:：;；，、]\s*|[(（](?![\u4e00-\u9fff]{2,6}[)）][\u4e00-\u9fff]{0,6}公司)\s*"
    r"|[)）](?![\u4e00-\u9fff]{0,6}公司)\s*"
    r"|,(?!\s*(?:Inc|Incorporated|Ltd|Limited|LLC|L\.L\.C|LP|Corp|Co|plc|PLC|N\.A|S\.A)\b)\s*"
)
_BODY = r"(?:Group|Holdings?|Inc|Incorporated|Ltd|Limited|Corp|Corporation|plc|PLC|LLC|LLP|Company|Bank|Co"
_BODY += "|BV|SAS|SARL|SpA|Srl|Oyj?|ASA|ApS)"
_LEADING_COMPANY = re.compile(rf"(?:[A-Z][\w&'’.-]*,?\s+){{1,6}}?{_BODY}\b\.?(?!\s+{_BODY}\b)")
_LEADING_COMPANY_ZH = re.compile(
    r"[\u4e00-\u9fffA-Za-z]{2,20}?(?:[(（][\u4e00-\u9fff]{2,6}[)）][\u4e00-\u9fff]{0,4}?)?(?:股份有限公司|有限责任公司|有限公司|集团公司|集团|集團|银行|銀行)(?![\u4e00-\u9fff]{0,4}公司)"
)
_BUSINESS = re.compile(
    r"\s*(?:保险|零售|银行|寿险|财险)?(?:业务|市场|地区|分部|区域|业绩|分公司|門店|门店|概况)"
    r"|\s+(?:branches|business|businesses|operations|markets?|segment|region|results|stores|division|subsidiary)\b",
    re.IGNORECASE,
)
_LONGEST_PLACE = 12
_LONGEST_REPORTER = 40
# Whose table it is, said in a form: 编制单位：…, Company: …
_REPORTER = re.compile(
    r"(?:^|\s)(?:编制单位|編制單位|填报单位|编报单位|报表单位|核算单位|被审计单位|单位名称|公司名称|企业名称|项目公司|公司"
    r"|company(?: name)?|entity(?: name)?|reporting entity|client)\s*[:：]\s*"
    r"(?P<name>\S[^:：]*?)(?=\s{2,}|\s+\S{1,8}[:：]|$)",
    re.IGNORECASE,
)
# Who made the table and when: of the numbers it says nothing.
_MAKER = re.compile(
    r"\s*(?:(?:编制|填报|填表|制表|审核|复核|打印|导出|报送|申报|责任)(?:人|部门|日期|时间|科室)|(?:制表|审核|复核|批准|负责人|联系人)"
    r"|(?:prepared|printed|generated|exported|reviewed|approved|extracted|last updated|created)(?: (?:by|on|at))?"
    r"|run (?:date|time)|print date|date printed|author|version|prepared date)\s*[:：]",
    re.IGNORECASE,
)
# A part of the business, and somebody else's: what is told of either is not told of the whole.
_PART = re.compile(
    r"\s*(?P<part>(?P<own>[\u4e00-\u9fff]{2,10}?)(?:分部|事业部|业务板块)"
    r"|(?P<own_en>[A-Z][\w&'’/ -]{1,30}?)\s(?:[Ss]egment|[Dd]ivision|[Bb]usiness [Uu]nit))(?=$|[\s:：,，;；(（—–-])"
)
# Of parts in general: by segment, 各业务分部.
_ANY_PART = re.compile(
    r"(?:.*[按各]|本)?(?:所属|业务|地区|地域|区域|经营|报告|可报告|其他|其它|主要|产品|客户|行业|市场)*"
    r"|(?:.*\b)?(?:by|per|all|each|every|of|other|operating|reportable|business|geographic(?:al)?|main|key|our|the|this"
    r"|customer|market|product|industry|no)",
    re.IGNORECASE,
)
# Whose figures, said so that it can be nothing else: a target alone is a plan, or a shop's name.
_SOMEBODY_ELSE = re.compile(
    r"\s*(?:(?:the\s+)?(?:(?:target|acquiree|competitor|peer)(?:'s|’s)|(?:acquirees|competitors|peers)['’]"
    r"|(?:target|acquired|competing|peer) compan(?:y|ies)(?:'s|’s|['’])?)"
    r"(?:\s+(?:figures|accounts|financials|results|performance))?"
    r"|(?:标的|目标|对标|被收购|被投资)(?:公司|方|企业)|竞争对手|同业公司)(?=$|[\s:：,，;；(（—–-])",
    re.IGNORECASE,
)
_ANOTHER_PAIR = re.compile(r"\s[^\s:：\d]{1,8}[:：]")


class TitleReading(NamedTuple):
    """What a title says; "" where it does not."""

    entity: str = ""
    geography: str = ""
    rest: str = ""  # the title without company, place, period, unit and scenario


@lru_cache(maxsize=4096)
def names_reporter(text: str) -> str:
    """Whose table it is, where a line of a form says so; "" where none does."""
    found = _REPORTER.search(text)
    return found["name"].strip() if found and len(found["name"]) <= _LONGEST_REPORTER else ""


class PartReading(NamedTuple):
    """What a title names that its numbers are about, and that is not the reporter as a whole."""

    name: str
    is_other: bool  # somebody else altogether: a target, a competitor


@lru_cache(maxsize=4096)
def names_part(text: str) -> PartReading | None:
    """The part of the business, or the other one, whose numbers stand under a title: 零售分部, Target's figures."""
    if other := _SOMEBODY_ELSE.match(text):
        return PartReading(other.group().strip(), is_other=True)
    found = _PART.match(text)
    if found is None or _ANY_PART.fullmatch((found["own"] or found["own_en"]).strip()):
        return None
    return PartReading(found["part"], is_other=False)


@lru_cache(maxsize=4096)
def names_maker(text: str) -> bool:
    """Whether a line says who made the table, or when."""
    return _MAKER.match(text) is not None and _ANOTHER_PAIR.search(text) is None


@lru_cache(maxsize=4096)  # one title stands over several tables
def read_title(text: str, vocabulary: Vocabulary) -> TitleReading:
    """Reads a title segment by segment; the first company and the first place count."""
    entity = geography = ""
    rests = []
    for segment in _BREAK.split(text):
        content = segment.strip()
        if not content:
            continue
        reading = read_label(content, vocabulary)
        company = reading.entity or _company(content)
        place = reading.geography or _place(reading.rest)
        entity = entity or company
        geography = geography or place
        rest = reading.rest
        if company and not reading.entity:
            rest = rest.replace(company, "").strip(" -–—:：")
        if rest and not (place and not reading.geography):
            rests.append(rest)
    return TitleReading(entity, geography, " – ".join(rests))


def _company(segment: str) -> str:
    """A company at the head of a segment."""
    whole = names.organisation(segment)
    if whole is not None:
        return whole
    found = _LEADING_COMPANY.match(segment) or _LEADING_COMPANY_ZH.match(segment)
    name = found.group().strip() if found else ""
    return name if name and names.organisation(name) is not None else ""


def _place(segment: str) -> str:
    """A place at the head of a segment, followed by whose or which business it is."""
    if _BUSINESS.search(segment) is None:
        return ""
    for end in range(min(len(segment), _LONGEST_PLACE * 2), 1, -1):
        code = names.geography(segment[:end])
        if code is not None and _BUSINESS.match(segment[end:]):
            return code
    return ""
