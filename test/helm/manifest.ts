/** The part of Kubernetes' objects that these rules read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  spec?: ManifestSpec;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  automountServiceAccountToken?: boolean;
}

export type Labels = Record<string, string>;

export interface ManifestSpec extends Partial<PodSpec> {
  replicas?: number;
  selector?: Labels & { matchLabels?: Labels };
  template?: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec };
  ports?: { name: string; targetPort: string | number; port: number }[];
  maxUnavailable?: number;
  minAvailable?: number;
  podSelector?: { matchLabels?: Labels };
  policyTypes?: string[];
  ingress?: object[];
  egress?: EgressRule[];
  scaleTargetRef?: { name: string };
  minReplicas?: number;
  minReplicaCount?: number;
  endpoints?: { port: string }[];
  accessModes?: string[];
  volumeClaimTemplates?: { metadata: { name: string }; spec: { accessModes: string[] } }[];
}

export interface EgressRule {
  ports?: { port: number | string }[];
  to?: {
    ipBlock?: { cidr: string; except?: string[] };
    podSelector?: { matchLabels?: Labels };
    namespaceSelector?: object;
  }[];
}

export interface PodSpec {
  automountServiceAccountToken?: boolean;
  serviceAccountName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
  containers: Container[];
  initContainers?: Container[];
  volumes?: {
    name: string;
    hostPath?: object;
    configMap?: { name: string; items?: { key: string }[] };
    persistentVolumeClaim?: { claimName: string };
    secret?: { secretName: string };
    projected?: { sources: { secret?: { name: string; items: { key: string; path: string }[] } }[] };
  }[];
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: SecretKeyRef } }[];
  ports?: { name: string; containerPort: number }[];
  resources?: { requests?: Labels; limits?: Labels };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    privileged?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[]; add?: string[] };
  };
  volumeMounts?: { name: string; mountPath: string }[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}

export interface SecretKeyRef {
  name: string;
  key: string;
}

export interface Probe {
  httpGet?: { path: string; port: string };
  tcpSocket?: { port: string };
  exec?: { command: string[] };
  timeoutSeconds: number;
}

export interface Pod {
  owner: Manifest;
  labels: Labels;
  spec: PodSpec;
}

export function podsOf(manifests: Manifest[]): Pod[] {
  return manifests.flatMap((owner) => {
    if (owner.kind === 'Pod') return [{ owner, labels: owner.metadata.labels ?? {}, spec: owner.spec as PodSpec }];
    const template = owner.spec?.template;
    return template ? [{ owner, labels: template.metadata.labels, spec: template.spec }] : [];
  });
}

export function named(manifests: Manifest[], kind: string, name: string | undefined): Manifest | undefined {
  return manifests.find((it) => it.kind === kind && it.metadata.name === name);
}

/** An empty selector matches everything, a missing one nothing. */
export function selects(selector: Labels | undefined, labels: Labels): boolean {
  return selector !== undefined && Object.entries(selector).every(([key, value]) => labels[key] === value);
}

export function titleOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}
