import { Readiness, ServiceConfig } from '@kinora/service-kit';
import { type Container, type Labels, type Manifest, named, type Pod, podsOf, selects, titleOf } from './manifest';

/** A rule of a policy scanner, with its violations as one sentence each. */
type PolicyRule = (pods: Pod[], manifests: Manifest[]) => string[];

const TAG = /:(?!latest$)[A-Za-z0-9_][\w.-]*$/;
/** The default of Kubernetes for a pod without the field. */
const DEFAULT_GRACE_SECONDS = 30;
const DIGEST = /@sha256:[a-f0-9]{64}$/;

/** The violations of all rules in these manifests. */
export function policyProblems(manifests: Manifest[]): string[] {
  const pods = podsOf(manifests);
  return Object.values(POLICY_RULES).flatMap((rule) => rule(pods, manifests));
}

const POLICY_RULES: Record<string, PolicyRule> = {
  'an ordinary user': (pods) =>
    pods.flatMap((pod) => [
      ...complaint(pod.spec.securityContext?.runAsNonRoot !== true, pod, 'may run as root'),
      ...complaint(pod.spec.securityContext?.runAsUser === 0, pod, 'runs as root'),
    ]),
  'a system call filter': (pods) =>
    pods.flatMap((pod) =>
      complaint(pod.spec.securityContext?.seccompProfile?.type !== 'RuntimeDefault', pod, 'has no seccomp profile'),
    ),
  'no token': (pods) =>
    pods.flatMap((pod) => complaint(pod.spec.automountServiceAccountToken !== false, pod, 'mounts an API token')),
  'an account of its own': (pods, manifests) =>
    pods.flatMap((pod) => {
      const account = named(manifests, 'ServiceAccount', pod.spec.serviceAccountName);
      return [
        ...complaint(!account, pod, 'has no ServiceAccount of its own'),
        ...complaint(account?.automountServiceAccountToken === true, pod, 'has a ServiceAccount with a token'),
      ];
    }),
  'nothing of the host': (pods) =>
    pods.flatMap(({ spec, ...pod }) => [
      ...complaint(Boolean(spec.hostNetwork || spec.hostPID || spec.hostIPC), pod, 'shares namespaces of the host'),
      ...complaint(
        (spec.volumes ?? []).some(({ hostPath }) => hostPath),
        pod,
        'mounts a folder of the host',
      ),
    ]),
  'no privilege': (pods) =>
    eachContainer(pods, ({ securityContext: context = {} }, complain) => [
      ...complain(context.allowPrivilegeEscalation !== false, 'may gain privileges'),
      ...complain(context.privileged === true, 'is privileged'),
      ...complain(!context.capabilities?.drop?.includes('ALL'), 'keeps capabilities'),
      ...complain((context.capabilities?.add ?? []).length > 0, 'has added capabilities'),
    ]),
  'a read-only root and a place for the rest': (pods) =>
    eachContainer(pods, ({ securityContext }, complain) =>
      complain(securityContext?.readOnlyRootFilesystem !== true, 'can write to its root file system'),
    ),
  'a pinned image': (pods) =>
    eachContainer(pods, ({ image }, complain) =>
      complain(!TAG.test(image) && !DIGEST.test(image), `runs ${image}, which is not pinned`),
    ),
  'bounded memory': (pods) =>
    eachContainer(pods, ({ resources }, complain) => [
      ...complain(!resources?.limits?.['memory'], 'has no memory limit'),
      ...complain(
        resources?.limits?.['memory'] !== resources?.requests?.['memory'],
        'requests less memory than its limit',
      ),
    ]),
  'mounts that exist': (pods) =>
    pods.flatMap((pod) => {
      const claims = (pod.owner.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata);
      const volumes = [...(pod.spec.volumes ?? []), ...claims].map(({ name }) => name);
      return eachContainer([pod], ({ volumeMounts = [] }, complain) =>
        volumeMounts.flatMap(({ name }) =>
          complain(!volumes.includes(name), `mounts ${name}, which is not a volume of the pod`),
        ),
      );
    }),
  'probes at ports that exist': (pods) =>
    pods
      .filter(({ owner }) => owner.kind === 'Deployment' || owner.kind === 'StatefulSet')
      .flatMap((pod) =>
        eachContainer([pod], (container, complain) => {
          const ports = (container.ports ?? []).map(({ name }) => name);
          // A container that listens on nothing has no state to probe.
          const probes =
            ports.length === 0 ? [] : [container.startupProbe, container.livenessProbe, container.readinessProbe];
          return probes.flatMap((probe) => {
            const port = (probe?.httpGet ?? probe?.tcpSocket)?.port;
            const isSound = port === undefined ? probe?.exec !== undefined : ports.includes(port);
            return complain(!isSound, 'has no probe, or one with an unknown port');
          });
        }),
      ),
  'probes that wait for the answer': (pods) =>
    eachContainer(pods, ({ readinessProbe: probe }, complain) =>
      complain(
        probe !== undefined && probe.timeoutSeconds * 1_000 <= Readiness.PROBE_TIMEOUT_MS,
        'has a probe timeout that is shorter than the readiness check of a dependency',
      ),
    ),
  'time to finish': (pods) =>
    pods
      .filter(({ owner }) => owner.kind === 'Deployment')
      .flatMap((pod) =>
        eachContainer([pod], (container, complain) =>
          complain(
            secondsToStop(container) >= (pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS),
            'is killed before its drain ends',
          ),
        ),
      ),
  'selectors that match': (pods, manifests) => manifests.flatMap((manifest) => selectorProblems(manifest, pods)),
  'service ports that exist': (pods, manifests) =>
    ofKind(manifests, 'Service').flatMap((service) => {
      const own = pods.filter(({ labels }) => selects(service.spec?.selector, labels));
      const ports = own.flatMap(({ spec }) => spec.containers).flatMap(({ ports: each = [] }) => each);
      return (service.spec?.ports ?? [])
        .filter(({ targetPort }) => !ports.some((it) => it.name === targetPort || it.containerPort === targetPort))
        .map(({ targetPort }) => `${titleOf(service)} leads to port ${targetPort}, which none of its pods has.`);
    }),
  'budgets that let nodes drain': (_, manifests) =>
    ofKind(manifests, 'PodDisruptionBudget').flatMap((budget) => {
      const replicas = replicasOf(budget, manifests);
      const { maxUnavailable = 0, minAvailable } = budget.spec ?? {};
      const leaves = minAvailable === undefined ? maxUnavailable : replicas - minAvailable;
      return leaves > 0 && leaves < replicas
        ? []
        : [`${titleOf(budget)} allows ${leaves} of ${replicas} replicas to be evicted at once.`];
    }),
  'networks that are closed': (pods, manifests) =>
    pods.flatMap((pod) => {
      const own = ofKind(manifests, 'NetworkPolicy').filter(({ spec }) =>
        selects(spec?.podSelector?.matchLabels, pod.labels),
      );
      const closed = (type: string): boolean => own.some(({ spec }) => spec?.policyTypes?.includes(type));
      return complaint(!closed('Ingress') || !closed('Egress'), pod, 'accepts traffic from the whole network');
    }),
  'credentials from Secrets': (pods) =>
    eachContainer(pods, ({ env = [] }, complain) =>
      env
        .filter(
          ({ name, value }) =>
            value &&
            !value.startsWith('/run/secrets/') &&
            /PASSWORD|SECRET|PEPPER|_KEY$|^(DATABASE|NATS)_URL$/.test(name),
        )
        .flatMap(({ name }) => complain(true, `has ${name} in the clear`)),
    ),
  'one scaler': (_, manifests) => {
    const targets = manifests.flatMap(({ spec }) => (spec?.scaleTargetRef ? [spec.scaleTargetRef.name] : []));
    const twice = targets.filter((target, index) => targets.indexOf(target) !== index);
    const fixed = ofKind(manifests, 'Deployment').filter(
      ({ metadata, spec }) => targets.includes(metadata.name) && spec?.replicas !== undefined,
    );
    return [
      ...twice.map((target) => `${target} is scaled twice.`),
      ...fixed.map((deployment) => `${titleOf(deployment)} sets the replicas that its scaler sets.`),
    ];
  },
};

