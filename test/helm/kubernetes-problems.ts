import type { Manifest } from './manifest';
import { titleOf } from './manifest';

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
