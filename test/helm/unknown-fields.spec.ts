import { type Manifest, podsOf } from './manifest';
import { renderChart } from './render-chart';
import { MINORS, unknownFields } from './unknown-fields';

describe('fields that a version of Kubernetes does not know', () => {
  let deployment: Manifest;

  beforeAll(async () => {
    const manifests = await renderChart({ example: 'production' });
    deployment = manifests.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-gateway'),
    ) as Manifest;
  });

  /** The manifest with a field in its container. */
  function withField(name: string, value: unknown): Manifest {
    const changed = structuredClone(deployment);
    Object.assign(podsOf([changed])[0]?.spec.containers[0] ?? {}, { [name]: value });
    return changed;
  }

  it('are found where they are misspelt, also deep in a list', () => {
    expect(unknownFields([deployment], 25)).toEqual([]);
    const probe = { httpGet: { path: '/livez', prot: 9090 } };
    expect(unknownFields([withField('livenessProbe', probe), withField('readinesProbe', probe)], 30)).toEqual([
      expect.stringMatching(
        /-gateway: Kubernetes 1\.30 has no spec\.template\.spec\.containers\.livenessProbe\.httpGet\.prot\.$/,
      ),
      expect.stringMatching(/-gateway: Kubernetes 1\.30 has no spec\.template\.spec\.containers\.readinesProbe\.$/),
    ]);
  });

  it('are found where they are newer', () => {
    const resizable = withField('resizePolicy', [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }]);
    expect(unknownFields([resizable], 26)).toHaveLength(1);
    expect(unknownFields([resizable], 27)).toEqual([]);
  });

  it('are looked for in every kind of Kubernetes, from the first version of the chart', () => {
    const stranger = { ...deployment, apiVersion: 'apps/v1beta1' };
    expect(unknownFields([stranger], 30)).toEqual([expect.stringContaining('apps.v1beta1.Deployment is not in')]);
    expect(MINORS[0]).toBe(25);
    expect(MINORS.length).toBeGreaterThan(12);
  });
});
