"""Words that say what a column, a line or a row is, in any table: row numbers, codes, notes, units.

These are words of the form, not of the trade: they may decide that a cell is *not* data, never what data mean.
"""

from __future__ import annotations

import re
from functools import lru_cache

_REMEMBERED = 8192  # texts; the same header is looked at from several sides

# The column numbers its rows; the second of these may as well head counts ("No." under "Female") or an index.
_ROW_NUMBER = re.compile(r"序\s*号|行\s*次|栏\s*次|顺\s*序|次\s*序|s/n|item no\.?|line no\.?", re.I)
_MAYBE_ROW_NUMBER = re.compile(r"no\.?|nr\.?|№|#|line|row|index", re.I)
_RANK = re.compile(r"rank(?:ing)?|pos(?:ition|\.)?|排\s*[名序]|名\s*次|位\s*次", re.I)
NUMBERED_THING = (
    r"(?:(?:invoice|contract|order|account|policy|employee|staff|serial|document|voucher|customer|supplier|vendor|client"
    r"|member|passport|card|po|claim|ticket|case|licen[cs]e|lot|batch|cheque|journal|asset|project|agreement|loan)"
    r"[\s_-]*(?:number|no\.?|nr\.?|num|#))"
)
# The column names its rows by a code.
_CODE = re.compile(
    r".*(?:序号|编号|编码|代码|代號|編號|编\s+号|代\s+码|学号|工号|证号|账号|帐号|卡号|单号|流水号|凭证号|邮编|邮政编码|电话|手机号?|信用代码)|id"
    rf"|.*\b(?:codes?|id|identifier|zip|fips|ticker|phone|isbn|sku)\b.*|\w.*\bno\.|(?:.*\b)?{NUMBERED_THING}",
    re.I | re.S,
)
# The column refers to notes elsewhere.
_NOTE_WORD = r"(?:附\s*[注註](?:号|號|编号)?|[注註][释釋](?:号|號)?|notes?(?: no\.?| ref\.?)?|ref\.?)"
_NOTE_REFERENCE = re.compile(rf"{_NOTE_WORD}(?:\s*[/|(（]?\s*{_NOTE_WORD}[)）]?)?", re.I)
# The column says the unit of each row.
_CURRENCIES = re.compile(
    r"(?:.*\b)?(?:currency|currencies|ccy|curr?\.?)(?: codes?)?|.*(?:币\s*种|货\s*币|币\s*别)(?:代码)?", re.I
)
_UNITS = re.compile(r"(?:计\s*量|数\s*量|金\s*额)?\s*单\s*位|units?(?: of measure(?:ment)?)?|uom", re.I)
# The line is about the table, not part of it.
_NOTE_LINE = re.compile(
    r"[(（\[【]?\s*(?:(?:金额|数量|货币|计量|计价)?\s*单\s*位(?:名称)?|币种|编制单位|编制日期|编制人|制表|填表|填报|审核|资料来源|数据来源"
    r"|来源|备注|附注|说明|注\d*|注释|source|sources|notes?|footnotes?|see notes?|unit|units|expressed in|as of"
    r"|in (?:thousands|millions|billions)|(?:us|hk)?\$? ?in )\s*[:：.．）)\]】]?",
    re.I,
)
_NOTE_MARK = re.compile(
    r"(?:注\s*\d*\s*[:：.、]|\*+|†|‡|※|§|\\\d|\[\d+\]|\(\d\)\s\S|[a-z]\s*[/.)]\s|\d+\s*[/)]\s|\d\.\s).*", re.I | re.S
)
_MONEY = r"(?:(?:us|hk|nt|[asc]|rmb|[a-z]{3})?\s?[$€£¥]?\s?)"
_UNIT_LINE = re.compile(
    r"[(（\[【]?\s*(?:金额|数量|货币|计量|计价)?\s*单\s*位\s*[:：].*"
    rf"|.*\bin {_MONEY}(?:thousands|millions|billions)\b.*"
    r"|(?:all )?(?:values|amounts|figures|prices) (?:are )?(?:stated |shown |expressed )?in (?-i:[A-Z]{3}\b|[$€£¥]).*",
    re.I | re.S,
)
_TOTAL = re.compile(
    r"(?:合\s*计|总\s*计|小\s*计|共\s*计|总\s*额|累\s*计|(?:grand |sub-?)?totals?)\b.*|.*(?:合\s*计|总\s*计|小\s*计)",
    re.I | re.S,
)
# The usual head of a first column.
_STUB = re.compile(
    r"(?:项\s*目|名\s*称|指\s*标|类\s*别|科\s*目|内\s*容|品\s*名|地\s*区|年\s*份|年\s*度|月\s*份|日\s*期|时\s*间|季\s*度|部\s*门|姓\s*名|账\s*龄"
    r"|分\s*类|种\s*类|items?|names?|year|period|date|region|country|state|category|description|characteristics?|type|metric)",
    re.I,
)


@lru_cache(maxsize=_REMEMBERED)
def heads_row_numbers(text: str) -> bool:
    """Whether a header says that its column counts the rows."""
    return _ROW_NUMBER.fullmatch(text.strip()) is not None


