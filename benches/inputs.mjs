// What the detectors are fed: healthy work that is no loop, and the same at every run.

/** Numbers from 0 up to 1 (mulberry32), the same for the same seed. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const english = {
  words: (
    "the to a of and in is it that this for with on we file as test now be not from but then " +
    "which function are first will if value its at call need one there has by same so only old " +
    "new before after change where would module type still error without already parser returns " +
    "because line reads case each config written look handle option missing server result later " +
    "check name empty request other cache another path helper state failing branch between input " +
    "directly longer client session careful buffer looks while message update correct default " +
    "remaining method string simple started expected removed rather second version record small " +
    "existing behaviour keeps twice caller handler limit folder explains probably instead package " +
    "through command either moved stream earlier public import decide usually trace possible"
  ).split(" "),
  space: " ",
  comma: ", ",
  stop: ". ",
};

const chinese = {
  words: (
    "的 我们 这个 文件 在 了 是 和 函数 需要 先 测试 会 不 就 看 一下 现在 它 返回 错误 可以 因为 所以 " +
    "如果 修改 代码 已经 里面 没有 调用 参数 类型 之后 然后 检查 配置 问题 模块 那么 结果 处理 请求 缓存 " +
    "路径 还 有 新 旧 行为 状态 读取 写入 默认 值 之前 另外 一个 客户端 服务 器 会话 消息 更新 正确 方法 " +
    "字符 串 简单 开始 预期 删除 而不是 第二 版本 记录 保持 两次 限制 目录 说明 可能 通过 命令 移动 流 公开 " +
    "导入 决定 通常 跟踪 分支 之间 输入 直接 选项 缺少 仍然 编译 依赖 接口 实现 用户 界面 循环 条件"
  ).split(" "),
  space: "",
  comma: "，",
  stop: "。",
};

const LANGUAGES = { english, chinese };
const PROSE_LENGTH = 600_000;

/**
 * Deltas of prose with lengths from `shortest` to `longest`: paragraphs, no Markdown, in which
 * frequent words are frequent. There is neither a fence nor a list nor a table in it, all of which
 * make gemini-cli start afresh, and cost it less.
 */
export function proseDeltas({ language, shortest, longest }) {
  const random = randomFrom(7);
  const text = prose(LANGUAGES[language], random);
  const deltas = [];
  for (let at = 0; at + longest <= text.length;) {
    const length = shortest + Math.floor(random() * (longest - shortest + 1));
    deltas.push(text.slice(at, at + length));
    at += length;
  }
  // A slice still points into the whole text; what comes from a parser is a string of its own.
  return JSON.parse(JSON.stringify(deltas));
}

/** The whole prose of a language. */
export const proseOf = (language) => prose(LANGUAGES[language], randomFrom(7));

function prose({ words, space, comma, stop }, random) {
  const pieces = [];
  let length = 0;
  for (let sentence = 1; length < PROSE_LENGTH; sentence++) {
    const count = 6 + Math.floor(random() * 14);
    for (let place = 0; place < count; place++) {
      const word = words[Math.floor(random() ** 2 * words.length)];
      const isLast = place === count - 1;
      pieces.push(
        place === 0 ? word[0].toUpperCase() + word.slice(1) : word,
        isLast ? stop : random() < 0.1 ? comma : space,
      );
    }
    if (sentence % 5 === 0) pieces.push("\n\n");
    length = sentence * count * 4;
  }
  return pieces.join("");
}

/** The JSON of the arguments of call number `index`, by shape; no two calls are the same. */
const ARGUMENTS = {
  small: (index) => ({
    path: `src/app/part-${number(index)}.ts`,
    start_line: index % 900,
    end_line: (index % 900) + 40,
  }),
  file: (index, size) => ({
    file_path: `src/app/part-${number(index)}.ts`,
    content: `// Part ${number(index)}\n${code().slice(0, size)}`,
  }),
};

/** The JSON of `count` calls' arguments. */
export function callArguments({ shape, size, count }) {
  return Array.from({ length: count }, (_, index) => JSON.stringify(ARGUMENTS[shape](index, size)));
}

function number(index) {
  return String(index).padStart(5, "0");
}

let written;

/** Source code of no meaning but the usual mix of letters, quotes, indentation and line ends. */
/** The source code that calls write. */
export const codeOf = () => code();

function code() {
  if (written !== undefined) return written;
  const random = randomFrom(11);
  const word = () => english.words[Math.floor(random() * english.words.length)];
  const lines = [];
  for (let length = 0; length < 110_000; length += lines.at(-1).length) {
    const indent = "  ".repeat(1 + Math.floor(random() * 4));
    lines.push(
      `${indent}const ${word()}_${word()} = ${word()}("${word()} ${word()}", ${word()}.${word()});\n`,
    );
  }
  return (written = lines.join(""));
}
