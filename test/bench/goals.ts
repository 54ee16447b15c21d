export type Cell = string | number | null;

/** A table in Markdown with aligned columns, readable at a terminal and ready to paste into a page. */
export function textTable(headings: string[], rows: Cell[][]): string {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : (cell ?? '–'))));
  const isNumeric = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const widths = headings.map((heading, column) =>
    Math.max(3, heading.length, ...texts.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => (isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (isNumeric[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [line(headings), rule, ...texts.map(line)].join('\n');
}

/** A short form of a number: 1,200 or 0.35. */
export function figure(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Math.round(value * 100) / 100);
}

/** The goal of a figure, printed beside it. */
export interface Goal {
  what: string;
  wanted: { atLeast: number } | { atMost: number };
  measured: number;
  /** Stands after both figures: ms, MB, × pgbench. */
  unit: string;
}

export function atMost(what: string, most: number, measured: number, unit = ''): Goal {
  return { what, wanted: { atMost: most }, measured, unit };
}

export function atLeast(what: string, least: number, measured: number, unit = ''): Goal {
  return { what, wanted: { atLeast: least }, measured, unit };
}

export function isReached({ wanted, measured }: Goal): boolean {
  return 'atLeast' in wanted ? measured >= wanted.atLeast : measured <= wanted.atMost;
}

export function goalsTable(goals: Goal[]): string {
  const rows = goals.map((goal) => {
    const { what, wanted, measured, unit } = goal;
    const bound = 'atLeast' in wanted ? `≥ ${figure(wanted.atLeast)}` : `≤ ${figure(wanted.atMost)}`;
    return [what, `${bound} ${unit}`, `${figure(measured)} ${unit}`, isReached(goal) ? 'yes' : 'NO'];
  });
  return textTable(['goal', 'wanted', 'measured', 'reached'], rows);
}
