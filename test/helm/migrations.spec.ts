import { type Manifest, podsOf } from './manifest';
import { renderChart } from './render-chart';

const HOOK = 'pre-install,pre-upgrade';
const hookOf = ({ metadata }: Manifest): string | undefined => metadata.annotations?.['helm.sh/hook'];
const weightOf = ({ metadata }: Manifest): number => Number(metadata.annotations?.['helm.sh/hook-weight']);
const jobsOf = (manifests: Manifest[]): Manifest[] =>
  manifests.filter(({ kind, metadata }) => kind === 'Job' && metadata.name.includes('-migrate-'));
const policiesOf = (manifests: Manifest[]): Manifest[] =>
  manifests.filter(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.includes('-migrations'));

interface JobSpec {
  activeDeadlineSeconds: number;
  template: { spec: { containers: { args?: string[]; command: string[] }[] } };
}
const specOf = (job: Manifest | undefined): JobSpec => job?.spec as unknown as JobSpec;

describe('the migrations', () => {
  it('run what is quick in a hook before the pods, and the rest in a Job beside them, for every context', async () => {
    const jobs = jobsOf(await renderChart());
    const [hooks, beside] = [jobs.filter((job) => hookOf(job) === HOOK), jobs.filter((job) => !hookOf(job))];
    expect([hooks.length, beside.length]).toEqual([5, 5]);
    for (const hook of hooks)
      expect(specOf(hook).template.spec.containers[0]).toMatchObject({ args: ['--leave-long-steps'] });
    for (const job of beside) expect(specOf(job).template.spec.containers[0]?.args).toBeUndefined();
    // Helm gives up after the 15 minutes of the documented commands, and an index may take hours.
    expect(specOf(hooks[0]).activeDeadlineSeconds).toBeLessThan(900);
    expect(specOf(beside[0]).activeDeadlineSeconds).toBeGreaterThan(24 * 3600);
  });

  it('run as a whole in a Job where the installing tool has no hooks', async () => {
    const manifests = await renderChart({ values: { migrations: { useHelmHooks: false } } });
    const jobs = jobsOf(manifests);
    expect(jobs).toHaveLength(5);
    expect(manifests.filter(hookOf).filter(({ metadata }) => metadata.name.includes('migrat'))).toEqual([]);
    for (const job of jobs) expect(specOf(job).template.spec.containers[0]?.args).toBeUndefined();
  });

  it.each([
    ['image', { image: { tag: '0.2.0' } }],
    ['digest', { image: { digest: `sha256:${'a'.repeat(64)}` } }],
    ['resources', { migrations: { resources: { requests: { memory: '1Gi' }, limits: { memory: '1Gi' } } } }],
    ['variables', { defaults: { extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/ca.crt' }] } }],
    ['labels', { global: { labels: { team: 'images' } } }],
    ['credentials', { secrets: { asFiles: true } }],
  ] as [string, Record<string, object>][])(
    'have Jobs of another name with another %s, because a Job cannot be changed',
    async (_, values) => {
      const useHelmHooks = { migrations: { useHelmHooks: false } };
      const names = async (more: Record<string, object>): Promise<string[]> =>
        jobsOf(await renderChart({ values: merge(useHelmHooks, more) })).map(({ metadata }) => metadata.name);
      const [before, after] = [await names({}), await names(values)];
      expect(before).toEqual(await names({}));
      expect(after).toHaveLength(5);
      expect(after.filter((name) => before.includes(name))).toEqual([]);
    },
  );

  it('have the tag of the image in the names of their Jobs', async () => {
    const jobs = jobsOf(await renderChart({ values: { image: { tag: 'v1.2_RC' } } }));
    for (const { metadata } of jobs) expect(metadata.name).toMatch(/-v1-2-rc-[0-9a-f]{7}$/);
  });

  it('keep their Jobs where a value changes that no migration reads', async () => {
    const names = async (values: object): Promise<string[]> =>
      jobsOf(await renderChart({ values })).map(({ metadata }) => metadata.name);
    expect(await names({ gateway: { replicaCount: 5 } })).toEqual(await names({}));
  });

  it('may reach PostgreSQL before the release changes, by a policy that is a hook as well', async () => {
    const extraEgress = [{ ports: [{ port: 443 }], to: [{ ipBlock: { cidr: '10.1.2.3/32' } }] }];
    const values = { networkPolicy: { postgres: { port: 6432 }, dnsPort: 5353 }, migrations: { extraEgress } };
    const manifests = await renderChart({ values });
    const policies = policiesOf(manifests);
    expect(policies.map(hookOf).sort()).toEqual([HOOK, undefined]);
    const [hooked] = policies.filter(hookOf);
    const [job] = jobsOf(manifests).filter(hookOf);
    expect(weightOf(hooked as Manifest)).toBeLessThan(weightOf(job as Manifest));
    for (const { spec } of policies) {
      const ports = spec?.egress?.flatMap((rule) => rule.ports?.map(({ port }) => port) ?? []);
      expect(ports).toEqual([5353, 5353, 6432, 443]);
      expect(spec?.egress).toContainEqual(extraEgress[0]);
    }
    const pods = podsOf(manifests).filter(({ owner }) => jobsOf([owner]).length === 1);
    expect(pods).toHaveLength(10);
    for (const { labels } of pods) expect(labels).toMatchObject(policies[0]?.spec?.podSelector?.matchLabels ?? {});
  });

  it('have one policy without hooks, and none where they run elsewhere', async () => {
    const withoutHooks = { migrations: { useHelmHooks: false } };
    expect(policiesOf(await renderChart({ values: withoutHooks })).map(hookOf)).toEqual([undefined]);
    expect(policiesOf(await renderChart({ values: { migrations: { enabled: false } } }))).toEqual([]);
  });
});

it('every pod asks the port of DNS that is named', async () => {
  const manifests = await renderChart({ values: { networkPolicy: { dnsPort: 5353 } } });
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  expect(JSON.stringify(policies)).not.toMatch(/"port":53[,}]/);
  expect(JSON.stringify(policies)).toContain('"port":5353');
});

function merge(one: Record<string, object>, other: Record<string, object>): object {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, { ...one[name], ...other[name] }]));
}
