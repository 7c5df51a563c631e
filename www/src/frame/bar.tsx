import type { VNode } from "preact";

interface BarProps {
  label: string;
  pieces: readonly { name: string; amount: number; title: string; start?: number }[];
  /** The amount that the whole width stands for. */
  total: number;
}

/** Amounts beside each other, as one bar. */
export function Bar({ label, pieces, total }: BarProps): VNode {
  let end = 0;
  const percent = (amount: number): string => `${(100 * amount) / Math.max(1, total)}%`;
  return (
    <svg class="bar" role="img" aria-label={label}>
      {pieces.map(({ name, amount, title, start = end }, at) => {
        end = start + amount;
        return (
          <rect
            key={at}
            class={name}
            x={percent(start)}
            width={percent(amount)}
            y={0}
            height="100%"
          >
            <title>{title}</title>
          </rect>
        );
      })}
    </svg>
  );
}
