"""Made-up workbooks and a deck whose cells hold words, and questions about them.

Forms, records, schedules, contact lists, status lists, transposed tables, merged cells, in Chinese and English. A
question with an empty answer is a trap: no such row, no such column, or several rows that fit; it must not be answered.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import openpyxl
from openpyxl.styles import Font

from tests.deckmaking import add_slide, add_table, new_deck


class Sheet(NamedTuple):
    """A sheet as text: one line a row, cells between bars; `merged` are ranges, `bold` rows."""

    drawn: str
    merged: tuple[str, ...] = ()
    bold: tuple[int, ...] = ()


class Asked(NamedTuple):
    """A question of one document, the text of the cell that answers it, and that cell."""

    doc: str
    question: str
    answer: str = ""
    cell: str = ""


BOOKS = {
    "员工登记表.xlsx": Sheet(
        """
        员工登记表 |          |        |
        姓    名   | 赵临川   | 性    别 | 男
        出生日期   | 1988年4月 | 籍    贯 | 江西赣州
        学    历   | 硕士     | 专    业 | 水利工程
        毕业院校   | 云岭理工大学 | 政治面貌 | 群众
        紧急联系人 | 钱若水   | 联系电话 | 0797-5550132
        家庭住址   | 赣州市章江路88号云水苑3栋 | |
        兴趣爱好   | 登山、围棋 | |
        """,
        ("A1:D1", "B7:D7", "B8:D8"),
    ),
    "设备档案.xlsx": Sheet(
        """
        名    称 | 三号疏浚船 | 建造单位 | 临江船舶修造厂
        下水时间 | 2011年9月  | 船籍港   | 九江
        船    长 | 石望潮     | 主要用途 | 长江中游航道的清淤与维护，兼顾枯水期应急抢通
        航    区 | A级航区    | 保险公司 | 汇安财险
        备    注 | 2019年完成中修 | 上次检验 | 2023-11-20
        """,
    ),
    "合同台账.xlsx": Sheet(
        """
        合同台账 | | | | | | |
        序号 | 合同编号 | 供应商 | 签订日期 | 到期日 | 合同金额（万元） | 经办人 | 履约状态
        1 | HT-2101 | 北岭砂石 | 2021-03-15 | 2022-03-14 | 120 | 孙禾 | 已完成
        2 | HT-2102 | 青杉木业 | 2021-05-20 | 2023-05-19 | 86 | 李稻 | 履行中
        3 | HT-2103 | 远桥机械 | 2021-08-02 | 2022-08-01 | 340 | 孙禾 | 已完成
        4 | HT-2104 | 北岭砂石 | 2022-01-11 | 2024-01-10 | 150 | 周粟 | 履行中
        5 | HT-2105 | 蓝汀化工 | 2022-06-30 | 2023-06-29 | 78 | 吴黍 | 已终止
        """,
        ("A1:H1",),
    ),
    "培训日程.xlsx": Sheet(
        """
        日期 | 时间 | 课程 | 主讲人 | 教室
        6月3日 | 09:00-11:30 | 安全生产法解读 | 郑秋实 | 一号厅
        | 14:00-16:30 | 应急预案编制 | 冯春雨 | 二号厅
        6月4日 | 09:00-11:30 | 隐患排查方法 | 陈冬雪 | 一号厅
        | 14:00-16:30 | 事故案例分析 | 郑秋实 | 三号厅
        """,
        ("A2:A3", "A4:A5"),
    ),
    "考核办法.xlsx": Sheet(
        """
        仓储部月度考核表 | | | | | |
        序号 | 考核内容 | 指标说明 | 目标值 | 分值 | 扣分办法 | 检查部门
        1 | 入库效率 | 当日到货当日入库的比例 | 98% | 20 | 每低1个百分点扣2分 | 物流部
        2 | 服务态度 | 对领料人员热情、耐心 | 0次 | 10 | 每投诉一次扣3分 | 综合办
        3 | 账实相符 | 盘点差异的金额与库存总额之比，反映工作态度与服务质量 | 0.1% | 30 | 每超0.01个百分点扣1分 | 财务部
        4 | 现场整洁 | 通道畅通、标识清楚 | 2次 | 15 | 每发现一处扣1分 | 安环部
        """,
        ("A1:G1",),
    ),
    "指标月报.xlsx": Sheet(
        """
        指标月报 | | | |
        类别 | 序号 | 指标名称 | 单位 | 数值
        用工 | 1 | 新招员工人数 | 万人 | 327
        用工 | 2 | 离职员工人数 | 万人 | 118
        产出 | 3 | 产品合格率 | % | 97
        产出 | 4 | 用电量 | 万千瓦时 | 5210
        """,
        ("A1:E1",),
    ),
    "花名册.xlsx": Sheet(
        """
        编号 | 姓名 | 部门 | 职位 | 入职日期 | 手机 | 剩余年假
        001 | 何松 | 技术部 | 工程师 | 2015-07-01 | 555-0101 | 6
        002 | 林竹 | 市场部 | 主管 | 2009-02-14 | 555-0102 | 11
        003 | 韩梅 | 技术部 | 测试员 | 2019-11-30 | 555-0103 | 3
        004 | 田柏 | 行政部 | 文员 | 2012-04-08 | 555-0104 | 8
        """,
    ),
    "院系通讯录.xlsx": Sheet(
        """
        学部 | 层次 | 专业 | 负责人 | 办公室
        海洋学部 | 本科（210） | 海洋科学 | 白帆 | 望海楼101
        | 本科（210） | 水产养殖 | 江渔 | 望海楼102
        | 专科（40） | 航海技术 | 舒浪 | 望海楼208
        林业学部 | 本科（180） | 森林保护 | 柏青 | 听松楼305
        | 本科（180） | 园林设计 | 叶绿 | 听松楼306
        | 专科（35） | 木材加工 | 桑榆 | 听松楼409
        """,
        ("A2:A4", "B2:B3", "A5:A7", "B5:B6"),
    ),
    "projects.xlsx": Sheet(
        """
        Project | Owner | Status | Start | Due | Risk note
        Falcon ledger | Priya Nair | On track | 2024-01-08 | 2024-09-30 | none
        Otter portal | Tomas Berg | Delayed | 2024-02-19 | 2024-12-20 | supplier went quiet
        Heron archive | Mei Tanaka | On hold | 2023-11-06 | 2025-03-31 | waiting for the legal review
        Badger billing | Priya Nair | Completed | 2023-05-15 | 2024-02-29 | none
        """,
    ),
    "vendor form.xlsx": Sheet(
        """
        Vendor onboarding form |
        Legal name | Quillfeather Paper Ltd
        Trading as | Quill & Co
        Country of incorporation | Ireland
        Registered address | 14 Saltmarsh Quay, Galway
        Payment terms | 45 days net
        Contact person | Aoife Brennan
        Contact email | aoife@quill.example
        Bank | Atlantic Mutual
        """,
        ("A1:B1",),
    ),
    "sites.xlsx": Sheet(
        """
        Site | Head office | | Warehouse |
        | Address | Phone | Address | Phone
        Lindholm | 3 Birch Row | 555-2001 | Dock 9 | 555-2002
        Marstrand | 71 Kelp Street | 555-3001 | Pier 4 | 555-3002
        Ravnsborg | 20 Raven Hill | 555-4001 | Gate C | 555-4002
        """,
        ("A1:A2", "B1:C1", "D1:E1"),
    ),
    "models.xlsx": Sheet(
        """
        Feature | Model K2 | Model K4 | Model K7
        Frame material | Aluminium | Carbon | Titanium
        Brake type | Rim | Disc | Disc
        Colours | Red, black | Blue | Silver
        Release date | 2021-04-01 | 2022-10-15 | 2024-05-20
        Warranty | two years | five years | lifetime
        """,
    ),
    "branches.xlsx": Sheet(
        """
        Branch | Manager | Opened | Lease
        Northern region | | |
        Alnwick | Ruth Hale | 2011-06-01 | owned
        Berwick | Colin Shaw | 2014-09-12 | leased to 2029
        Southern region | | |
        Poole | Dina Marsh | 2017-03-20 | leased to 2026
        Exmouth | Greg Tan | 2020-10-05 | owned
        """,
        (),
        (1, 2, 5),
    ),
    "two lists.xlsx": Sheet(
        """
        Committee | Chair | Secretary
        Audit | Nils Ek | Vera Holt
        Remuneration | Joan Pike | Vera Holt
        Venue booking | |
        Room | Booked by | Date
        Amber | Lars Dahl | 2024-03-04
        Cobalt | Ines Roth | 2024-03-05
        """,
        ("A4:C4",),
        (1, 4, 5),
    ),
    "asset.xlsx": Sheet(
        """
