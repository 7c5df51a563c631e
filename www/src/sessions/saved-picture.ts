// The picture that people post: the sentence, and the calls as stripes. Nothing that the session says is in it.

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 60;
const INNER = WIDTH - 2 * MARGIN;

/** Draws what a section of the page shows, in its colours, as a PNG. */
export async function pictureOf(section: Element, sentences: readonly string[]): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d")!;
  const { backgroundColor, color, fontFamily } = getComputedStyle(section);
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = color;
  pen.textBaseline = "top";
  let y = MARGIN;
  const write = (text: string, size: number, weight: number): void => {
    pen.font = `${weight} ${size}px ${fontFamily}`;
    for (const line of wrapped(text, pen)) {
      pen.fillText(line, MARGIN, y);
      y += size * 1.3;
    }
    y += size * 0.3;
  };
  const [first = "", ...others] = sentences;
  write(first, 56, 700);
  for (const sentence of others) write(sentence, 32, 400);
  stripes(section, pen, y + 20);
  legend(section, pen, fontFamily);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

/** A text in lines that fit; where it has no blanks, it may break anywhere. */
function wrapped(text: string, pen: CanvasRenderingContext2D): string[] {
  const lines = [""];
  for (const word of text.match(
    /[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/g,
  ) ?? []) {
    const line = lines.at(-1)! + word;
    if (pen.measureText(line.trimEnd()).width > INNER && lines.at(-1) !== "") lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

/** The timeline as it is on the page, larger. */
function stripes(section: Element, pen: CanvasRenderingContext2D, y: number): void {
  const timeline = section.querySelector("svg.timeline");
  const [, , width = 1, height = 1] = (timeline?.getAttribute("viewBox") ?? "")
    .split(" ")
    .map(Number);
  const scale = { x: INNER / width, y: 170 / height };
  for (const bar of timeline?.querySelectorAll("rect:not(.head)") ?? []) {
    const [left, top, wide, high] = ["x", "y", "width", "height"].map((name) =>
      Number(bar.getAttribute(name)),
    ) as [number, number, number, number];
    pen.fillStyle = getComputedStyle(bar).fill;
    pen.fillRect(MARGIN + left * scale.x, y + top * scale.y, wide * scale.x, high * scale.y);
  }
}

/** What the colours mean, on the lowest line, and whose picture it is. */
function legend(section: Element, pen: CanvasRenderingContext2D, fontFamily: string): void {
  const y = HEIGHT - MARGIN - 24;
  const { color } = getComputedStyle(section);
  pen.font = `400 24px ${fontFamily}`;
  let x = MARGIN;
  for (const entry of section.querySelectorAll(".legend > span")) {
    const key = entry.querySelector(".key");
    const name = entry.textContent.trim();
    const shown = key?.className.replace(/^key (call|mark)-/, (_, kind) =>
      kind === "mark" ? ".loop-" : ".call-",
    );
    // The page's legend is also that of the profiles below.
    if (!key || !section.querySelector(`svg.timeline ${shown}`)) continue;
    pen.fillStyle = getComputedStyle(key).backgroundColor;
    pen.fillRect(x, y + 2, 22, 22);
    pen.fillStyle = color;
    pen.fillText(name, x + 30, y);
    x += 30 + pen.measureText(name).width + 26;
  }
  pen.font = `700 24px ${fontFamily}`;
  pen.textAlign = "right";
  pen.fillText("Turnkeeper", WIDTH - MARGIN, y);
}