/** The time until no load balancer routes to the pod any more, plus the time to finish open requests. */
function secondsToStop({ lifecycle, env = [] }: Container): number {
  const drain = env.find(({ name }) => name === 'KINORA_DRAIN_SECONDS')?.value;
  return Number(lifecycle?.preStop.exec.command.at(-1) ?? 0) + Number(drain ?? new ServiceConfig().drainSeconds);
}

function selectorProblems(manifest: Manifest, pods: Pod[]): string[] {
  const selector = manifest.spec?.selector?.matchLabels;
  switch (manifest.kind) {
    case 'Deployment':
    case 'StatefulSet':
      return selects(selector, manifest.spec?.template?.metadata.labels ?? {})
        ? []
        : [`${titleOf(manifest)} does not select its own pods.`];
    case 'PodDisruptionBudget':
      return matchesSome(manifest, selector, pods);
    case 'Service':
      return matchesSome(manifest, manifest.spec?.selector, pods);
    case 'NetworkPolicy':
      return matchesSome(manifest, manifest.spec?.podSelector?.matchLabels, pods);
    default:
      return [];
  }
}

function matchesSome(manifest: Manifest, selector: Labels | undefined, pods: Pod[]): string[] {
  return pods.some(({ labels }) => selects(selector, labels)) ? [] : [`${titleOf(manifest)} selects no pod.`];
}

function replicasOf(budget: Manifest, manifests: Manifest[]): number {
  const deployment = ofKind(manifests, 'Deployment').find(({ spec }) =>
    selects(budget.spec?.selector?.matchLabels, spec?.template?.metadata.labels ?? {}),
  );
  const scaler = manifests.find(({ spec }) => spec?.scaleTargetRef?.name === deployment?.metadata.name);
  return scaler?.spec?.minReplicas ?? scaler?.spec?.minReplicaCount ?? deployment?.spec?.replicas ?? 0;
}

type Complain = (isWrong: boolean, what: string) => string[];

function eachContainer(pods: Pod[], judge: (container: Container, complain: Complain) => string[]): string[] {
  return pods.flatMap((pod) =>
    [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].flatMap((container) =>
      judge(container, (isWrong, what) => complaint(isWrong, pod, `(${container.name}) ${what}`)),
    ),
  );
}

function complaint(isWrong: boolean, { owner }: Pick<Pod, 'owner'>, what: string): string[] {
  return isWrong ? [`${titleOf(owner)} ${what}.`] : [];
}

function ofKind(manifests: Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}
