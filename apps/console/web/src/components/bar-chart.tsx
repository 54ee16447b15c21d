import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { axisEnd } from '../formatting/format';
import styles from './bar-chart.module.css';
import { AXIS_GAP, barPlaces, charsIn, widthOf } from './bar-places';
import { Table } from './table';

export interface Bar {
  label: string;
  value: number;
  /** What it consists of, from the base upwards; the same names in every bar. */
  parts?: readonly { name: string; value: number }[];
}

interface BarChartProps {
  /** What is drawn, for those who do not see it. */
  name: string;
  bars: readonly Bar[];
  format: (value: number) => string;
  /** The names of the columns of the table behind the chart. */
  columns: readonly [string, string];
  height?: number;
  /** A note above the chart. */
  caption?: string;
  /** The page has a table of the same numbers already. */
  hasTable?: boolean;
  /** What a click on a bar, or Enter, shows. */
  onPick?: (index: number) => void;
}

const MARGIN = { top: 10, bottom: 24 };
const LABEL_WIDTH = 84;
/** Longer ones, such as names of keys, would overlap where bars are narrow. */
const LABEL_MIN_CHARS = 12;
/** Any value above zero is visible. */
const LOWEST_BAR = 2;

/** What is under the pointer: the bar, and the parts that it has. */
function describe({ label, value, parts = [] }: Bar, format: BarChartProps['format']): string {
  const shown = parts.filter((part) => part.value > 0).map((part) => `${part.name} ${format(part.value)}`);
  return `${label}: ${format(value)}${shown.length > 0 ? ` (${shown.join(', ')})` : ''}`;
}

/** The bar that a key moves to; null for any other key. */
function movedBy(key: string, index: number, last: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  return Math.min(last, Math.max(0, index + (key === 'ArrowLeft' ? -1 : 1)));
}

/** Bars over time, as SVG, with the same numbers as a table. The arrow keys move between the bars, as the pointer does. */
export function BarChart(props: BarChartProps) {
  const { name, bars, format, columns, height = 190, hasTable = false, caption = '', onPick } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [active, setActive] = useState<number | null>(null);
  const last = bars.length - 1;
  const shown = active === null ? undefined : bars[active];
  const text = shown && describe(shown, format);
  const press = (event: KeyboardEvent) => {
    const moved = movedBy(event.key, active ?? last, last);
    if (moved !== null) setActive(moved);
    else if (event.key === 'Enter' && active !== null) onPick?.(active);
    else return;
    event.preventDefault();
  };
  return (
    <figure className={styles['figure']}>
      <figcaption className={styles['caption']} aria-hidden="true">
        {text ?? caption}
      </figcaption>
      <div
        ref={frame}
        className={styles['frame']}
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={active ?? Math.max(0, last)}
        aria-valuetext={text ?? caption}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActive(last)}
        onBlur={() => setActive(null)}
        onPointerLeave={() => setActive(null)}
        onKeyDown={press}
      >
        {width > 0 && <Drawing {...{ bars, format, width, height, active, setActive, ...(onPick && { onPick }) }} />}
      </div>
      {bars[0]?.parts && (
        <ul className={styles['legend']} aria-hidden="true">
          {bars[0].parts.map((part, index) => (
            <li key={part.name}>
              <svg width="10" height="10">
                <rect width="10" height="10" rx="2" className={styles[`part${index}`]} />
              </svg>
              {part.name}
            </li>
          ))}
        </ul>
      )}
      {!hasTable && (
        <details className={styles['details']}>
          <summary>Numbers</summary>
          <Table
            caption={name}
            columns={[
              { name: columns[0], cell: ({ label }) => label },
              { name: columns[1], cell: ({ value }) => format(value), isNumber: true },
            ]}
            items={bars}
            keyOf={({ label }) => label}
          />
        </details>
      )}
    </figure>
  );
}

interface DrawingProps extends Pick<BarChartProps, 'bars' | 'format' | 'onPick'> {
  width: number;
  height: number;
  active: number | null;
  setActive: (index: number) => void;
}

function Drawing({ bars, format, width, height, active, setActive, onPick }: DrawingProps) {
  const greatest = Math.max(0, ...bars.map(({ value }) => value));
  const end = axisEnd(greatest);
  const axisLabels = greatest > 0 ? [end / 2, end].map(format) : [];
  const { left, slot, barWidth } = barPlaces(width, bars.length, axisLabels);
  const innerHeight = height - MARGIN.top - MARGIN.bottom;
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / slot));
  const yOf = (value: number) => MARGIN.top + innerHeight * (1 - value / end);
  return (
    <svg width={width} height={height} aria-hidden="true" className={styles['chart']}>
      {[0, 0.5, 1].map((part) => (
        <line key={part} x1={left} x2={width} y1={yOf(end * part)} y2={yOf(end * part)} className={styles['grid']} />
      ))}
      {axisLabels.map((label, index) => (
        <text
          key={index}
          x={left - AXIS_GAP}
          y={yOf((end * (index + 1)) / 2) + 4}
          textAnchor="end"
          className={styles['axis']}
        >
          {label}
        </text>
      ))}
      {bars.map((bar, index) => {
        const x = left + slot * index;
        const base = MARGIN.top + innerHeight;
        const top = bar.value > 0 ? Math.min(yOf(bar.value), base - LOWEST_BAR) : base;
        const label = shorten(bar.label, charsIn(slot * every));
        // A label must not be cut at the edges.
        const half = widthOf(label) / 2;
        const labelAt = Math.min(Math.max(x + slot / 2, half), width - half);
        return (
          // Two keys may have one name.
          <g
            key={index}
            className={onPick && styles['pickable']}
            onPointerEnter={() => setActive(index)}
            onClick={() => onPick?.(index)}
          >
            <rect x={x} y={0} width={slot} height={height - MARGIN.bottom} fill="transparent" />
            {partsOf(bar).map(({ from, to, name }, place) => (
              <rect
                key={place}
                x={x + (slot - barWidth) / 2}
                y={base - (base - top) * to}
                width={barWidth}
                height={(base - top) * (to - from)}
                rx={name === null ? Math.min(3, barWidth / 3) : 0}
                className={`${index === active ? styles['active'] : styles['bar']} ${name === null ? '' : styles[`part${place}`]}`}
              />
            ))}
            {(bars.length - 1 - index) % every === 0 && (
              <text x={labelAt} y={height - 6} textAnchor="middle" className={styles['axis']}>
                {label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** Where each part begins and ends, as a fraction of the bar. A bar without parts is one without a name. */
function partsOf({ value, parts }: Bar): { from: number; to: number; name: string | null }[] {
  if (!parts || value === 0) return [{ from: 0, to: 1, name: null }];
  let end = 0;
  return parts.map(({ name, value: part }) => ({ name, from: end, to: (end += part / value) }));
}

function shorten(label: string, room: number): string {
  const characters = [...label];
  const most = Math.max(LABEL_MIN_CHARS, room);
  return characters.length <= most ? label : `${characters.slice(0, most - 1).join('')}…`;
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return;
    setWidth(measured.clientWidth);
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
