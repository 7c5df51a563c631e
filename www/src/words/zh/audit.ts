import type { Finding, Saveable, Usage } from "../../worker/shapes.js";
import { savedOf } from "../saved.js";
import type { Words } from "../en.js";

import { callNumber, count, dollars, rounded } from "./amounts.js";

const DAY = new Intl.DateTimeFormat("zh-CN", { month: "short", day: "numeric", year: "numeric" });

const amount = (value: number, isEstimated = false): string =>
  `${isEstimated ? "~" : ""}${dollars(value)}`;

const about = (value: number): string => `约 ${rounded(value)}`;

/** 例如“9 个调用、US$0.07 中的 US$0.04（57 %）”；没有则为 undefined。 */
const savedInWords = (usage: Usage, saveable: Saveable): string | undefined => {
  const saved = savedOf(usage, saveable);
  if (!saved) return undefined;
  const { calls, unit, part, whole, share } = saved;
  const amounts =
    unit === "dollars"
      ? `${amount(whole, usage.isCostEstimated)} 中的 ${amount(part)}`
      : `${about(whole)} 词元中的 ${about(part)} 词元`;
  return `${calls > 0 ? `${count(calls)} 个调用、` : ""}${amounts}${share && `（${share}）`}`;
};

/** 审计图表中的文字。 */
export const auditWords: Words["audit"] = {
  count,
  dollars: amount,
  day: (time) => DAY.format(new Date(time)),
  cost: ({ dollars: cost, tokens, isEstimated, isCostEstimated, unpriced }) => {
    const some = (value: number): string => `${isEstimated ? about(value) : count(value)} 词元`;
    if (cost === undefined) return some(tokens);
    const rest = unpriced?.tokens ? ` + ${some(unpriced.tokens)}（没有价格）` : "";
    return `${amount(cost, isCostEstimated)}${rest}`;
  },
  about,
  saved: savedInWords,
  headline: ({ usage, saveable, sessions }, folder) => {
    const head = `${folder}：${count(sessions)} 个会话`;
    const saved = savedInWords(usage, saveable);
    const said = saved === undefined ? "" : `；${saved}本可省下`;
    if (savedOf(usage, saveable)?.unit !== "dollars")
      return `${head}，${auditWords.cost(usage)}${said}`;
    const unpriced = usage.unpriced?.tokens ?? 0;
    return `${head}${said}${unpriced > 0 ? `；${about(unpriced)} 词元没有价格` : ""}`;
  },
  findings: "花在了哪里",
  findingTitle: (finding) => TITLES[finding.waste](finding),
  findingPlace: ({ agent, project }) =>
    `多数来自 ${agent}${project === undefined ? "" : `（${project}）`}`,
  findingDoes: ({ waste }) => ADVICE[waste],
  sessions: "会话，浪费最多的在前",
  columns: {
    session: "会话",
    agent: "智能体",
    project: "项目",
    when: "时间",
    calls: "调用",
    cost: "成本",
    toSave: "可省",
    outdated: "过时词元",
    loops: "循环",
  },
  calls: {
    read: "读取",
    search: "搜索",
    edit: "编辑",
    run: "运行命令",
    browse: "浏览网页",
    ask: "询问或告知用户",
    other: "其他",
  },
  tokens: {
    system: "系统与宿主",
    environment: "环境",
    user: "用户",
    text: "助手文本",
    reasoning: "思考",
    calls: "工具调用",
    results: "工具结果",
  },
  tokensByKind: "按种类的词元数",
  action: { nudge: "提醒", stop: "停止" },
  timelineOf: ({ calls, loops }) =>
    `${count(calls)} 个调用的时间线；${loops.length === 0 ? "没有循环" : `${count(loops.length)} 个循环`}`,
  stretch: (first, last, what) =>
    `${first === last ? `调用 ${callNumber(first)}` : `调用 ${callNumber(first)} 至 ${callNumber(last)}`}：${what}`,
  figures: {
    cost: "成本",
    toSave: "本可省下",
    calls: "工具调用",
    loops: "循环",
    sent: "发送的词元",
    cached: "其中来自缓存",
    written: "模型写出的词元",
    outdated: "过时词元",
    rereads: "压缩之后重复的调用",
    pauses: "缓存过期之后的请求",
    terminals: "可在已打开终端中运行的命令",
  },
};

const TITLES: Record<Finding["waste"], (finding: Finding) => string> = {
  loops: ({ count: loops, tokens }) =>
    `循环：${count(loops)} 个，首次提醒之后又用了 ${count(tokens)} 词元`,
  outdated: ({ count: items, tokens }) =>
    `过时的上下文：${count(items)} 个块或文件已被更新的消息取代，历史中共 ${count(tokens)} 词元`,
  rereads: ({ count: calls, tokens }) =>
    `压缩之后重新读取：${count(calls)} 个调用得到相同结果，${count(tokens)} 词元`,
  pauses: ({ count: requests }) =>
    `停顿超过缓存时间：${count(requests)} 个请求重新支付了整个上下文`,
};

const ADVICE: Record<Finding["waste"], string> = {
  loops: "让它停下",
  outdated: "精简最严重的一个，或在任务结束时开始新会话",
  rereads: "提醒它已经做过的工作",
  pauses: "在休息之前压缩，或在之后开始新会话",
};
