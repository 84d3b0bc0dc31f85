"""The backstop over prose, tried with what people write: digits, scales, signs, units, periods, words for numbers."""

from __future__ import annotations

import pytest

from factspine.cite.validator import validate_text

EVIDENCE = [
    "In 2024 revenue rose 12.3% to HK$1,320 million, from HK$1,175 million in 2023. "
    "The company employs 1,204 people in 17 cities.",
    "2024年营业收入为13.2亿元，同比增长12.3%，毛利率上升1.5个百分点至36.5%。员工1,204人，门店约三千二百家。"
    "第三季度净亏损5,600万元。",
    "The lease runs from 1 March 2021 to 28 February 2026. Capacity is 40 to 45 tonnes. It ranks third in Asia. "
    "Margins fell 2.1 percentage points. Over 60% of sales came from Asia.",
]
FALSE = [
    "Revenue rose 13.2% in 2024.",
    "Revenue rose 1.23% in 2024.",
    "Revenue fell 12.3% in 2024.",
    "Revenue was HK$1,320 billion.",
    "Revenue was US$1,320 million.",
    "Revenue was HK$1.32 million.",
    "Revenue rose 12.3 percentage points.",
    "毛利率上升1.5%。",
    "毛利率为35.6%。",
    "营业收入为1.32亿元。",
    "营业收入为132亿元。",
    "营业收入为十三亿元整，同比增长二成。",
    "营业收入达一百三十二亿元。",
    "员工约2000人。",
    "员工一千二百四十人。",
    "门店三千三百家。",
    "门店约3,500家。",
    "第四季度净亏损5,600万元。",
    "第三季度净利润5,600万元。",
    "净亏损5.6亿元。",
    "Margins fell 2.1%.",
    "Margins rose 2.1 percentage points.",
    "Capacity is 40 to 54 tonnes.",
    "Capacity is 40-45 kg.",
    "The lease runs to 28 February 2027.",
    "The lease began on 3 January 2021.",
    "The lease began on 2 March 2021.",
    "It ranks second in Asia.",
    "It ranks 3rd in 5 regions.",
    "Over 70% of sales came from Asia.",
    "More than 65% of sales came from Asia.",
    "Nearly 60% of sales came from Asia.",
    "Less than 60% of sales came from Asia.",
    "Revenue more than doubled.",
    "Revenue grew by a quarter.",
    "A third of sales came from Asia.",
    "六成以下销售来自亚洲",
    "近五成销售来自亚洲",
    "The company employs 1.2 million people.",
    "The company employs 12,040 people.",
    "The company employs 1,204 thousand people.",
    "It has offices in seventeen countries and eighteen cities.",
    "In 2025 revenue rose 12.3%.",
    "In 2023 revenue rose 12.3% to HK$1,320 million.",
    "In 2023 revenue was HK$1,320 million.",
    "Revenue was HK$1,175 million in 2024.",
    "Revenue fell from HK$1,320 million to HK$1,175 million.",
    "2023年营业收入为13.2亿元。",
    "二〇二三年营业收入为13.2亿元。",
    "增长率为-12.3%。",
    "同比增长12.3‰。",
    "同比增长12.3个百分点。",
    "营业收入约14亿元。",
    "营业收入逾14亿元。",
    "营业收入超过13.5亿元。",
    "营业收入不足13亿元。",
    "Revenue was between HK$1,300 million and HK$1,320 million.",
    "Revenue was HK$1,320,000.",
    "Revenue: 1 320 000 000 000 HKD.",
    "Revenue was HK$ one point two billion.",
    "Revenue was twelve hundred million Hong Kong dollars.",
    "Staff numbered about thirteen hundred.",
    "Staff: 1204.5",
    "同比增长百分之十三点二",
    "同比增长百分之一点二三",
    "净亏损五千六百万美元",
    "第三季度净亏损六千五百万元",
    "The loss was 5,600 yuan.",
    "Revenue rose by 1,230 basis points to 36.5%.",
    "Margin rose 150 bps to 38.5%.",
    "Revenue hit a record 1320m US dollars.",
]
TRUE = [
    "Revenue rose 12.3% in 2024.",
    "Revenue rose to HK$1.32 billion in 2024.",
    "Revenue was about HK$1.3 billion.",
    "营业收入约13亿元。",
    "营业收入为十三点二亿元。",
    "同比增长百分之十二点三。",
    "员工一千二百零四人。",
    "门店约3,200家。",
    "净亏损0.56亿元。",
    "第三季度净亏损五千六百万元。",
    "毛利率上升1.5个百分点。",
    "毛利率上升150个基点至36.5%。",
    "More than 60% of sales came from Asia.",
    "Capacity is 40–45 tonnes.",
    "The lease runs to 28 Feb 2026.",
    "It ranks 3rd in Asia.",
    "Margins were down 2.1 percentage points.",
    "Revenue was HK$1,175 million in 2023.",
    "The company employs 1,204 people in seventeen cities.",
    "Revenue increased by 12.3 per cent to HK$1,320m.",
    "The company employs some 1,200 people.",
    "Revenue rose from HK$1,175 million in 2023 to HK$1,320 million in 2024.",
    "2024年，营业收入同比增长12.3%，达到13.2亿元。",
    "The lease started on 1 March 2021.",
    "六成以上销售来自亚洲。",
    "超六成销售来自亚洲",
    "HK$1.320bn in 2024",
    "Founded elsewhere, the company employs 1,204 people.",
    "In 2024, revenue was HK$1,320 million.",
]


