import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { limits, ruleGroups } from '../../deploy/build/rules';
import { cacheFolder, makeCacheFolder } from '../../deploy/local/data-folder';
import { fetchDebianProgram } from '../../deploy/local/nats/debian-package';
import { renderChart } from '../helm/render-chart';
import { ALERT_CASES, type AlertCase, FAST_CASES, type Series, SLOW_CASES } from './alert-cases';

const run = promisify(execFile);
const PROGRAM = 'promtool';
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
      expect([alert, written]).toEqual([alert, expect.stringMatching(new RegExp(`[<>] ${limit}`))]);
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

/** Runs Prometheus' own command in a folder. @throws the error of the command, with what it has printed */
async function promtool(args: string[], cwd: string): Promise<string> {
  const program = await findPromtool();
  const { stdout } = await run(program, args, { cwd }).catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`promtool ${args.join(' ')}:\n${error.stdout ?? ''}${error.stderr ?? error.message}`);
  });
  return stdout;
}

/** That of this machine or, if there is none, the one of Debian's package `prometheus`, which is kept in the cache folder. */
async function findPromtool(): Promise<string> {
  const cache = cacheFolder(process.env);
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), cache];
  for (const candidate of folders.map((folder) => path.resolve(folder, PROGRAM)))
    if (await isExecutable(candidate)) return candidate;
  await makeCacheFolder(cache);
  const draft = await mkdtemp(path.join(cache, `${PROGRAM}.`));
  try {
    const fetched = await fetchDebianProgram({ packageName: 'prometheus', program: `usr/bin/${PROGRAM}` }, draft);
    await chmod(fetched, 0o755);
    const program = path.join(cache, PROGRAM);
    await rename(fetched, program);
    return program;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
