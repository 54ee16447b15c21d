import { INSTALLATIONS } from '../../helm/installations';
import { type Manifest, type Pod, podsOf, titleOf } from '../../helm/manifest';
import { applyChart, renderChart } from '../../helm/render-chart';
import { ApiServer } from './api-server';
import { pathOf } from './resources';

const STRICTLY = '?dryRun=All&fieldValidation=Strict';
const POLICY = 'pod-security.kubernetes.io';
/** Kubernetes refuses each pod of this namespace that is not restricted, and warns of the objects that would make one. */
const RESTRICTED = { [`${POLICY}/enforce`]: 'restricted', [`${POLICY}/warn`]: 'restricted' };
/** What each upgrade of Kinora changes. */
const NEXT_VERSION = { image: { tag: '99.0.0' }, defaults: { podAnnotations: { upgraded: 'once' } } };

const CASES = INSTALLATIONS.filter(([, { kubeVersion }]) => kubeVersion === undefined).map(
  ([title, options], index) => ({ title, options: { ...options, namespace: `kinora-${index}` } }),
);

describe('an API server of Kubernetes', () => {
  let server: ApiServer;
  let kubeVersion: string;

  beforeAll(async () => {
    server = await ApiServer.start();
    kubeVersion = (JSON.parse((await server.send('GET', '/version')).text) as { gitVersion: string }).gitVersion;
  });
  afterAll(() => server?.stop());

  /** What the server refuses or warns of. */
  const complaintsAbout = async (manifests: Manifest[], namespace: string): Promise<string[]> => {
    const complaints: string[] = [];
    for (const manifest of manifests) {
      const address = `${pathOf(manifest, namespace)}${STRICTLY}`;
      const { status, warnings, text } = await server.send('POST', address, manifest);
      if (status !== 201 || warnings.length > 0)
        complaints.push(`${titleOf(manifest)}: ${warnings.join('; ')} ${status === 201 ? '' : text}`);
    }
    return complaints;
  };

  it.each(CASES)('admits $title, each of its pods as restricted, and an upgrade of it', async ({ options }) => {
    const { namespace } = options;
    const manifests = await renderChart({ ...options, kubeVersion });
    // A pod needs its account, which may be a hook.
    const accounts = manifests.filter((manifest) => isHook(manifest) && manifest.kind === 'ServiceAccount');
    const objects = manifests.filter((manifest) => !accounts.includes(manifest) && manifest.kind !== 'Pod');
    await server.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: RESTRICTED } });
    await server.defineForeign(manifests);
    for (const account of accounts) await server.create(account, namespace);
    expect(await complaintsAbout(objects, namespace)).toEqual([]);

    await applyChart('install', server.kubeconfig, options);
    const pods = podsOf(manifests).map(toPod);
    expect(pods.length).toBeGreaterThan(7);
    expect(await complaintsAbout(pods, namespace)).toEqual([]);

    const values = { ...options.values, ...NEXT_VERSION };
    await applyChart('upgrade', server.kubeconfig, { ...options, values });
  });
});

function isHook({ metadata }: Manifest): boolean {
  return metadata.annotations?.['helm.sh/hook'] !== undefined;
}

/** The pod that a controller would make of its template. */
function toPod({ owner, labels, spec }: Pod): Manifest {
  const claims = (owner.spec?.volumeClaimTemplates ?? []).map(({ metadata: { name } }) => {
    return { name, persistentVolumeClaim: { claimName: name } };
  });
  const volumes = [...(spec.volumes ?? []), ...claims];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: owner.metadata.name, labels }, spec: { ...spec, volumes } };
}