@lru_cache(maxsize=_REMEMBERED)
def may_head_row_numbers(text: str) -> bool:
    """Whether a header can say that its column counts the rows; the column itself has to show it."""
    return heads_row_numbers(text) or _MAYBE_ROW_NUMBER.fullmatch(text.strip()) is not None


@lru_cache(maxsize=_REMEMBERED)
def heads_ranks(text: str) -> bool:
    """Whether a header says that its column ranks the rows, with ties and gaps as they come."""
    return _RANK.fullmatch(text.strip()) is not None


@lru_cache(maxsize=_REMEMBERED)
def heads_codes(text: str) -> bool:
    """Whether a header says that its column names the rows by number."""
    return _CODE.fullmatch(text.strip().replace("_", " ")) is not None


_REFERENCE = re.compile(
    r"(?:附注|附註|note\s*)?(?:[一二三四五六七八九十]{1,3}\s*[、.．]?\s*[(（]?\s*\d{1,3}\s*[)）]?|[(（][一二三四五六七八九十]{1,3}[)）])"
    r"(?:\s*[、,，;；]\s*[(（]?\d{1,3}[)）]?)*(?:\s*[(（]\w{1,3}[)）])?",
    re.IGNORECASE,
)


@lru_cache(maxsize=_REMEMBERED)
def is_note_reference(text: str) -> bool:
    """Whether a text has the form of a reference to a numbered note: 七、59, 附注五（3）."""
    return _REFERENCE.fullmatch(text.strip()) is not None


@lru_cache(maxsize=_REMEMBERED)
def heads_note_references(text: str) -> bool:
    """Whether a header says that its column refers to notes."""
    return _NOTE_REFERENCE.fullmatch(text.strip()) is not None


# The rows under it are things of a kind, not what is measured of them.
_MEMBER_WORDS = """
    region, country, city, state, province, county, district, store, shop, outlet, branch, office, site, plant, factory,
    product, product line, product group, product name, product category, brand, customer, client, supplier, vendor,
    department, team, division, segment, business unit, business line, channel, employee, fund, project, company,
    school, hospital, sector, industry, market, territory, model, grade, sales region,
    地区, 区域, 大区, 销售区域, 省份, 省市, 城市, 国家, 门店, 店铺, 分公司, 分行, 支行, 机构, 产品, 产品线, 品牌,
    客户, 供应商, 部门, 团队, 事业部, 板块, 业务板块, 渠道, 销售渠道,
    员工, 公司, 学校, 医院, 行业, 品种, 科室, 街道, 乡镇, 车型, 基地
"""
_MEMBERS = frozenset(word.strip() for word in _MEMBER_WORDS.split(","))
_PLURAL = re.compile(r"(?<=[a-z])(?:ies|(?<=ch)es|s)$")


@lru_cache(maxsize=_REMEMBERED)
def heads_members(text: str) -> bool:
    """Whether a header over row labels says of what kind the rows are: regions, shops, products."""
    word = text.strip().lower()
    if not word.isascii():
        return "".join(word.split()).removesuffix("名称") in _MEMBERS
    return word in _MEMBERS or _PLURAL.sub(lambda end: "y" if end[0] == "ies" else "", word) in _MEMBERS


@lru_cache(maxsize=_REMEMBERED)
def heads_units(text: str) -> bool:
    """Whether a header says that its column holds the units of the rows."""
    return _UNITS.fullmatch(text.strip()) is not None


@lru_cache(maxsize=_REMEMBERED)
def heads_currencies(text: str) -> bool:
    """Whether a header says that its column holds the currencies of the rows."""
    return _CURRENCIES.fullmatch(text.strip()) is not None


@lru_cache(maxsize=_REMEMBERED)
def is_note_line(text: str) -> bool:
    """Whether a line begins as notes, sources and unit lines do."""
    text = text.strip()
    return _NOTE_LINE.match(text) is not None or _NOTE_MARK.fullmatch(text) is not None


@lru_cache(maxsize=_REMEMBERED)
def is_unit_line(text: str) -> bool:
    """Whether a text says the unit of a whole table."""
    return _UNIT_LINE.fullmatch(text.strip()) is not None


_STATEMENT = re.compile(
    r"(?!(?:其中|减|加|of which|including|incl\.|less|add|plus)\s*[:：])[^:：]{1,30}[:：](?!\d\d\b)\s*\S.*", re.I | re.S
)


@lru_cache(maxsize=_REMEMBERED)
def is_statement(text: str) -> bool:
    """Whether a text says what something is and then which: Run date: …, 填表部门：…"""
    return _STATEMENT.fullmatch(text.strip()) is not None


@lru_cache(maxsize=_REMEMBERED)
def is_total(text: str) -> bool:
    """Whether a row label says that its row adds up others."""
    return _TOTAL.fullmatch(text.strip()) is not None


@lru_cache(maxsize=_REMEMBERED)
def is_stub(text: str) -> bool:
    """Whether a text is the usual head of a column of row labels."""
    return _STUB.fullmatch(text.strip()) is not None
