import type { Frame } from './cpu-profile';
import { escapeXml } from './line-chart';

const WIDTH = 1_180;
const ROW = 17;
/** Narrower boxes can be neither read nor pointed at. */
const LEAST_WIDTH = 1.5;
const CHARACTER_WIDTH = 6.2;
const HUES = [28, 40, 14, 52];

/** Processes side by side, callers above callees; the width is the time. Each box shows its share on hovering. */
export function flameGraph(processes: Frame[]): string {
  const totalMs = processes.reduce((sum, { ms }) => sum + ms, 0);
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, left: number, depth: number): void => {
    const width = (WIDTH * frame.ms) / totalMs;
    if (width < LEAST_WIDTH) return;
    deepest = Math.max(deepest, depth);
    boxes.push(box(frame, { left, width, depth, share: frame.ms / totalMs }));
    let childLeft = left;
    for (const child of frame.children) {
      draw(child, childLeft, depth + 1);
      childLeft += (WIDTH * child.ms) / totalMs;
    }
  };
  let left = 0;
  for (const process of processes) {
    draw(process, left, 0);
    left += (WIDTH * process.ms) / totalMs;
  }
  const height = (deepest + 1) * ROW;
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Flame graph">\n${boxes.join('\n')}\n</svg>`;
}

interface Place {
  left: number;
  width: number;
  depth: number;
  share: number;
}

function box({ name, ms }: Frame, { left, width, depth, share }: Place): string {
  const hue = HUES[(name.length + depth) % HUES.length] ?? 0;
  const fill = depth === 0 ? '#56b4e9' : `hsl(${hue} 90% ${66 + (name.length % 4) * 3}%)`;
  const shown = name.slice(0, Math.max(Math.floor(width / CHARACTER_WIDTH) - 1, 0));
  const received = `${name}: ${ms.toFixed(0)} ms, ${(share * 100).toFixed(1)} %`;
  const y = depth * ROW;
  return (
    `<g><title>${escapeXml(received)}</title>` +
    `<rect x="${left.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${fill}"/>` +
    (shown.length > 2
      ? `<text x="${(left + 3).toFixed(1)}" y="${y + 12}" class="frame">${escapeXml(shown)}</text>`
      : '') +
    '</g>'
  );
}
