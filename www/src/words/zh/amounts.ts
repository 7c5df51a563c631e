import type { Lack } from "../../worker/shapes.js";

/** A number, as it is written in Chinese. */
export const count = (value: number): string => value.toLocaleString("zh-CN");

/** The number of a call for people, who count from 1. */
export const callNumber = (call: number): string => count(call + 1);

/** A part of a whole, in percent. */
export const share = (value: number): string =>
  value.toLocaleString("zh-CN", { style: "percent", maximumFractionDigits: 1 });

/** A number that is estimated, in its first two digits. */
export const rounded = (value: number): string => {
  const form: Intl.NumberFormatOptions = value >= 10_000 ? { notation: "compact" } : {};
  return value.toLocaleString("zh-CN", { ...form, maximumSignificantDigits: 2 });
};

/** An amount of US dollars. */
export const dollars = (value: number): string => {
  const isTiny = value > 0 && value < 0.01;
  const amount = Math.max(value, isTiny ? 0.01 : 0);
  const written = amount.toLocaleString("zh-CN", { style: "currency", currency: "USD" });
  return isTiny ? `不到 ${written}` : written;
};

/** 会话可能缺少的内容。 */
export const LACKS: Record<Lack, string> = {
  calls: "调用",
  arguments: "参数",
  results: "结果",
  prompts: "用户消息",
};
