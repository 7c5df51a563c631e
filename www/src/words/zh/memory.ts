import type { Words } from "../en.js";

import { count } from "./amounts.js";

/** The words of the view of the memory. */
export const memoryWords: Pick<Words, "memory"> = {
  memory: {
    heading: "回合",
    hint: "每个回合发生的事。随意修改，旁边的提示会随之改变。",
    turns: "回合",
    turn: (number) => `回合 ${count(number)}`,
    fields: {
      task: "任务（空：同前）",
      user: "用户说",
      thinking: "思考，每行一轮",
      recall: "回忆：在先前回合中寻找的词",
      summary: "回合结束时的总结",
      insights: "要点，每行一个",
    },
    addTurn: "添加回合",
    again: "重新开始",
    budget: "总结的词元预算",
    noBudget: "不限",
    foldAnswer: "要求合并总结时模型的回答",
    preview: (turn) => `回合 ${count(turn)} 的提示`,
    phase: "阶段",
    phases: { thinking: "思考", action: "行动" },
    aboutPhase: {
      thinking: "模型思考要做什么，能看到整个对话。",
      action: "模型调用工具，能看到总结、自己的思考和它回忆的内容。",
    },
    recalled: (messages) => `${count(messages)} 条消息被回忆到行动阶段。`,
    request: "请求总结",
    aboutRequest: {
      due: "这个回合还没有总结，所以在结束时向模型提出：",
      answered: "表单里的总结就是对它的回答。",
    },
    requestText: "向模型提出的请求",
    schema: "回答的 JSON Schema",
    folds: "合并的总结",
    noFold: "预算足够：无需合并。",
    fold: (turn, from, to) =>
      from === to
        ? `回合 ${count(turn)} 之后：回合 ${count(from)} 的总结改写得更短`
        : `回合 ${count(turn)} 之后：回合 ${count(from)} 到 ${count(to)} 合为一条`,
    foldRequest: "向模型提出的请求",
    after: "本回合之后的记忆",
    system: "系统提示",
    context: "工作区上下文",
    history: "历史",
    noHistory: "空：没有回忆，也还没有思考。",
    message: (number) => `消息 ${count(number)}`,
    forged: "这个标题是别人写的；它被标记，因此不起作用",
  },
};