@pytest.mark.parametrize("text", FALSE)
def test_what_the_evidence_does_not_say_is_caught(text: str) -> None:
    """One digit, scale, sign, unit, bound or year is enough, in digits or in words."""
    assert "uncited_number" in validate_text(text, EVIDENCE).codes


@pytest.mark.parametrize("text", TRUE)
def test_what_the_evidence_says_in_other_words_gets_through(text: str) -> None:
    """Rounded as shown, in another scale, in Chinese numerals, the sentence turned round."""
    assert validate_text(text, EVIDENCE).ok


OF_A_PLANT = [
    "The plant in Tarn opened on 14 May 2019 and produced 3.4 million units in FY2023 (FY2022: 2.9 million). "
    "Unit cost fell by US$0.35 to US$4.10. The workforce grew from 310 to 355. Interest cover was 6.2x. "
    "The loan of EUR 25 million matures in 2031.",
    "截至2023年12月31日，公司总资产为人民币56.78亿元，较上年末增加4.2%；资产负债率41.3%，下降0.8个百分点。"
    "研发人员占比约三分之一。每股收益0.45元。项目分三期，首期投资2.5亿元，预计2025年下半年投产。",
]
NOT_OF_IT = [
    "The plant opened on 15 May 2019.",
    "The plant opened in June 2019.",
    "The plant opened on 14 May 2018.",
    "It produced 3.4 billion units in FY2023.",
    "It produced 2.9 million units in FY2023.",
    "It produced 3.4 million units in FY2022.",
    "Unit cost rose by US$0.35.",
    "Unit cost fell by US$0.53.",
    "Unit cost fell by 0.35%.",
    "Unit cost fell to US$4.01.",
    "The workforce grew from 355 to 310.",
    "The workforce fell from 355 to 310.",
    "The workforce grew by 355.",
    "Interest cover was 6.2%.",
    "Interest cover was 2.6x.",
    "The loan of US$25 million matures in 2031.",
    "The loan of EUR 25 million matures in 2013.",
    "The loan of EUR 25 billion matures in 2031.",
    "The loan of EUR 25,000 matures in 2031.",
    "It produced three point four billion units.",
    "It produced nearly four million units in FY2023.",
    "It produced over 3.5 million units in FY2023.",
    "截至2022年12月31日，公司总资产为人民币56.78亿元。",
    "截至2023年12月30日，公司总资产为人民币56.78亿元。",
    "公司总资产为人民币65.78亿元。",
    "公司总资产为人民币56.78万元。",
    "公司总资产为56.78亿美元。",
    "总资产较上年末减少4.2%。",
    "总资产增加4.2个百分点。",
    "资产负债率下降0.8%。",
    "资产负债率上升0.8个百分点。",
    "资产负债率为43.1%。",
    "研发人员占比约四分之一。",
    "研发人员占比约五成。",
    "每股收益0.54元。",
    "每股收益4.5元。",
    "每股收益0.45美元。",
    "首期投资25亿元。",
    "预计2025年上半年投产。",
    "预计2026年下半年投产。",
    "总资产近五十六亿元。",
    "总资产超五十七亿元。",
    "总资产为五十六点八七亿元。",
    "收益为0.45亿元。",
]
OF_IT = [
    "The plant opened on 14 May 2019.",
    "The plant opened in May 2019.",
    "It produced 3.4 million units in FY2023, up from 2.9 million in FY2022.",
    "Unit cost fell by US$0.35.",
    "Unit cost fell to US$4.10.",
    "Unit cost fell to US$4.1.",
    "The workforce grew from 310 to 355.",
    "Interest cover was 6.2 times.",
    "The EUR 25 million loan matures in 2031.",
    "It produced 3,400,000 units in FY2023.",
    "Output was about 3.4 million units in FY2023.",
    "截至2023年12月31日，公司总资产为人民币56.78亿元。",
    "公司总资产约56.8亿元。",
    "公司总资产约57亿元。",
    "总资产超过56亿元。",
    "总资产较上年末增加4.2%。",
    "资产负债率为41.3%，下降0.8个百分点。",
    "研发人员约占三分之一。",
    "每股收益为0.45元。",
    "首期投资2.5亿元。",
    "首期投资25,000万元。",
    "预计2025年下半年投产。",
    "总资产为五十六点七八亿元。",
    "项目分三期。",
]


@pytest.mark.parametrize("text", NOT_OF_IT)
def test_levels_changes_dates_and_shares_are_held_apart(text: str) -> None:
    """What it rose by is not what it rose to, nor one day another, nor a share another share."""
    assert "uncited_number" in validate_text(text, OF_A_PLANT).codes


@pytest.mark.parametrize("text", OF_IT)
def test_levels_changes_dates_and_shares_get_through(text: str) -> None:
    """As they stand, or rounded, or written in another way."""
    assert validate_text(text, OF_A_PLANT).ok
