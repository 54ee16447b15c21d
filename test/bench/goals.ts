import { figure, textTable } from './text-table';

/** The goal of a figure, printed beside it. */
export interface Goal {
  what: string;
  wanted: { atLeast: number } | { atMost: number };
  measured: number;
  /** Stands after both figures: ms, MB, × pgbench. */
  unit: string;
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
