import type { Words } from "../en.js";

import { count } from "./amounts.js";

/** Why a terminal was chosen, or none, by what the package says. */
const REASONS: Record<string, string> = {
  "it is bound to this task and in the directory": "它属于这个任务，并且就在该目录",
  "it is bound to this task and can change to the directory": "它属于这个任务，可以 cd 到该目录",
  "it is idle and in the directory": "它空闲，并且就在该目录",
  "it is idle and can change to the directory": "它空闲，可以 cd 到该目录",
  "it is bound to this task and expected in the directory": "它属于这个任务，应当在该目录",
  "it is idle and expected in the directory": "它空闲，应当在该目录",
  "it is bound to this task, and led to the directory because nobody knows where it is":
    "它属于这个任务；不知道它在哪里，所以先 cd",
  "it is idle, and led to the directory because nobody knows where it is":
    "它空闲；不知道它在哪里，所以先 cd",
  "no terminal of this provider is registered": "还没有这种终端",
  "a command could not be run in any of the terminals": "所有终端都无法运行命令",
  "every other terminal is to be closed": "其余终端都待关闭",
  "no other terminal runs the shell that is asked for": "其余终端都不是所要的 Shell",
  "the environment of every other terminal has changed": "其余终端的环境都变了",
  "every other terminal is bound to another task": "其余终端都属于别的任务",
  "every other terminal is busy": "其余终端都在忙",
  "the working directory of no idle terminal is known": "空闲终端的所在目录都不知道",
  "no idle terminal is in the directory, above it or below it":
    "没有空闲终端在该目录、其上级或下级",
  "the shell of the terminal that could change to the directory is not known":
    "可以 cd 的那个终端，不知道它是哪种 Shell",
  "the change of directory cannot be written safely for the terminal's shell":
    "无法为这个终端的 Shell 写出安全的 cd",
};
const CHANGES = /^no idle terminal near the directory may be led elsewhere more than (\d+) times?$/;
const LIMIT = /^there may be at most (\d+) terminals?, and none of them can be closed$/;

/** The words of the terminal board. */
export const terminalsWords: Pick<Words, "board"> = {
  board: {
    send: "一条命令",
    command: "命令",
    directory: "目录",
    forTask: "任务",
    shell: "Shell",
    clean: "需要干净的环境",
    sendIt: "发送",
    rules: "规则",
    platform: "平台",
    posix: "Linux 和 macOS",
    win32: "Windows",
    changes: "终端可以换几次目录",
    most: "终端数量上限",
    noMost: "不限",
    reach: "可以 cd 到",
    reaches: { related: "所在目录的上级和下级", anywhere: "任何目录" },
    steal: "可以用其他任务的终端",
    undo: "撤销",
    clear: "清空",
    example: "示例",
    heading: "终端",
    empty: "还没有终端：第一条命令会打开一个。",
    terminal: (id) => `终端 ${count(id)}`,
    states: { idle: "空闲", busy: "忙", failed: "失败", closing: "待关闭" },
    nowhere: "目录未知",
    certainties: { reported: "已报告", expected: "预计", uncertain: "不确定" },
    aboutCertainty: {
      reported: "Shell 自己报告了所在目录。",
      expected: "先前的命令应当把它带到这里；为稳妥起见先 cd。",
      uncertain: "不知道它在哪里，所以先 cd。",
    },
    waitFor: (ids) => `等${ids.map((id) => `终端 ${count(id)}`).join("或")}空闲`,
    closes: (ids) => `关闭${ids.map((id) => `终端 ${count(id)}`).join("、")}`,
    noTask: "无任务",
    task: (task) => `任务 ${task}`,
    changed: (changes) => `换过 ${count(changes)} 次`,
    environment: "环境已变",
    release: (task) => `结束任务 ${task}`,
    acts: {
      done: "命令结束",
      close: "关闭",
      fail: "失败",
      report: "报告目录",
      lose: "丢失目录",
      change: "改变变量",
      reset: "重置",
    },
    log: "选择了什么，为什么",
    refused: "被拒绝：",
    choices: { reuse: "复用", reuse_with_cd: "cd 后复用", create: "新建", wait: "等待" },
    relations: { same: "同一目录", parent: "在上级", child: "在下级", unrelated: "在别处" },
    tier: (tier) => `第 ${tier} 级`,
    line: "发送的命令行",
    reason: (sentence) =>
      REASONS[sentence] ??
      sentence
        .replace(CHANGES, "附近的空闲终端已经换过 $1 次目录，不能再换")
        .replace(LIMIT, "最多 $1 个终端，而且都不能关闭"),
  },
};
