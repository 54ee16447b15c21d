import type { Manifest } from '../../helm/manifest';

/** The groups of other projects that the chart makes objects of. */
const FOREIGN = ['keda.sh', 'monitoring.coreos.com', 'gateway.networking.k8s.io', 'external-secrets.io'];

export function isForeign({ apiVersion }: Manifest): boolean {
  return FOREIGN.includes(groupOf(apiVersion));
}

export function pathOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>, namespace?: string): string {
  const api = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${api}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${pluralOf(kind)}`;
}

/** The definition of a kind of another project. It takes any field, because its own schema is no part of Kubernetes. */
export function definitionOf({ apiVersion, kind }: Manifest): Manifest {
  const [group, version] = [groupOf(apiVersion), apiVersion.split('/')[1]];
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const plural = pluralOf(kind);
  const spec = {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase() },
    versions: [{ name: version, served: true, storage: true, schema }],
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    // Kubernetes protects the groups of its own projects.
    metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' } },
    spec: spec as object,
  };
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '';
}

function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (lower.endsWith('y')) return `${lower.slice(0, -1)}ies`;
  return /(s|ss)$/.test(lower) ? `${lower}es` : `${lower}s`;
}
