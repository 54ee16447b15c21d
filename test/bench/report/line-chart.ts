import { figure } from '../text-table';

/** A line through points, by its name in the legend. */
export interface Line {
  name: string;
  points: { x: number; y: number }[];
}

export interface ChartOptions {
  title: string;
  xLabel: string;
  yLabel: string;
  lines: Line[];
}

const WIDTH = 560;
const HEIGHT = 320;
const LEFT = 64;
const RIGHT = 32;
const TOP = 40;
const BOTTOM = 48;
const Y_TICKS = 5;
const LEGEND_ROW = 16;
/** Colours that people with colour blindness can distinguish (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

/** Lines over a logarithmic x axis, because connections and rows grow by factors, as an SVG element. */
export function lineChart({ title, xLabel, yLabel, lines }: ChartOptions): string {
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((one, other) => one - other);
  const top = niceCeiling(Math.max(...lines.flatMap(({ points }) => points.map(({ y }) => y))));
  const [first = 1, last = 1] = [xs[0], xs.at(-1)];
  const atX = (x: number): number =>
    LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(x / first)) / Math.max(Math.log(last / first), Number.EPSILON);
  const atY = (y: number): number => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * y) / top;
  const yTicks = Array.from({ length: Y_TICKS + 1 }, (_, tick) => (top * tick) / Y_TICKS);
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT + LEGEND_ROW * lines.length}" role="img" aria-label="${escapeXml(title)}">`,
    text(WIDTH / 2, 20, title, 'title'),
    ...yTicks.map((y) => rule(atY(y)) + text(LEFT - 6, atY(y) + 4, figure(y), 'tick end')),
    ...xs.map((x) => text(atX(x), HEIGHT - BOTTOM + 18, figure(x), 'tick')),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, xLabel, 'axis'),
    text(LEFT, TOP - 8, yLabel, 'axis start'),
    ...lines.map(({ name, points }, place) => {
      const colour = COLOURS[place % COLOURS.length] ?? '#000';
      const path = points.map(({ x, y }) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`);
      const dots = points.map(
        ({ x, y }) =>
          `<circle cx="${atX(x).toFixed(1)}" cy="${atY(y).toFixed(1)}" r="3" fill="${colour}"><title>${escapeXml(`${name}: ${figure(y)} at ${figure(x)}`)}</title></circle>`,
      );
      const legendY = HEIGHT + LEGEND_ROW * place + 4;
      return [
        `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...dots,
        `<rect x="${LEFT}" y="${legendY - 8}" width="12" height="8" fill="${colour}"/>`,
        text(LEFT + 18, legendY, name, 'tick start'),
      ].join('');
    }),
    '</svg>',
  ].join('\n');
}

function rule(y: number): string {
  return `<line x1="${LEFT}" y1="${y.toFixed(1)}" x2="${WIDTH - RIGHT}" y2="${y.toFixed(1)}" class="rule"/>`;
}

function text(x: number, y: number, content: string, classes: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" class="${classes}">${escapeXml(content)}</text>`;
}

/** The next of 1, 2, 5, 10, 20, 50, … */
function niceCeiling(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

export function escapeXml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
