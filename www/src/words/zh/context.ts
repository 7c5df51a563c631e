import type { Words } from "../en.js";

import { count } from "./amounts.js";

/** The words of the view of a history. */
export const contextWords: Pick<Words, "history" | "blockKinds" | "fates"> = {
  history: {
    presetHeading: "修复",
    preset: "去掉什么",
    presets: {
      duplicates: {
        title: "同一消息里的重复块",
        about: "每条用户消息只留最新的环境块；与 turnkeeper repair 相同。",
      },
      sections: { title: "未变的小节", about: "旧的环境块只保留有变化的小节。" },
      recent: { title: "只留最新环境", about: "只有最新的用户消息保留环境块。" },
      files: { title: "又读过的文件", about: "若同一文件后来又被读取，旧内容换成一行说明。" },
      resume: {
        title: "恢复任务时",
        about: '只留最新的环境块；又读过的文件只留最新一份（economy: "resume"）。',
      },
      compact: {
        title: "上下文快满时",
        about:
          '与恢复任务相同，另外去掉重复的结果和整份写入的文件，达到目标大小（按本包的估算）即止；模型离不开的内容会保留，即使因此超出（economy: "compact"）。',
      },
    },
    target: "目标大小（词元）",
    noTarget: "尽可能小",
    goneHeading: "去掉的内容",
    gone: {
      duplicate: (items, tokens) => `${count(items)} 个重复块，约 ${count(tokens)} 个词元`,
      environment: (items, tokens) => `${count(items)} 个过时的环境块，约 ${count(tokens)} 个词元`,
      file: (items, tokens) => `${count(items)} 份旧的文件内容，约 ${count(tokens)} 个词元`,
      result: (items, tokens) => `${count(items)} 个重复的结果，约 ${count(tokens)} 个词元`,
      write: (items, tokens) =>
        `${count(items)} 个后来又改过的写入文件，约 ${count(tokens)} 个词元`,
    },
    judging: "正在比较前后…",
    noHistory:
      "此格式只是事件记录，不是会再次发给模型的历史。Cline、Claude Code、Anthropic、OpenAI、Gemini 和 AI SDK 的历史可以修复。",
    sizes: "前后对比",
    headline: ({ messages, messagesChanged, tokensSaved, before, after }) => {
      const saved = before.total - after.total;
      const share = before.total === 0 ? 0 : Math.round((100 * saved) / before.total);
      return `${count(messages)} 条消息，${count(messagesChanged)} 条改变：减少 ${count(tokensSaved)} 个词元，占历史的 ${share} %。`;
    },
    order: "按顺序",
    orderPicture: ({ messages }) => `${count(messages)} 条消息的各块，按顺序；带斜线的被去掉`,
    before: "之前",
    after: "之后",
    barPicture: (when, tokens) => `${when === "before" ? "之前" : "之后"}：${count(tokens)} 个词元`,
    byKind: "各类词元（估算）",
    kind: "种类",
    total: "合计",
    download: "保存修复后的文件",
    blocks: "块",
    list: (rows) => `历史的块，共 ${count(rows)} 行`,
  },
  blockKinds: {
    system: "系统",
    environment: "环境",
    user: "用户",
    text: "助手",
    reasoning: "思考",
    calls: "工具调用",
    results: "工具结果",
    images: "图片",
  },
  fates: { kept: "保留", removed: "去掉", new: "替换为" },
};
