/** Between a label of the axis and the first bar, in pixels. */
export const AXIS_GAP = 8;
const EDGE = 4;
const CHAR_WIDTH = 6.5;
const WIDEST_BAR = 46;

/** About how wide a label is drawn, in pixels. */
export const widthOf = (label: string) => [...label].length * CHAR_WIDTH;

/** How many characters fit, with a gap. */
export const charsIn = (width: number) => Math.floor(width / CHAR_WIDTH) - 2;

interface BarPlaces {
  /** Where the first slot begins. */
  left: number;
  /** The width that each bar has with its gap. */
  slot: number;
  barWidth: number;
}

/** Where the bars of a chart stand. The labels of the axis have a column of their own: a tall first bar would cover them. */
export function barPlaces(width: number, bars: number, axisLabels: readonly string[]): BarPlaces {
  const left = Math.max(EDGE, ...axisLabels.map((label) => widthOf(label) + AXIS_GAP));
  const slot = (width - left - EDGE) / Math.max(1, bars);
  return { left, slot, barWidth: Math.min(WIDEST_BAR, Math.max(2, slot * 0.68)) };
}
