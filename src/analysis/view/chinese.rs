//! The words in Chinese.

use crate::agents::agent_title;
use crate::audit_words::{Saved, Today, finding_advice, in_two_digits, mark, project_name};
use crate::findings::Finding;
use crate::findings::Waste;
use crate::report::{Action, Lack, Loop, Saveable, TokenKind, Total, Usage};
use crate::tools::CallKind;
use crate::wording::{call_number, fixed, grouped};
use turnkeeper_loop_detector::Channel;

use super::words::{Column, Figure, Words};

/// The words in Chinese.
pub static CHINESE: Words = Words {
    language: "zh-CN",
    count: grouped,
    dollars,
    cost,
    about: |count| format!("约 {}", about(count)),
    saved,
    day,
    title: |sessions| format!("{} 个会话的成本", grouped(sessions)),
    headline,
    notes,
    prices: |prices| format!("价格来自 {}（{}）", prices.source, prices.date),
    facts: |session| {
        let counts = &session.counts;
        let said = [
            (counts.left_out, "省略了子智能体的", "行"),
            (counts.unread, "无法读取", "条记录"),
            (counts.copied, "已在其他会话中计入", "条记录"),
        ];
        let said = said.iter().filter(|(count, ..)| *count > 0);
        let mut facts: Vec<String> = said
            .map(|(count, what, unit)| format!("{what} {} {unit}", grouped(*count)))
            .collect();
        if !session.blind.is_empty() {
            let lacks: Vec<&str> = session.blind.iter().map(|&it| lack(it)).collect();
            facts.push(format!("没有{}", lacks.join("和")));
        }
        facts
    },
    findings: "花在了哪里",
    finding_title,
    finding_place: |finding| {
        let project = finding.project.map(project_name);
        let project = project.map(|project| format!("（{project}）"));
        format!(
            "多数来自 {}{}",
            agent_title(finding.agent),
            project.unwrap_or_default()
        )
    },
    finding_advice: |finding, shell| {
        let mut advice = finding_advice(finding, shell);
        advice.does = match finding.waste {
            Waste::Loops => "让它停下",
            Waste::Outdated => "精简最严重的一个，或在任务结束时开始新会话",
            Waste::Rereads => "提醒它已经做过的工作",
            Waste::Pauses => "在休息之前压缩，或在之后开始新会话",
        };
        advice
    },
    sessions: "会话，浪费最多的在前",
    column: |column| match column {
        Column::Session => "会话",
        Column::Agent => "智能体",
        Column::Project => "项目",
        Column::When => "时间",
        Column::Calls => "调用",
        Column::Cost => "成本",
        Column::ToSave => "可省",
        Column::Outdated => "过时词元",
        Column::Loops => "循环",
    },
    call: |kind| match kind {
        CallKind::Read => "读取",
        CallKind::Search => "搜索",
        CallKind::Edit => "编辑",
        CallKind::Run => "运行命令",
        CallKind::Browse => "浏览网页",
        CallKind::Ask => "询问或告知用户",
        CallKind::Other => "其他",
    },
    tokens: |kind| match kind {
        TokenKind::System => "系统与宿主",
        TokenKind::Environment => "环境",
        TokenKind::User => "用户",
        TokenKind::Text => "助手文本",
        TokenKind::Reasoning => "思考",
        TokenKind::Calls => "工具调用",
        TokenKind::Results => "工具结果",
    },
    tokens_by_kind: "按种类的词元数",
    estimated: "根据文本估算",
    profile: "判断循环的规则",
    stripes: "每个调用是一条",
    loops_below: "下方是循环",
    action: |action| match action {
        Action::Nudge => "提醒",
        Action::Stop => "停止",
    },
    timeline_of: |session| {
        let loops = match session.loops.len() {
            0 => "没有循环".to_owned(),
            loops => format!("{} 个循环", grouped(loops as u64)),
        };
        format!("{} 个调用的时间线；{loops}", grouped(session.counts.calls))
    },
    stretch: |first, last, what| match first == last {
        true => format!("调用 {}：{what}", call_number(first)),
        false => {
            let [first, last] = [first, last].map(call_number);
            format!("调用 {first} 至 {last}：{what}")
        }
    },
    where_of,
    figure: |figure| match figure {
        Figure::Cost => "成本",
        Figure::ToSave => "本可省下",
        Figure::Loops => "循环",
        Figure::Calls => "工具调用",
        Figure::Sent => "发送的词元",
        Figure::Cached => "其中来自缓存",
        Figure::Written => "模型写出的词元",
        Figure::Outdated => "过时词元",
        Figure::Rereads => "压缩之后重复的调用",
        Figure::Pauses => "缓存过期之后的请求",
        Figure::Terminals => "可在已打开终端中运行的命令",
    },
    unread: "未读取",
    skipped: "已跳过：不是会话",
    line: "行",
};

fn dollars(amount: f64, is_estimated: bool) -> String {
    let mark = mark(is_estimated);
    if amount > 0.0 && amount < 0.01 {
        format!("{mark}不到 US$0.01")
    } else {
        format!("{mark}US${}", fixed(amount, 2))
    }
}

