import { kubernetesProblems } from './kubernetes-problems';
import { type Container, type Manifest, type ManifestSpec, podsOf } from './manifest';
import { POLICY_RULES } from './policy-problems';
import { renderChart } from './render-chart';
import { serviceSettings } from '../../deploy/build/generate/chart/service-settings';
import { settingsProblems } from './settings-problems';

/** Plants one violation in the rendered chart. */
type Damage = (manifests: Manifest[]) => void;

function manifest(manifests: Manifest[], kind: string, name = 'gateway'): Manifest & { spec: ManifestSpec } {
  const found = manifests.find((it) => it.kind === kind && it.metadata.name === `release-kinora-${name}`);
  if (!found?.spec) throw new Error(`The chart renders no ${kind} of ${name}.`);
  return found as Manifest & { spec: ManifestSpec };
}

const podOf = (manifests: Manifest[]) => podsOf([manifest(manifests, 'Deployment')])[0]!;
const containerOf = (manifests: Manifest[]) => podOf(manifests).spec.containers[0] as Required<Container>;

const DAMAGES: Record<keyof typeof POLICY_RULES, Damage[]> = {
  'an ordinary user': [
    (all) => delete podOf(all).spec.securityContext?.runAsNonRoot,
    (all) => Object.assign(podOf(all).spec.securityContext ?? {}, { runAsUser: 0 }),
  ],
  'a system call filter': [(all) => delete podOf(all).spec.securityContext?.seccompProfile],
  'no token': [(all) => delete podOf(all).spec.automountServiceAccountToken],
  'an account of its own': [(all) => delete podOf(all).spec.serviceAccountName],
  'nothing of the host': [
    (all) => Object.assign(podOf(all).spec, { hostNetwork: true }),
    (all) => podOf(all).spec.volumes?.push({ name: 'host', hostPath: { path: '/' } }),
  ],
  'no privilege': [
    (all) => delete containerOf(all).securityContext.allowPrivilegeEscalation,
    (all) => Object.assign(containerOf(all).securityContext, { privileged: true }),
    (all) => Object.assign(containerOf(all).securityContext, { capabilities: { drop: ['NET_RAW'] } }),
    (all) => Object.assign(containerOf(all).securityContext, { capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } }),
  ],
  'a read-only root and a place for the rest': [
    (all) => delete containerOf(all).securityContext.readOnlyRootFilesystem,
  ],
  'a pinned image': [
    (all) => (containerOf(all).image = 'kinora'),
    (all) => (containerOf(all).image = 'registry.example.com:5000/kinora:latest'),
  ],
  'bounded memory': [
    (all) => delete containerOf(all).resources.limits,
    (all) => Object.assign(containerOf(all).resources, { requests: { memory: '1Mi' } }),
  ],
  'mounts that exist': [(all) => containerOf(all).volumeMounts.push({ name: 'elsewhere', mountPath: '/elsewhere' })],
  'probes at ports that exist': [
    (all) => (containerOf(all).livenessProbe.httpGet = { path: '/livez', port: 'health' }),
    (all) => delete (containerOf(all) as Container).startupProbe,
  ],
  'probes that wait for the answer': [(all) => (containerOf(all).readinessProbe.timeoutSeconds = 2)],
  'time to finish': [
    (all) => (podOf(all).spec.terminationGracePeriodSeconds = 30),
    (all) => (containerOf(all).lifecycle.preStop.exec.command = ['sleep', '15']),
    (all) => delete podOf(all).spec.terminationGracePeriodSeconds,
  ],
  'selectors that match': [
    (all) => Object.assign(podOf(all).labels, { 'app.kubernetes.io/component': 'gate' }),
    (all) => Object.assign(manifest(all, 'Service').spec.selector ?? {}, { 'app.kubernetes.io/component': 'gate' }),
  ],
  'service ports that exist': [
    (all) => manifest(all, 'Service').spec.ports?.push({ name: 'admin', port: 81, targetPort: 'admin' }),
  ],
  'budgets that let nodes drain': [
    (all) => (manifest(all, 'Deployment').spec.replicas = 1),
    (all) => (manifest(all, 'PodDisruptionBudget').spec.minAvailable = 2),
  ],
  'networks that are closed': [
    (all) => {
      for (const { kind, spec } of all) if (kind === 'NetworkPolicy' && spec) spec.policyTypes = ['Ingress'];
    },
  ],
  'credentials from Secrets': [
    (all) => containerOf(all).env.push({ name: 'KINORA_KEY_PEPPER', value: 'in the clear' }),
  ],
  'one scaler': [
    (all) =>
      all.push({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'second' },
        spec: { scaleTargetRef: { name: 'release-kinora-gateway' } },
      }),
  ],
};

describe('rules about the chart', () => {
  let sound: Manifest[];
  const damaged = (damage: Damage): Manifest[] => {
    const manifests = structuredClone(sound);
    damage(manifests);
    return manifests;
  };

  beforeAll(async () => {
    sound = await renderChart();
  });

  it('each have a planted violation', () => {
    expect(Object.keys(DAMAGES).sort()).toEqual(Object.keys(POLICY_RULES).sort());
  });

  it.each(Object.entries(POLICY_RULES))('report a violation of: %s', (name, rule) => {
    const problemsIn = (manifests: Manifest[]): string[] => rule(podsOf(manifests), manifests);
    expect(problemsIn(sound)).toEqual([]);
    for (const damage of DAMAGES[name] ?? []) expect(problemsIn(damaged(damage))).not.toEqual([]);
  });

  it('report what is invalid for Kubernetes', async () => {
    const problemsOf = (damage: Damage): Promise<string[]> => kubernetesProblems(damaged(damage));
    expect(
      await problemsOf((all) => Object.assign(manifest(all, 'Deployment').spec, { replicas: 'two' })),
    ).toHaveLength(1);
    expect(await problemsOf((all) => delete (containerOf(all) as Partial<Container>).name)).toHaveLength(1);
    expect(await problemsOf((all) => (manifest(all, 'Deployment').kind = 'Deploymnet'))).toHaveLength(1);
  });

  it('report a setting that is unknown, missing or set twice', async () => {
    const settings = await serviceSettings();
    const problemsOf = (damage: Damage): string[] => settingsProblems(damaged(damage), settings);
    const rename =
      (from: string, to: string): Damage =>
      (all) =>
        containerOf(all).env.forEach((variable) => (variable.name = variable.name === from ? to : variable.name));
    expect(problemsOf(rename('KINORA_PUBLIC_URL', 'KINORA_PUBLC_URL'))).toEqual([
      'Deployment release-kinora-gateway: gateway has no setting KINORA_PUBLC_URL.',
      'Deployment release-kinora-gateway: gateway needs KINORA_PUBLIC_URL.',
    ]);
    expect(problemsOf(rename('KINORA_PORT', 'KINORA_HOST'))).toEqual([
      'Deployment release-kinora-gateway: KINORA_HOST is set twice.',
    ]);
  });
});
