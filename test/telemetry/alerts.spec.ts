import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { limits, ruleGroups } from '../../deploy/build/rules';
import { renderChart } from '../helm/render-chart';
import { ALERT_CASES, type AlertCase, FAST_CASES, type Series, SLOW_CASES } from './alert-cases';
import { promtool } from './promtool';

const groups = ruleGroups();
const alerts = groups.flatMap(({ rules }) => rules).flatMap(({ alert }) => alert ?? []);

/** Prometheus' own evaluation of the rules, as the chart installs them. */
describe('alerts', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-alerts-'));
    await writeFile(path.join(folder, 'rules.yaml'), await rulesOf({}));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function rulesOf(prometheusRule: object): Promise<string> {
    const values = { metrics: { prometheusRule: { enabled: true, ...prometheusRule } } };
    const rendered = (await renderChart({ values })).find(({ kind }) => kind === 'PrometheusRule');
    return stringify(rendered?.spec);
  }

  async function evaluate(cases: Record<string, AlertCase>, interval: string, rules = 'rules.yaml'): Promise<string> {
    const tests = Object.entries(cases).flatMap(([alert, { at, fires, quiet }]) => [
      toTest(`${alert} fires`, alert, at, fires, 1),
      toTest(`${alert} is quiet`, alert, at, quiet, 0),
    ]);
    // promtool evaluates groups in a random order otherwise. With intervals beyond its lookback of five minutes, an alert that comes
    // before the group which records its ratio then finds no sample.
    const order = groups.map(({ name }) => name);
    const file = { rule_files: [rules], evaluation_interval: interval, group_eval_order: order, tests };
    await writeFile(path.join(folder, 'tests.yaml'), stringify(file));
    return promtool(['test', 'rules', 'tests.yaml'], folder);
  }

  it('are rules that Prometheus accepts', async () => {
    expect(await promtool(['check', 'rules', 'rules.yaml'], folder)).toContain('SUCCESS');
  });

  it('each have series on which they fire, and series on which they do not', () => {
    const tested = Object.keys({ ...ALERT_CASES, ...FAST_CASES, ...SLOW_CASES });
    expect(tested.toSorted()).toEqual(alerts.toSorted());
  });

  it('of states fire on those series alone', async () => {
    expect(await evaluate({ ...ALERT_CASES, ...FAST_CASES }, '1m')).toContain('SUCCESS');
  });

  it('of slow losses fire on those series alone', async () => {
    expect(await evaluate(SLOW_CASES, '30m')).toContain('SUCCESS');
  });

  it('fire at the limit that the values give', async () => {
    await writeFile(path.join(folder, 'strict.yaml'), await rulesOf({ thresholds: { KinoraWebhooksOverdue: 30 } }));
    const { at, quiet: formerlyQuiet } = ALERT_CASES['KinoraWebhooksOverdue'] as AlertCase;
    const strict = { KinoraWebhooksOverdue: { at, fires: formerlyQuiet, quiet: {} } };
    expect(await evaluate(strict, '1m', 'strict.yaml')).toContain('SUCCESS');
    await expect(evaluate(strict, '1m')).rejects.toThrow('KinoraWebhooksOverdue');
  });

  it('do not expect a service that has no replicas', async () => {
    const values = { metrics: { prometheusRule: { enabled: true } }, catalog: { replicaCount: 0 } };
    const rendered = await renderChart({ values });
    await writeFile(
      path.join(folder, 'without-catalog.yaml'),
      stringify(rendered.find(({ kind }) => kind === 'PrometheusRule')?.spec),
    );
    const { at, fires: withoutCatalog } = ALERT_CASES['KinoraServiceAbsent'] as AlertCase;
    const intended = { KinoraServiceAbsent: { at, fires: {}, quiet: withoutCatalog } };
    expect(await evaluate(intended, '1m', 'without-catalog.yaml')).toContain('SUCCESS');
  });

  it('have the limits that the runbook states', async () => {
    const written = await rulesOf({});
    expect(limits().length).toBeGreaterThan(10);
    for (const { alert, limit } of limits())
      expect([alert, written]).toEqual([alert, expect.stringContaining(`> ${limit}`)]);
    expect(written).not.toContain('__');
  });
});

function toTest(name: string, alert: string, at: string, input: Series, firing: 0 | 1): object {
  return {
    name,
    interval: '1m',
    input_series: Object.entries(input).map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      {
        // Whether the alert fires for anything, as a number.
        expr: `sgn(count(ALERTS{alertname="${alert}", alertstate="firing"})) or vector(0)`,
        eval_time: at,
        exp_samples: [{ labels: '{}', value: firing }],
      },
    ],
  };
}
