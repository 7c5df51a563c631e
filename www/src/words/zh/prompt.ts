import type { Words } from "../en.js";

import { count } from "./amounts.js";

/** The words of the prompt editor. */
export const promptWords: Pick<Words, "prompt"> = {
  prompt: {
    heading: "提示词",
    hint: '@[路径] 是文件，@[路径:3:9] 是其中几行，@[工具{…}] 是工具，![说明](路径) 是图片，@{define 名字, "值"}、@{名字} 和 @{if …} 是宏。',
    placeholder: "问问 @[src/cart.ts]",
    editor: "提示词",
    send: "发送，并写下一条",
    again: "重新开始",
    linked: "链接带上提示词",
    sent: (prompts) => (prompts === 0 ? "还没有发送。" : `已发送 ${count(prompts)} 条。`),
    place: (line, column) => `第 ${count(line)} 行第 ${count(column)} 列`,
    kinds: { file: "文件", tool: "工具", image: "图片", macro: "宏" },
    workspace: "工作区",
    files: "文件",
    tools: "工具",
    rules: "规则",
    path: "路径",
    content: "内容",
    tool: "工具名",
    output: "它的输出",
    rule: "规则名",
    nameless: "（无名）",
    remove: (name) => `删除 ${name}`,
    addFile: "添加文件",
    addTool: "添加工具",
    addRule: "添加规则",
    preview: "将发送的内容",
    placement: "块的位置",
    placements: {
      latest: { title: "latest", about: "只在最新消息里有一个包含一切的块。" },
      delta: {
        title: "delta",
        about: "旧块留在原处，新块只写新的内容；这样提供商的缓存一直有效。",
      },
    },
    budget: "词元预算",
    noBudget: "不限",
    messages: "现在发送的用户消息",
    message: (number, isDraft) => (isDraft ? "正在写的消息" : `消息 ${count(number)}`),
    images: (value) => `另有 ${count(value)} 张图片作为单独的部分。`,
    items: "块里有什么，为什么",
    noItems: "什么也没有。",
    item: "条目",
    why: "为什么",
    size: "字符",
    reason: (type, { source, name, firstTurn, lastTurn }, turn) => {
      if (type === "rule") return "规则，一直都在";
      if (source === "rule") return `规则 ${name} 提到它`;
      if (source === "history") return "来自历史记录";
      if (lastTurn < turn) return `第 ${count(firstTurn)} 条提示词提到过它`;
      return firstTurn < turn
        ? `这条提示词提到它，第 ${count(firstTurn)} 条也提到过`
        : "这条提示词提到它";
    },
    forget: "移除",
    forgetHint: "先前提示词带来的内容会一直保留，直到你把它移除。",
    forgotten: (key, after) => `第 ${count(after)} 条提示词之后移除了 ${key}。再次提到它就会回来。`,
    remember: "撤销",
    omitted: (keys) => `因预算省略：${keys.join("、")}。`,
  },
};
