import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { type Manifest, titleOf } from './manifest';

interface Model {
  validate(): void;
}
type ModelClass = new (manifest: Manifest) => Model;

/** Kinds of other operators: the required fields of their types, as far as the chart uses them. */
const FOREIGN: Record<string, string[]> = {
  'keda.sh/v1alpha1/ScaledObject': ['scaleTargetRef', 'triggers'],
  'keda.sh/v1alpha1/TriggerAuthentication': ['secretTargetRef'],
  'monitoring.coreos.com/v1/ServiceMonitor': ['selector', 'endpoints'],
  'monitoring.coreos.com/v1/PrometheusRule': ['groups'],
  'gateway.networking.k8s.io/v1/HTTPRoute': ['parentRefs', 'rules'],
};

/** The errors of these manifests against the types of Kubernetes, one sentence each. */
export async function kubernetesProblems(manifests: Manifest[]): Promise<string[]> {
  return (await Promise.all(manifests.map(problemsOf))).flat();
}

async function problemsOf(manifest: Manifest): Promise<string[]> {
  const type = `${manifest.apiVersion}/${manifest.kind}`;
  const required = FOREIGN[type];
  if (required) {
    const missing = required.filter((field) => !(field in (manifest.spec ?? {})));
    return missing.map((field) => `${titleOf(manifest)}: spec.${field} is missing.`);
  }
  const model = await modelOf(manifest);
  if (!model) return [`${titleOf(manifest)}: ${type} is no type of Kubernetes.`];
  try {
    new model(manifest).validate();
    return [];
  } catch (error) {
    return [`${titleOf(manifest)}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** The package has one file for each kind, named by group, version and kind. */
async function modelOf({ apiVersion, kind }: Manifest): Promise<ModelClass | null> {
  const [group = '', version] = apiVersion.split('/');
  const folder = version === undefined ? group : `${group}/${version}`;
  const grouped = folder.replace(/^(networking|rbac\.authorization)\//, '$1.k8s.io/');
  try {
    const found = (await import(`kubernetes-models/${grouped}/${kind}`)) as Record<string, ModelClass>;
    return found[kind] ?? null;
  } catch {
    return null;
  }
}

/** The first and the last minor version that know a field, and the types that it has had, where they have fields. */
type Field = [since: number, until: number, ...types: string[]];
type Fields = Record<string, Field>;

interface KnownFields {
  minors: number[];
  types: Record<string, Fields>;
}

const KNOWN = JSON.parse(readFileSync(path.join(ROOT, 'test/helm/kubernetes-fields.json'), 'utf8')) as KnownFields;

/** The minor versions of Kubernetes 1 whose fields are known. */
export const MINORS = KNOWN.minors;

/** The fields that a version of Kubernetes does not know, one sentence each; Helm refuses a manifest with such a field. */
export function unknownFields(manifests: Manifest[], minor: number): string[] {
  return manifests.flatMap((manifest) => {
    const type = typeOf(manifest);
    if (type === null) return [];
    const fields = KNOWN.types[type];
    if (!fields) return [`${titleOf(manifest)}: the kind ${type} is not in kubernetes-fields.json.`];
    return unknownIn(manifest, fields, minor).map(
      (field) => `${titleOf(manifest)}: Kubernetes 1.${minor} has no ${field}.`,
    );
  });
}

/** Null for a kind of another operator, whose group has a domain. */
function typeOf({ apiVersion, kind }: Manifest): string | null {
  if (apiVersion === 'v1') return `core.v1.${kind}`;
  const [group = '', version] = apiVersion.replace('.k8s.io', '').split('/');
  return group.includes('.') ? null : `${group}.${version}.${kind}`;
}

function unknownIn(value: unknown, fields: Fields, minor: number, place = ''): string[] {
  return Object.entries(value as object).flatMap(([name, inner]: [string, unknown]) => {
    const at = place === '' ? name : `${place}.${name}`;
    const [since, until, ...types] = fields[name] ?? [Infinity, -Infinity];
    if (minor < since || minor > until) return [at];
    if (inner === null || typeof inner !== 'object') return [];
    const values = Array.isArray(inner) ? inner : [inner];
    // A later version may give a field a type of another name.
    const readings = types.map((type) => values.flatMap((each) => unknownIn(each, KNOWN.types[type] ?? {}, minor, at)));
    return readings.toSorted((one, other) => one.length - other.length)[0] ?? [];
  });
}
