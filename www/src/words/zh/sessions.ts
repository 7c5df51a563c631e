import type { LoopType } from "turnkeeper";

import type { Mark } from "../../worker/shapes.js";
import { savedOf } from "../saved.js";
import type { Words } from "../en.js";

import { LACKS, callNumber, count } from "./amounts.js";
import { auditWords } from "./audit.js";

/** 循环是什么，一句话。 */
const LOOPS: Record<LoopType, (mark: Mark) => string> = {
  consecutive_identical_tool_calls: ({ tool, count: times }) =>
    `${tool ?? "某个工具"} 以相同参数连续调用了 ${count(times)} 次。`,
  repeated_tool_cycle: ({ count: times }) => `同样几个调用循环了 ${count(times)} 轮。`,
  same_tool_different_arguments: ({ tool, count: times }) =>
    `${tool ?? "某个工具"} 连续调用了 ${count(times)} 次，每次参数不同。`,
  repeated_error: ({ count: times }) => `同样的错误出现了 ${count(times)} 次。`,
  chanting_identical_sentences: ({ count: times, channel }) =>
    `${channel === "reasoning" ? "思考" : "回答"}中同样的话重复了 ${count(times)} 次。`,
  monologue: ({ count: times }) => `模型说了 ${count(times)} 次，却什么也没做。`,
  llm_detected_loop: () => "被询问的模型认为这是循环。",
  host_detected_loop: () => "智能体自己报告了循环。",
};

const ACTIONS = { ...auditWords.action, saved: "停止之后" };

/** The words of the view of sessions. */
export const sessionsWords: Pick<
  Words,
  | "rules"
  | "sessions"
  | "actions"
  | "play"
  | "findings"
  | "events"
  | "labels"
  | "saving"
  | "tools"
  | "costs"
> = {
  rules: {
    heading: "规则",
    profile: "规则集",
    ofOthers: "其他智能体的",
    model: "模型",
    asSession: "按会话",
    identicalCalls: "相同调用次数",
    repeatedPassages: "重复段落次数",
    asProfile: "按规则集",
    hint: "由谁的规则判断，以及允许重复多少次。图会随输入改变。",
    refused: "此设置不被接受：",
  },
  sessions: {
    timeline: "智能体做了什么",
    judging: "正在判断…",
    comparison: "各规则集会怎么做",
    where: "位置",
    others: (agents) => `其他 ${count(agents)} 个智能体的规则`,
    nudge: "提醒",
    stop: "停止",
    callsAfter: "之后的调用",
    never: "–",
    chosen: "（所选）",
    atCall: (call) => (call === null ? "开头" : `调用 ${callNumber(call)}`),
    headline: ({ calls, loops }, { marks }) => {
      if (loops.length === 0) return `${count(calls)} 个调用，没有循环。`;
      const found = `${count(calls)} 个调用，${count(loops.length)} 个循环。`;
      const stop = marks.find(({ action }) => action === "stop");
      if (!stop) return `${found}会有提醒，但不会停止。`;
      const where = stop.call === null ? "第一个调用之前" : `调用 ${callNumber(stop.call)} 处`;
      return `${found}在${where}停止。`;
    },
    money: ({ usage, saveable }) => {
      const saved = auditWords.saved(usage, saveable);
      const cost = `成本为 ${auditWords.cost(usage)}`;
      if (saved === undefined) return `${cost}。`;
      const said = `${saved}本可省下。`;
      return savedOf(usage, saveable)?.unit === "dollars" ? said : `${cost}；${said}`;
    },
    mark: (mark) => `${ACTIONS[mark.action]}：${LOOPS[mark.type](mark)}`,
  },
  actions: ACTIONS,
  play: {
    heading: "播放调用",
    run: "播放",
    pause: "暂停",
    back: "后退",
    step: "前进",
    call: "调用",
    at: (call, calls) => `调用 ${callNumber(call)}，共 ${count(calls)}`,
  },
  findings: {
    heading: "发现",
    none: "没有发现循环。",
    blind: (lacks) =>
      `此会话没有${lacks.map((lack) => LACKS[lack]).join("，也没有")}，需要它们的规则保持沉默。`,
    what: (mark) => LOOPS[mark.type](mark),
    count: (value, threshold) => `${count(value)} 次，阈值为 ${count(threshold)}`,
    show: (call) => `显示调用 ${callNumber(call)}`,
    toModel: "给模型的消息",
    evidence: "证据",
    more: (value) => `还有 ${count(value)} 个。`,
  },
  events: {
    heading: "事件",
    list: (rows) => `会话的事件，共 ${count(rows)} 行`,
    hint: "“3/5”：正在进行的最长重复已有 3 次调用，到 5 次规则就会干预。调用有了结果才计数。",
    selected: "所选事件",
    text: "全文",
    pieces: (value) => `${count(value)} 段`,
    run: (value, threshold) => `最长连续：${count(value)} / ${count(threshold)}`,
    find: "在事件中查找",
    next: "下一个",
    nowhere: "没有找到",
    place: (place, unit) => `第 ${count(place)} ${unit === "line" ? "行" : "个元素"}`,
    time: (time) =>
      new Date(time).toLocaleString("zh-CN", { dateStyle: "medium", timeStyle: "medium" }),
    afterStop: "在停止之后，因此不会发生",
    more: (characters) => `另有 ${count(characters)} 个字符未显示。`,
  },
  labels: {
    text: "文本",
    thinking: "思考",
    call: "调用",
    result: "结果",
    error: "错误",
    turn: "回合",
    user: "用户",
    prompt: "提示",
    finished: "完成",
    condensed: "压缩",
    retry: "重试",
    loop: "循环",
    other: "其他",
  },
  saving: {
    page: "保存为网页（HTML）",
    picture: "保存为图片（PNG）",
    texts: "网页带有会话的标题、文件夹和文字",
  },
  tools: {
    heading: "哪些工具占得最多",
    tool: "工具",
    tokens: "词元",
    calls: "调用",
    failed: "失败",
  },
  costs: {
    heading: "花费了什么",
    hint: "按种类的词元数和带 ~ 的数值根据文本估算；一个请求不超过模型的窗口，窗口未知时不超过 200,000 词元。过时的部分就是“上下文”视图中“继续任务”会移除的部分。",
    download: "保存数据（JSON）",
  },
};