fn cost(usage: &Usage) -> String {
    let tokens = |count| match usage.is_estimated {
        true => format!("约 {} 词元", about(count)),
        false => format!("{} 词元", grouped(count)),
    };
    let Some(amount) = usage.dollars else {
        return tokens(usage.tokens);
    };
    let amount = dollars(amount, usage.is_cost_estimated);
    match usage.unpriced.as_ref().filter(|it| it.tokens > 0) {
        Some(unpriced) => format!("{amount} + {}", tokens(unpriced.tokens)),
        None => amount,
    }
}

/// The first two digits of a number that is estimated.
fn about(count: u64) -> String {
    let count = in_two_digits(count);
    match count {
        0..10_000 => grouped(count),
        10_000..100_000_000 => format!("{} 万", count as f64 / 1e4),
        _ => format!("{} 亿", count as f64 / 1e8),
    }
}

fn day(time: &str, today: &Today) -> String {
    match today.parts(time) {
        None => "-".to_owned(),
        Some((month, day, None)) => format!("{month}月{day}日"),
        Some((month, day, Some(year))) => format!("{year}年{month}月{day}日"),
    }
}

fn saved(usage: &Usage, saveable: &Saveable) -> Option<String> {
    let saved = Saved::of(usage, saveable)?;
    let calls = match saveable.calls() {
        0 => String::new(),
        calls => format!("{} 个调用、", grouped(calls)),
    };
    let amounts = match saved {
        Saved::Money { part, whole } => {
            let whole = dollars(whole, usage.is_cost_estimated);
            format!("{whole} 中的 {}", dollars(part, false))
        }
        Saved::Tokens { part, whole } => {
            format!("约 {} 词元中的 {} 词元", about(whole), about(part))
        }
    };
    let share = saved.share().map(|share| format!("（{share} %）"));
    Some(format!("{calls}{amounts}{}", share.unwrap_or_default()))
}

fn headline(total: &Total, period: &str) -> String {
    let Total {
        usage, saveable, ..
    } = total;
    let sessions = grouped(total.sessions);
    let head = format!("{period}：{sessions} 个会话");
    let said = saved(usage, saveable).map(|saved| format!("；{saved}本可省下"));
    let said = said.unwrap_or_default();
    if !matches!(Saved::of(usage, saveable), Some(Saved::Money { .. })) {
        return format!("{head}，{}{said}", cost(usage));
    }
    let unpriced = usage.unpriced.as_ref().filter(|it| it.tokens > 0);
    let without = unpriced.map(|it| format!("；{} 词元没有价格", about(it.tokens)));
    format!("{head}{said}{}", without.unwrap_or_default())
}

fn notes(total: &Total) -> Vec<String> {
    let unpriced = total.usage.unpriced.as_ref();
    let unpriced = unpriced.filter(|it| !it.models.is_empty()).map(|it| {
        let (models, tokens) = (it.models.join("、"), grouped(it.tokens));
        format!("没有价格：{models}（{tokens} 词元）。")
    });
    let said = [
        (total.counts.unread, "无法读取，未计入"),
        (total.counts.copied, "是其他会话的副本，只计一次"),
    ];
    let said = said.iter().filter(|(count, _)| *count > 0);
    let said = said.map(|(count, what)| format!("{} 条记录{what}。", grouped(*count)));
    unpriced.into_iter().chain(said).collect()
}

fn finding_title(finding: &Finding) -> String {
    let (count, tokens) = (grouped(finding.count), grouped(finding.tokens));
    match finding.waste {
        Waste::Loops => format!("循环：{count} 个，首次提醒之后又用了 {tokens} 词元"),
        Waste::Outdated => {
            format!("过时的上下文：{count} 个块或文件已被更新的消息取代，历史中共 {tokens} 词元")
        }
        Waste::Rereads => {
            format!("压缩之后重新读取：{count} 个调用得到相同结果，{tokens} 词元")
        }
        Waste::Pauses => format!("停顿超过缓存时间：{count} 个请求重新支付了整个上下文"),
    }
}

fn where_of(found: &Loop) -> String {
    let call = |call: Option<u64>| call_number(call.unwrap_or(0));
    let text = match found.channel {
        None => {
            return format!(
                "调用 {} 至 {}",
                call(found.first_call),
                call(found.last_call)
            );
        }
        Some(Channel::Text) => "回答",
        Some(Channel::Reasoning) => "思考",
    };
    match found.first_call {
        None => format!("{text}，首次调用之前"),
        Some(_) => format!("{text}，调用 {} 之后", call(found.first_call)),
    }
}

fn lack(lack: Lack) -> &'static str {
    match lack {
        Lack::Calls => "调用",
        Lack::Arguments => "参数",
        Lack::Results => "结果",
        Lack::Prompts => "用户消息",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimated_tokens_have_two_digits() {
        let said = [0, 7, 1_234, 56_789, 52_094_935, 206_000_000_000].map(about);
        assert_eq!(said, ["0", "7", "1,200", "5.7 万", "5200 万", "2100 亿"]);
    }
}
