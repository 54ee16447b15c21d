import { fromHex } from '../../raster/colour';
import { box, segment, type SubjectPainter } from './subject';

const STONE = fromHex('#a39684');
const JOINT = fromHex('#6d6152');
const ARCHES = 5;
/** From its middle to its end, as a multiple of its height. */
export const BRIDGE_HALF_LENGTH = 2.6;

/** A stone bridge of five arches. */
export const paintBridge: SubjectPainter = (pen, subject) => {
  const stone = subject.colour ?? STONE;
  const half = BRIDGE_HALF_LENGTH;
  const span = (2 * half) / ARCHES;
  const roadAt = (x: number): number => 0.82 + 0.16 * (1 - (x / half) ** 2);
  const outline: (readonly [number, number])[] = [];
  for (let i = 0; i <= 40; i++) {
    const x = -half + (i / 40) * 2 * half;
    outline.push([x, roadAt(x)]);
  }
  for (let arch = ARCHES - 1; arch >= 0; arch--) {
    const centre = -half + (arch + 0.5) * span;
    const radius = span * 0.4;
    outline.push([centre + span / 2, -0.1], [centre + radius, -0.1]);
    for (let i = 0; i <= 14; i++) {
      const angle = (i / 14) * Math.PI;
      outline.push([centre + Math.cos(angle) * radius, 0.14 + Math.sin(angle) * radius * 1.15]);
    }
    outline.push([centre - radius, -0.1], [centre - span / 2, -0.1]);
  }
  pen.fill(outline, stone, (_x, y) => 0.35 + y * 0.35);
  for (let i = 0; i <= 40; i++) {
    const x = -half + (i / 40) * 2 * half;
    pen.fill(box(x - 0.055, roadAt(x), 0.09, 0.09), stone, 0.7);
  }
  for (let i = 0; i < 60; i++) {
    const x = -half + (((i * 37) % 60) / 60) * 2 * half;
    const y = roadAt(x) - 0.06 - ((i * 13) % 5) * 0.045;
    pen.line(segment(x, y, x + 0.07, y), 0.012, JOINT, 0.3);
  }
};
