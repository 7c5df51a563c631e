import type { Words } from "../en.js";

import { count } from "./amounts.js";

/** The words around the views, and of where a session comes from. */
export const frameWords: Pick<
  Words,
  "frame" | "views" | "samples" | "formats" | "places" | "source"
> = {
  frame: {
    about: "看看编程智能体在哪里原地打转，花费了多少。任何内容都不会离开本页。",
    skip: "跳到正文",
    language: "语言",
    theme: "配色",
    themeOfSystem: "跟随系统",
    light: "浅色",
    dark: "深色",
    views: "视图",
    footer: (version) => `本页的一切都由 turnkeeper ${version} 在本页内完成。`,
    documents: "文档",
    readme: "README.zh-CN.html",
    package: "软件包（.tgz）",
    offline: "离线版（.zip）",
    source: "源代码",
    licences: "许可证",
  },
  views: {
    sessions: "会话",
    context: "上下文",
    prompt: "提示词",
    terminals: "终端",
    memory: "记忆",
  },
  samples: {
    stuckTests: {
      title: "卡在一个测试上（Claude Code）",
      about: "四十个调用、几美元：一半花在同一个失败的测试上，中间什么也没改。",
    },
    sameSearch: {
      title: "同样的搜索（gemini-cli）",
      about: "智能体在三个调用的圈子里寻找一个不存在的名字。",
    },
    fileAfterFile: {
      title: "一个接一个地读文件（事件行）",
      about: "预览模型不停地读文件，从不回答；standard 规则会停止它。",
    },
    resumedTask: {
      title: "恢复的任务（Cline）",
      about: "任务恢复过两次，历史里带着过时的编辑器状态和重复的文件。",
    },
    brokenCommand: {
      title: "总是失败的命令（OpenHands）",
      about: "无论智能体怎么试，都是同一个错误。",
    },
    patchAgain: {
      title: "同一个补丁（Codex）",
      about: "一个打不上的补丁反复尝试，直到预算用完。",
    },
    sameWords: {
      title: "同样的话（事件行）",
      about: "一个卡在同一句话上的中文回答。",
    },
    healthy: {
      title: "健康的会话（事件行）",
      about: "二十五个调用，修好一个错误，没有循环。",
    },
  },
  formats: {
    events: "事件行",
    cline: "Cline、Roo 或 Kilo 历史",
    "cline-ui": "Cline、Roo 或 Kilo ui_messages",
    "cline-markdown": "Cline、Roo 或 Kilo 导出",
    "gemini-cli": "gemini-cli 会话",
    gemini: "Gemini 消息",
    "claude-code": "Claude Code 会话",
    "claude-stream": "Claude Code stream-json 输出",
    "gemini-stream": "gemini-cli stream-json 输出",
    codex: "Codex 记录",
    openhands: "OpenHands 事件",
    "openhands-eval": "OpenHands 评测输出",
    "swe-agent": "SWE-agent 轨迹",
    "mini-swe-agent": "mini-swe-agent 轨迹",
    pi: "pi 会话",
    opencode: "opencode 会话",
    goose: "goose 会话",
    "copilot-chat": "VS Code Copilot 聊天",
    "copilot-cli": "Copilot CLI 会话",
    "qwen-code": "Qwen Code 会话",
    kimi: "Kimi CLI 会话",
    crush: "crush 会话",
    atif: "ATIF 轨迹",
    hermes: "Hermes 会话",
    codebuddy: "CodeBuddy 会话",
    nanobot: "nanobot 会话",
    kiro: "Kiro 会话",
    continue: "Continue 会话",
    "pydantic-ai": "pydantic-ai 消息历史",
    "tau-bench": "tau-bench 或 tau2-bench 结果",
    anthropic: "Anthropic 消息",
    openai: "OpenAI 消息",
    "ai-sdk": "AI SDK 消息",
    messages: "聊天消息",
  },
  places: {
    heading: "我的会话在哪里？",
    copy: "复制",
    copied: "已复制",
    copyOf: (agent) => `复制 ${agent} 的文件夹`,
    hint: "也可以打开 Anthropic、OpenAI、Gemini 和 AI SDK 的消息，以及 SWE-agent 保存的文件。数据库请用命令。",
  },
  source: {
    heading: "会话",
    sample: "或选一个示例",
    own: "你自己的会话",
    open: "打开文件…",
    openFolder: "打开文件夹…",
    auditing: "正在查看文件夹…",
    folder: (name) => `文件夹 ${name}`,
    noSessions: "此文件夹中没有找到会话。",
    skipped: (files) => `跳过了 ${count(files)} 个文件：不是会话。`,
    paste: "粘贴",
    pasteHere: "会话的文本",
    openPasted: "显示",
    hint: "打开文件夹可以看到其中所有会话的成本。",
    reading: "正在读取…",
    broken: "无法读取：",
    cutOff: ({ line, count: lines, isRest }) => {
      if (line === undefined) return "文件只能读取一部分：";
      if (isRest) return `文件只能读到第 ${count(line)} 行：`;
      return `文件有 ${count(lines)} 行无法读取。第 ${count(line)} 行或元素：`;
    },
    dropOr: "把智能体保存的会话拖到这里，或本页任意位置",
    dropHere: "把会话拖到这里",
    oneFile: "一次只拖一个文件。",
    noFile: "这不是文件。",
  },
};
