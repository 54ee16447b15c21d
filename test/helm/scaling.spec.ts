import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { RANDOM_ID_SQL, createTestDatabase, type TestDatabase } from '@kinora/testing';
import { migrations } from '../../apps/jobs/src/migrations/migrations';
import { ROOT } from '../../deploy/build/source-files';
import type { Manifest } from './manifest';
import { renderChart } from './render-chart';

interface Scaler {
  spec: {
    behavior?: object;
    advanced?: object;
    triggers?: { type: string; metadata: { query?: string; targetQueryValue?: string } }[];
    secretTargetRef?: object[];
  };
}

const KEDA = { autoscaling: { enabled: true, kind: 'keda' } };
const scalerOf = (manifests: Manifest[], kind: string): Scaler =>
  manifests.find((it) => it.kind === kind && it.metadata.name === 'release-kinora-jobs-runner') as unknown as Scaler;

describe('scaling of the runners by KEDA', () => {
  let database: TestDatabase;
  let admin: Client;
  let autoscaler: Client;

  beforeAll(async () => {
    database = await createTestDatabase('jobs', migrations);
    admin = new Client({ connectionString: database.adminUrl });
    await admin.connect();
    // Roles belong to the server, which other specs use as well.
    const script = readFileSync(path.join(ROOT, 'deploy/postgres/autoscaler.sql'), 'utf8');
    await admin.query(script.replace(":'autoscaler_password'", "'trial'"));
    const url = new URL(database.adminUrl);
    [url.username, url.password] = ['kinora_autoscaler', 'trial'];
    autoscaler = new Client({ connectionString: url.toString() });
    await autoscaler.connect();
  });

  afterAll(async () => {
    await autoscaler.end();
    await admin.query('DROP OWNED BY kinora_autoscaler; DROP ROLE kinora_autoscaler');
    await admin.end();
    await database.close();
  });

  it('counts the attempts whose outputs are not stored, by a role that reads nothing else', async () => {
    const { spec } = scalerOf(await renderChart({ values: { jobsRunner: KEDA } }), 'ScaledObject');
    const trigger = spec.triggers?.find(({ type }) => type === 'postgresql');
    const count = async (): Promise<number> => {
      const { rows } = await autoscaler.query<{ count: string }>(trigger?.metadata.query ?? '');
      return Number(rows[0]?.count);
    };
    expect(await count()).toBe(0);
    await admin.query(`SET session_replication_role = replica`);
    for (const [index, state] of ['collecting', 'running', 'accepted', 'collecting'].entries())
      await admin.query(
        `INSERT INTO jobs.attempt (job_id, number, provider, state, upstream_id, next_check_at)
         VALUES (${RANDOM_ID_SQL}, 1, 'gpu-a', $1, $2, now())`,
        [state, String(index)],
      );
    expect(await count()).toBe(2);
    for (const forbidden of [
      'SELECT * FROM jobs.attempt',
      'SELECT count(id) FROM jobs.job',
      'DELETE FROM jobs.attempt',
    ])
      await expect(autoscaler.query(forbidden)).rejects.toThrow(/permission denied|read-only/);
  });

  it('takes the address of that role, and none of a service', async () => {
    const { spec } = scalerOf(await renderChart({ values: { jobsRunner: KEDA } }), 'TriggerAuthentication');
    expect(spec.secretTargetRef).toEqual([{ parameter: 'connection', name: 'kinora', key: 'database-url-autoscaler' }]);
  });
});

it('the behavior of a scaler is a value, also of the one that KEDA makes', async () => {
  const behavior = { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } };
  const scaled = async (kind: string): Promise<Manifest[]> =>
    renderChart({ values: { jobsRunner: { autoscaling: { enabled: true, kind, behavior } } } });
  const hpa = scalerOf(await scaled('hpa'), 'HorizontalPodAutoscaler').spec;
  expect(hpa.behavior).toEqual({ ...behavior, scaleDown: { stabilizationWindowSeconds: 300 } });
  const keda = scalerOf(await scaled('keda'), 'ScaledObject').spec;
  expect(keda.advanced).toEqual({ horizontalPodAutoscalerConfig: { behavior: hpa.behavior } });
});