Asset register | | | |
Tag | Item | Custodian | Location | Purchased on | Condition
A-17 | Laser printer | Owen Price | Level 3 | 2020-05-04 | fair
A-18 | Projector | Zoe Lam | Boardroom | 2018-01-22 | poor
A-19 | Label maker | Owen Price | Mailroom | 2022-08-30 | good
""",
        ("A1:F1",),
    ),
    "会议纪要.xlsx": Sheet("""
会议名称 | 第三季度经营分析会 | 会议时间 | 2024年10月12日
会议地点 | 翠湖会议室 | 主持人 | 沈秋白
记录人 | 陆知微 | 参会人员 | 各部门负责人
下次会议 | 2025年1月 | 缺席人员 | 无
"""),
    "病历.xlsx": Sheet(
        """
门诊登记 | | | | |
就诊号 | 患者 | 科室 | 主治医生 | 诊断 | 复诊日期
M01 | 方圆 | 骨科 | 雷震 | 踝关节扭伤 | 2024-06-18
M02 | 曲直 | 眼科 | 白芷 | 结膜炎 | 2024-06-20
M03 | 高远 | 骨科 | 雷震 | 腰肌劳损 | 2024-06-25
""",
        ("A1:F1",),
    ),
    "event.xlsx": Sheet(
        """
