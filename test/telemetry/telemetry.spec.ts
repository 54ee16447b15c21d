import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dashboards, ruleGroups, RUNBOOK } from '../../deploy/build/rules';
import { ROOT } from '../../deploy/build/source-files';
import { type DeclaredMetric, declaredMetrics } from '../../deploy/build/generate/telemetry/declared-metrics';
import { type KnownSeries, queryProblems, seriesOf } from './query-problems';

interface Panel {
  title: string;
  gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
  /** A row has none. */
  targets?: { expr: string; legendFormat: string }[];
}

const DASHBOARDS = dashboards<{ uid: string; title: string; panels: Panel[] }>();
const rules = ruleGroups().flatMap((group) => group.rules);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const panels = DASHBOARDS.flatMap(({ title, panels: all }) =>
  all.map((panel) => ({ title: `${title}: ${panel.title}`, queries: panel.targets ?? [] })),
);
const shownQueries = panels.flatMap(({ queries }) => queries.map(({ expr }) => expr));

let metrics: DeclaredMetric[];
let series: Map<string, KnownSeries>;

beforeAll(async () => {
  metrics = (await declaredMetrics()).flatMap((source) => source.metrics);
  series = seriesOf(metrics);
});

describe('metrics', () => {
  const own = (): DeclaredMetric[] => metrics.filter(({ name }) => name.startsWith('kinora_'));

  it('have a name by the conventions of Prometheus, once each, with a sentence of help', () => {
    expect(own().length).toBeGreaterThan(40);
    expect(new Set(own().map(({ name }) => name)).size).toBe(own().length);
    for (const { name, type, help } of own()) {
      expect(name).toMatch(/^kinora_[a-z0-9]+(_[a-z0-9]+)*$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(help).toMatch(/\.$/);
    }
  });

  it('have labels of few values, none of which a client chooses', () => {
    const allowed = `code content engine error held kind method model operation origin outcome provider reason route stage state
      status
      subject table`;
    const labels = new Set(own().flatMap((metric) => metric.labels));
    expect([...labels].sort()).toEqual(allowed.split(/\s+/));
  });

  it('are each shown on a dashboard', () => {
    const unseen = own().filter(({ name }) => !shownQueries.some((query) => query.includes(name)));
    expect(unseen.map(({ name }) => name)).toEqual([]);
  });
});

describe('queries', () => {
  it('of rules use existing metrics', () => {
    for (const rule of rules) {
      const name = rule.record ?? rule.alert;
      // As the chart writes them.
      const query = rule.expr.replaceAll('__SERVICES__', 'vector(1)').replaceAll(/(?<!")__Kinora\w+__/g, '1');
      expect([name, ...queryProblems(query, series, recorded)]).toEqual([name]);
    }
  });

  it('of dashboards use existing metrics, and have a legend that distinguishes their lines', () => {
    for (const { title, queries } of panels) {
      for (const { expr, legendFormat: legend } of queries) {
        expect([title, ...queryProblems(expr, series, recorded)]).toEqual([title]);
        for (const [, label = ''] of legend.matchAll(/\{\{(\w+)\}\}/g))
          expect(expr).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
      }
    }
  });

  it.each([
    ['sum(rate(kinora_no_such_total{}[5m]))', 'There is no metric kinora_no_such_total.'],
    ['max(kinora_holds_open{account="a"})', 'kinora_holds_open has no label account.'],
    ['max by (queue) (kinora_holds_open{})', 'Nothing in the query has a label queue.'],
    [
      'sum by (model) (kinora_jobs_in_flight{})',
      'Every replica reports the same kinora_jobs_in_flight: use max instead of sum.',
    ],
    ['sum(kinora_holds_open{})', 'Every replica reports the same kinora_holds_open: use max instead of sum.'],
    ['max(kinora_holds_open)', 'kinora_holds_open is neither a selector with braces nor a function.'],
    ['kinora:creation:ratio > 1', 'No rule records kinora:creation:ratio.'],
  ])('are refused where they would return nothing, or too much: %s', (query, problem) => {
    expect(queryProblems(query, series, recorded)).toEqual([problem]);
  });
});

describe('alerts', () => {
  it('each have a section in the runbook at their address', () => {
    const headings = readFileSync(path.join(ROOT, RUNBOOK), 'utf8').match(/^## .*/gm) ?? [];
    const alerts = rules.flatMap(({ alert }) => alert ?? []);
    expect(alerts.length).toBeGreaterThan(20);
    expect(headings.slice(0, alerts.length + 1)).toEqual(['Objectives', ...alerts].map((title) => `## ${title}`));
    expect(new Set(alerts).size).toBe(alerts.length);
  });
});

describe('dashboards', () => {
  it('have unique ids', () => {
    expect(new Set(DASHBOARDS.map(({ uid }) => uid)).size).toBe(DASHBOARDS.length);
  });

  it('place their panels side by side, without overlap', () => {
    for (const dashboard of DASHBOARDS) {
      const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    }
  });
});
