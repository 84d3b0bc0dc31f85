"""What is said to people when there is no plain answer, and what is assumed when there is; Chinese and English."""

from __future__ import annotations

from factspine.ask.display import place_name
from factspine.ask.resolution import Assumption, Resolution

_REASONS: dict[str, tuple[str, str]] = {
    "unknown_metric": ("库中没有与“{words}”对应的指标。", "Nothing in the store is called “{words}”."),
    "no_such_document": ("库中没有名称符合 {words} 的文件。", "No document of the store matches {words}."),
    "nothing_known_then": (
        "该时点库中尚无任何数据(所问时点与首次入库:{words})。",
        "The store knew nothing then (asked as of, its first run: {words}).",
    ),
    "unused_words": (
        "问题中的“{words}”没有对应的数据,因此不作回答。",
        "“{words}” changes what is asked, and nothing found accounts for it.",
    ),
    "ambiguous": ("有多个数据符合,请说明是哪一个。", "Several figures fit; say which one is meant."),
    "unsure": ("没有足够贴切的数据。", "Nothing fits the question well enough."),
    "no_period": (
        "库中有“{label}”,但没有 {words} 的数据。",
        "There is “{label}”, but not for {words}.",
    ),
    "no_such_combination": (
        "库中有“{label}”,但没有 {words} 的数据。",
        "There is “{label}”, but not for {words}.",
    ),
    "only_plan": (
        "只有预算、预测或隐藏的“{label}”,问题没有要求这些。",
        "There is only a budget, forecast or hidden figure of “{label}”, and the question does not ask for one.",
    ),
    "text_cell": ("最贴切的单元格是文字,不是数字。", "The cell that fits best holds words, not a number."),
    "year_missing": ("“{words}”没有说明年份。", "“{words}” names no year."),
    "unit_mismatch": (
        "文件中的单位是 {words},没有可引用的汇率,不作换算。",
        "The document's unit is {words}; without a rate that is itself a cited fact nothing is converted.",
    ),
    "different_basis": (
        "操作数口径不同({words}),不能计算。",
        "The operands are of different basis ({words}); nothing is computed.",
    ),
    "missing_operand": (
        "缺少计算所需的另一项数据(如另一期):{words}。",
        "This needs a second figure, such as that of another period: {words}.",
    ),
    "insufficient_evidence": (
        "证据不足:没有找到能回答这个问题的原文。",
        "Insufficient evidence: no passage answers this question.",
    ),
    "unsupported_answer": (
        "模型的回答未通过引文核验({words}),不作回答。",
        "What the model wrote is not borne out by what it cites ({words}); no answer is given.",
    ),
    "below_gate": (
        "找到的原文未达到引文标准({words}),不作回答。",
        "What was found does not meet the standard of citations ({words}); no answer is given.",
    ),
    "two_moments": (
        "问题与选项要求的时点不同({words}),请只保留一个。",
        "The question and the option ask for what was known at different moments ({words}); leave one of them out.",
    ),
    "unknown_moment": (
        "“{words}”所说的时点无法确定,请写明日期,或在选项中给出(--as-of)。",
        "No moment can be made of “{words}”; name a day, or give it as an option (--as-of).",
    ),
    "not_a_question": ("问题中没有可查的指标。", "The question names no figure to look up."),
    "too_long": (
        "问题过长(字数与上限分别为 {words}),请拆开来问。",
        "The question is too long (characters it has, and may have: {words}); ask it in parts.",
    ),
    "not_resolved": (
        "引用无法在库中复核,不作回答。",
        "The citation does not resolve in the store; no answer is given.",
    ),
}
_DIMENSIONS = {
    "entity": ("主体", "organisation"),
    "geography": ("地区", "place"),
    "channel": ("渠道", "channel"),
    "period": ("期间", "period"),
    "unit": ("单位", "unit"),
}


def reason_text(code: str, language: str, words: str = "", label: str = "") -> str:
    """The sentence for a reason."""
    chinese, english = _REASONS[code]
    return (chinese if language == "zh" else english).format(words=words, label=label)


def ambiguous_text(kind: str, language: str) -> str:
    """Which dimension several figures differ in."""
    if kind not in _DIMENSIONS:
        return reason_text("ambiguous", language)
    chinese, english = _DIMENSIONS[kind]
    if language == "zh":
        return f"有多个{chinese}的数据符合,请说明{chinese}。"
    return f"Several figures fit, which differ in their {english}; say which one is meant."


def narrative_text(rest: str, language: str) -> str:
    """That no passage answers the part of a question that asks for words."""
    if language == "zh":
        return f"“{rest}”:证据不足,没有找到说明原因的原文"
    return f"“{rest}”: insufficient evidence, no passage says why"


def resolution_text(resolution: Resolution, language: str) -> str:
    """Why there is no plain answer."""
    words = resolution.words
    if resolution.outcome == "ambiguous" and words:
        return ambiguous_text(words[0], language)
    if resolution.outcome == "no_such_combination":
        words = tuple(place_name(word, language) if len(word) == 2 else word for word in words)
    return reason_text(resolution.outcome, language, ("、" if language == "zh" else ", ").join(words), resolution.label)


def assumption_text(assumption: Assumption, language: str) -> str:
    """What was taken although the question did not say it."""
    zh = language == "zh"
    if assumption.kind == "words":
        return f"未使用的词:{assumption.text}" if zh else f"words that no label has, passed over: {assumption.text}"
    if assumption.kind == "year_end":
        return f"取期末日 {assumption.text} 的数据" if zh else f"taken at the end of the year, {assumption.text}"
    if assumption.kind == "consolidated":
        return (
            "取合并报表的数据,同一文件另有其他口径的数据"
            if zh
            else "taken from the consolidated statements; the same document tells another figure elsewhere"
        )
    if assumption.kind == "most_told":
        return (
            "同一文件的其他表另有不同数据,取多数表一致的数据"
            if zh
            else "other tables of the same document tell other figures by this name; taken is what most of them tell"
        )
    if assumption.kind == "part":
        name = assumption.text
        return f"该行是“{name}”的组成部分,各部分相加等于它" if zh else f"a part of “{name}”: the rows add up to it"
    if assumption.kind == "year":
        year = assumption.text
        return (
            f"问题未说明年份,取 {year} 年(仅有此年)"
            if zh
            else f"no year was named; taken is {year}, the only one told of"
        )
    if assumption.kind == "dollar_sign":
        return "文件只写 $,按美元理解" if zh else "the document writes $ alone; read as US dollars"
    chinese, english = _DIMENSIONS[assumption.kind]
    taken = place_name(assumption.text, language) if assumption.kind == "geography" else assumption.text
    return f"问题未说明{chinese},取 {taken}" if zh else f"no {english} was named; taken is {taken}"


_VERDICTS = {
    "same": ("", ""),
    "rounding": ("各来源在所示精度内一致", "sources agree within the precision they show"),
    "unit": ("各来源的差异由单位解释", "sources differ only in their unit"),
    "restated": ("该数据经重述,另有原报告值", "this figure was restated; another was reported first"),
    "conflict": ("来源之间不一致", "sources contradict one another"),
}


def verdict_text(verdict: str, language: str) -> str:
    """What is said about several observations of one thing."""
    return _VERDICTS[verdict][0 if language == "zh" else 1]