Time | Session | Speaker | Room
Day 1 | | |
09:00 | Opening keynote | Hana Sato | Main hall
10:30 | Battery recycling | Piotr Wolny | Room B
Day 2 | | |
09:00 | Grid storage | Amara Obi | Main hall
11:00 | Closing panel | Hana Sato | Room A
""",
        (),
        (1, 2, 5),
    ),
    "spec.xlsx": Sheet("""
项目 | 甲型 | 乙型 | 丙型
外壳材质 | 铝合金 | 工程塑料 | 不锈钢
防护等级 | IP54 | IP65 | IP68
安装方式 | 壁挂 | 导轨 | 落地
产地 | 苏州 | 厦门 | 天津
"""),
    "loan.xlsx": Sheet("""
Loan application |
Applicant: | Marta Ruiz
Occupation: | Veterinarian
Purpose of loan: | Clinic renovation
Guarantor: | Pablo Ruiz
Branch: | Harbour Street
Decision: | Approved with conditions
"""),
    "供应商名录.xlsx": Sheet(
        """
供应商名录 | | | | |
类别 | 供应商 | 联系人 | 电话 | 合作状态 | 评级
原料 | 松泉矿业 | 贺兰 | 555-8101 | 合作中 | A
原料 | 赤水盐业 | 丁香 | 555-8102 | 暂停 | B
包装 | 云锦纸业 | 谷雨 | 555-8103 | 合作中 | A
物流 | 顺驰货运 | 常青 | 555-8104 | 终止 | C
""",
        ("A1:F1",),
    ),
}
CONTACTS = """
Region | Sales lead | Email | Time zone
Baltic | Kaisa Tamm | kaisa@amberline.example | UTC+2
Adriatic | Luka Bašić | luka@amberline.example | UTC+1
Aegean | Eleni Pappa | eleni@amberline.example | UTC+2
"""
MILESTONES = """
里程碑 | 责任部门 | 计划完成 | 当前状态
厂房封顶 | 基建处 | 2024年8月 | 已完成
设备安装 | 装备处 | 2024年11月 | 进行中
试运行 | 生产处 | 2025年2月 | 未开始
"""
DECK = "kickoff.pptx"


QUESTIONS = (
    Asked("员工登记表.xlsx", "赵临川的籍贯是哪里？", "江西赣州", "D3"),
    Asked("员工登记表.xlsx", "赵临川学的是什么专业？", "水利工程", "D4"),
    Asked("员工登记表.xlsx", "赵临川毕业于哪所院校？", "云岭理工大学", "B5"),
    Asked("员工登记表.xlsx", "赵临川的紧急联系人是谁？", "钱若水", "B6"),
    Asked("员工登记表.xlsx", "赵临川家住在哪里？", "赣州市章江路88号云水苑3栋", "B7"),
    Asked("员工登记表.xlsx", "赵临川的出生日期是什么时候？", "1988年4月", "B3"),
    Asked("员工登记表.xlsx", "赵临川有什么兴趣爱好？", "登山、围棋", "B8"),
    Asked("员工登记表.xlsx", "赵临川的血型是什么？"),
    Asked("员工登记表.xlsx", "王大锤的籍贯是哪里？"),
    Asked("员工登记表.xlsx", "赵临川的配偶是谁？"),
    Asked("设备档案.xlsx", "三号疏浚船的船长是谁？", "石望潮", "B3"),
    Asked("设备档案.xlsx", "三号疏浚船是哪家单位建造的？", "临江船舶修造厂", "D1"),
    Asked("设备档案.xlsx", "三号疏浚船的主要用途是什么？", "长江中游航道的清淤与维护，兼顾枯水期应急抢通", "D3"),
    Asked("设备档案.xlsx", "三号疏浚船的船籍港在哪里？", "九江", "D2"),
    Asked("设备档案.xlsx", "三号疏浚船什么时候下水？", "2011年9月", "B2"),
    Asked("设备档案.xlsx", "三号疏浚船由哪家保险公司承保？", "汇安财险", "D4"),
    Asked("设备档案.xlsx", "三号疏浚船的轮机长是谁？"),
    Asked("合同台账.xlsx", "青杉木业合同的经办人是谁？", "李稻", "G4"),
    Asked("合同台账.xlsx", "HT-2103是和哪家供应商签的？", "远桥机械", "C5"),
    Asked("合同台账.xlsx", "蓝汀化工的合同目前履约状态如何？", "已终止", "H7"),
    Asked("合同台账.xlsx", "HT-2104什么时候到期？", "2024-01-10", "E6"),
    Asked("合同台账.xlsx", "远桥机械的合同是哪天签订的？", "2021-08-02", "D5"),
    Asked("合同台账.xlsx", "合同金额最高的供应商是哪家？", "远桥机械", "C5"),
    Asked("合同台账.xlsx", "签订日期最早的合同编号是什么？", "HT-2101", "B3"),
    Asked("合同台账.xlsx", "北岭砂石合同的经办人是谁？"),
    Asked("合同台账.xlsx", "HT-2109的供应商是谁？"),
    Asked("合同台账.xlsx", "青杉木业合同的审批人是谁？"),
    Asked("合同台账.xlsx", "黑石矿业的合同什么时候到期？"),
    Asked("培训日程.xlsx", "应急预案编制由谁主讲？", "冯春雨", "D3"),
    Asked("培训日程.xlsx", "隐患排查方法在哪个教室上课？", "一号厅", "E4"),
    Asked("培训日程.xlsx", "事故案例分析是哪天的课？", "6月4日", "A4"),
    Asked("培训日程.xlsx", "事故案例分析几点开始，时间安排是什么？", "14:00-16:30", "B5"),
    Asked("培训日程.xlsx", "消防演练由谁主讲？"),
    Asked("培训日程.xlsx", "郑秋实的课在哪个教室？"),
    Asked("考核办法.xlsx", "服务态度的扣分办法是什么？", "每投诉一次扣3分", "F4"),
    Asked("考核办法.xlsx", "现场整洁由哪个部门检查？", "安环部", "G6"),
    Asked("考核办法.xlsx", "入库效率的指标说明是什么？", "当日到货当日入库的比例", "C3"),
    Asked("考核办法.xlsx", "团队协作的扣分办法是什么？"),
    Asked("指标月报.xlsx", "新招员工人数是多少？", "327 万人", "E3"),
    Asked("花名册.xlsx", "韩梅在哪个部门？", "技术部", "C4"),
    Asked("花名册.xlsx", "田柏的职位是什么？", "文员", "D5"),
    Asked("花名册.xlsx", "林竹的手机号是多少？", "555-0102", "F3"),
    Asked("花名册.xlsx", "入职日期最早的是谁？", "林竹", "B3"),
    Asked("花名册.xlsx", "剩余年假最多的员工姓名是什么？", "林竹", "B3"),
    Asked("花名册.xlsx", "技术部的员工是谁？"),
    Asked("花名册.xlsx", "许杉在哪个部门？"),
    Asked("花名册.xlsx", "何松的导师是谁？"),
    Asked("院系通讯录.xlsx", "海洋学部航海技术专业的负责人是谁？", "舒浪", "D4"),
    Asked("院系通讯录.xlsx", "林业学部园林设计专业的办公室在哪里？", "听松楼306", "E6"),
    Asked("院系通讯录.xlsx", "木材加工专业的负责人是谁？", "桑榆", "D7"),
    Asked("院系通讯录.xlsx", "江渔负责哪个专业？", "水产养殖", "C3"),
    Asked("院系通讯录.xlsx", "海洋学部天文专业的负责人是谁？"),
    Asked("projects.xlsx", "Who owns the Otter portal project?", "Tomas Berg", "B3"),
    Asked("projects.xlsx", "What is the status of Heron archive?", "On hold", "C4"),
    Asked("projects.xlsx", "When is Falcon ledger due?", "2024-09-30", "E2"),
    Asked(
        "projects.xlsx", "What is the risk note for the Heron archive project?", "waiting for the legal review", "F4"
    ),
    Asked("projects.xlsx", "Otter portal项目的负责人是谁？", "Tomas Berg", "B3"),
    Asked("projects.xlsx", "Which project started earliest?", "Badger billing", "A5"),
    Asked("projects.xlsx", "Which project does Mei Tanaka own?", "Heron archive", "A4"),
    Asked("projects.xlsx", "Which project does Priya Nair own?"),
    Asked("projects.xlsx", "Who owns the Walrus rollout?"),
    Asked("projects.xlsx", "Who is the sponsor of Otter portal?"),
    Asked("vendor form.xlsx", "What is the legal name of the vendor?", "Quillfeather Paper Ltd", "B2"),
    Asked("vendor form.xlsx", "Where is Quillfeather Paper registered?", "14 Saltmarsh Quay, Galway", "B5"),
    Asked("vendor form.xlsx", "What are the payment terms of Quillfeather Paper?", "45 days net", "B6"),
    Asked("vendor form.xlsx", "Who is the contact person at Quillfeather Paper?", "Aoife Brennan", "B7"),
    Asked("vendor form.xlsx", "Which bank does Quillfeather Paper use?", "Atlantic Mutual", "B9"),
    Asked("vendor form.xlsx", "Who is the auditor of Quillfeather Paper?"),
    Asked("sites.xlsx", "What is the warehouse address of Marstrand?", "Pier 4", "D4"),
    Asked("sites.xlsx", "What is the head office address of Ravnsborg?", "20 Raven Hill", "B5"),
    Asked("sites.xlsx", "What is the head office phone of Lindholm?", "555-2001", "C3"),
    Asked("sites.xlsx", "What is the address of Lindholm?"),
    Asked("models.xlsx", "What is the frame material of Model K7?", "Titanium", "D2"),
    Asked("models.xlsx", "What brake type does Model K2 have?", "Rim", "B3"),
    Asked("models.xlsx", "When was Model K4 released?", "2022-10-15", "C5"),
    Asked("models.xlsx", "What is the warranty of Model K4?", "five years", "C6"),
    Asked("models.xlsx", "What is the saddle of Model K4?"),
    Asked("models.xlsx", "What is the frame material of Model K9?"),
    Asked("branches.xlsx", "Who manages the Poole branch?", "Dina Marsh", "B6"),
    Asked("branches.xlsx", "When did the Berwick branch open?", "2014-09-12", "C4"),
    Asked("branches.xlsx", "What is the lease of Exmouth?", "owned", "D7"),
    Asked("branches.xlsx", "Who manages the Dover branch?"),
    Asked("two lists.xlsx", "Who chairs the Remuneration committee?", "Joan Pike", "B3"),
    Asked("two lists.xlsx", "Who booked the Cobalt room?", "Ines Roth", "B7"),
    Asked("two lists.xlsx", "On what date is the Amber room booked?", "2024-03-04", "C6"),
    Asked(DECK, "Who is the sales lead for the Adriatic region?", "Luka Bašić", "R3C2"),
    Asked(DECK, "What is the email of Eleni Pappa?", "eleni@amberline.example", "R4C3"),
    Asked(DECK, "Which time zone is the Baltic region in?", "UTC+2", "R2C4"),
    Asked(DECK, "设备安装由哪个部门负责？", "装备处", "R3C2"),
    Asked(DECK, "厂房封顶的当前状态是什么？", "已完成", "R2C4"),
    Asked(DECK, "试运行计划什么时候完成？", "2025年2月", "R4C3"),
    Asked(DECK, "Who is the sales lead for the Caspian region?"),
    Asked(DECK, "竣工验收由哪个部门负责？"),
    Asked("asset.xlsx", "Who is the custodian of the projector?", "Zoe Lam", "C4"),
    Asked("asset.xlsx", "Where is the label maker located?", "Mailroom", "D5"),
    Asked("asset.xlsx", "When was the laser printer purchased?", "2020-05-04", "E3"),
    Asked("asset.xlsx", "What condition is A-18 in?", "poor", "F4"),
    Asked("asset.xlsx", "Which item was purchased earliest?", "Projector", "B4"),
    Asked("asset.xlsx", "Which item is in the Boardroom?", "Projector", "B4"),
    Asked("asset.xlsx", "Which item is Owen Price the custodian of?"),
    Asked("asset.xlsx", "Who repaired the projector?"),
    Asked("asset.xlsx", "Who is the custodian of the scanner?"),
    Asked("会议纪要.xlsx", "第三季度经营分析会的主持人是谁？", "沈秋白", "D2"),
    Asked("会议纪要.xlsx", "会议在哪里召开？", "翠湖会议室", "B2"),
    Asked("会议纪要.xlsx", "会议是谁记录的？", "陆知微", "B3"),
    Asked("会议纪要.xlsx", "下次会议是什么时候？", "2025年1月", "B4"),
    Asked("会议纪要.xlsx", "第三季度经营分析会的时间是什么时候？", "2024年10月12日", "D1"),
    Asked("会议纪要.xlsx", "第三季度经营分析会的预算审批人是谁？"),
    Asked("病历.xlsx", "曲直的主治医生是谁？", "白芷", "D4"),
    Asked("病历.xlsx", "方圆的诊断是什么？", "踝关节扭伤", "E3"),
    Asked("病历.xlsx", "高远什么时候复诊？", "2024-06-25", "F5"),
    Asked("病历.xlsx", "M02挂的是哪个科室？", "眼科", "C4"),
    Asked("病历.xlsx", "哪位患者得了结膜炎？", "曲直", "B4"),
    Asked("病历.xlsx", "雷震的患者是谁？"),
    Asked("病历.xlsx", "曲直的过敏史是什么？"),
    Asked("病历.xlsx", "马良的主治医生是谁？"),
    Asked("event.xlsx", "Who speaks at the Battery recycling session?", "Piotr Wolny", "C4"),
    Asked("event.xlsx", "Which room is Grid storage in?", "Main hall", "D6"),
    Asked("event.xlsx", "What time is the Closing panel?", "11:00", "A7"),
    Asked("event.xlsx", "Who speaks at the Wind farms session?"),
    Asked("event.xlsx", "Which session does Hana Sato give?"),
    Asked("spec.xlsx", "乙型的安装方式是什么？", "导轨", "C4"),
    Asked("spec.xlsx", "丙型的外壳材质是什么？", "不锈钢", "D2"),
    Asked("spec.xlsx", "甲型的产地在哪里？", "苏州", "B5"),
    Asked("spec.xlsx", "丁型的安装方式是什么？"),
    Asked("spec.xlsx", "乙型的颜色是什么？"),
    Asked("loan.xlsx", "What is the occupation of Marta Ruiz?", "Veterinarian", "B3"),
    Asked("loan.xlsx", "Who is the guarantor?", "Pablo Ruiz", "B5"),
    Asked("loan.xlsx", "What is the purpose of the loan?", "Clinic renovation", "B4"),
    Asked(
        "loan.xlsx", "What was the decision on the loan application of Marta Ruiz?", "Approved with conditions", "B7"
    ),
    Asked("loan.xlsx", "What is the nationality of Marta Ruiz?"),
    Asked("供应商名录.xlsx", "云锦纸业的联系人是谁？", "谷雨", "C5"),
    Asked("供应商名录.xlsx", "顺驰货运的合作状态是什么？", "终止", "E6"),
    Asked("供应商名录.xlsx", "赤水盐业的电话是多少？", "555-8102", "D4"),
    Asked("供应商名录.xlsx", "常青是哪家供应商的联系人？", "顺驰货运", "B6"),
    Asked("供应商名录.xlsx", "原料类的供应商联系人是谁？"),
    Asked("供应商名录.xlsx", "松泉矿业的法定代表人是谁？"),
)


def write_documents(folder: Path) -> None:
    """All workbooks, and the deck with its two tables."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, sheet in BOOKS.items():
        _write_book(folder / name, sheet)
    deck = new_deck()
    add_table(add_slide(deck, "Amberline contacts").shapes, CONTACTS)
    add_table(add_slide(deck, "新厂里程碑").shapes, MILESTONES)
    deck.save(str(folder / DECK))


def _write_book(path: Path, drawn: Sheet) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Sheet1"
    for line in drawn.drawn.strip().splitlines():
        cells = [cell.strip() or None for cell in line.split("|")]
        # 001 is a number of an employee, 120 an amount.
        sheet.append([int(cell) if cell and cell.isdigit() and cell[0] != "0" else cell for cell in cells])
    for area in drawn.merged:
        sheet.merge_cells(area)
    for row in drawn.bold:
        for cell in sheet[row]:
            cell.font = Font(bold=True)
    book.save(path)
