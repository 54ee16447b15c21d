/** The services of the stack; each is built into `apps/<name>/src/main.js`. */
export const SERVICES = [
  'gateway',
  'jobs',
  'billing',
  'moderation',
  'catalog',
  'webhook-dispatcher',
  'sandbox',
] as const;

export type ServiceName = (typeof SERVICES)[number];

/** Contexts that have a schema, a role and migrations. */
export const CONTEXTS_WITH_SCHEMA = ['jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher'] as const;

export type ContextWithSchema = (typeof CONTEXTS_WITH_SCHEMA)[number];

/** One process of a service, with ports that stay the same after a restart. */
export interface ServiceInstance {
  service: ServiceName;
  /** The service's name, with a number for further processes: `gateway-2`. */
  name: string;
  /** Port of its health endpoint; the sandbox serves its whole API there. */
  port: number;
  /** Port of the public API; gateways only. */
  publicPort: number | null;
}

export function healthUrl({ service, port }: ServiceInstance): string {
  return `http://127.0.0.1:${port}/${service === 'sandbox' ? 'healthz' : 'readyz'}`;
}

/** The public address of a gateway, without `/v1`. */
export function publicUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Number of processes of a service; one by default. */
export type Replicas = Partial<Record<ServiceName, number>>;

/** Upper limit of the ports of a stack: a health port for each process, and a public port for each gateway. */
export function countPorts(replicas: Replicas): number {
  return 2 * planSlots(replicas).length;
}

/** The processes of a stack. The first gateway gets the chosen port; all others get free ports. */
export function planInstances(replicas: Replicas, gatewayPort: number, freePorts: number[]): ServiceInstance[] {
  return planSlots(replicas).map(({ service, index }, slot) => {
    const [port, otherPort] = freePorts.slice(2 * slot) as [number, number];
    const reachedAt = index === 0 ? gatewayPort : otherPort;
    return {
      service,
      name: index === 0 ? service : `${service}-${index + 1}`,
      port,
      publicPort: service === 'gateway' ? reachedAt : null,
    };
  });
}

function planSlots(replicas: Replicas): { service: ServiceName; index: number }[] {
  return SERVICES.flatMap((service) =>
    Array.from({ length: replicas[service] ?? 1 }, (_, index) => ({ service, index })),
  );
}
