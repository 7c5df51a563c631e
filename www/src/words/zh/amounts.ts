/** A number, as it is written in Chinese. */
export const count = (value: number): string => value.toLocaleString("zh-CN");
