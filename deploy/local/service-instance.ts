/** The processes of the stack; each is built into `apps/<name>/src/main.js`. */
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

/** Contexts with a schema, a role and migrations of their own. */
export const CONTEXTS_WITH_SCHEMA = ['jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher'] as const;

export type ContextWithSchema = (typeof CONTEXTS_WITH_SCHEMA)[number];

/** One process of a service, with the ports that it keeps when it is started again. */
export interface ServiceInstance {
  service: ServiceName;
  /** The service's name, for a further process of it with its number: `gateway-2`. */
  name: string;
  /** Where it tells about its health; the sandbox has its whole interface here. */
  port: number;
  /** Where the outside reaches it; gateways only. */
  publicPort: number | null;
}

export function healthUrl({ service, port }: ServiceInstance): string {
  return `http://127.0.0.1:${port}/${service === 'sandbox' ? 'healthz' : 'readyz'}`;
}

/** The address without `/v1` under which the outside sees a gateway. */
export function publicUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** How many processes a service has; one when it isn't named. */
export type Replicas = Partial<Record<ServiceName, number>>;

/** What a stack's processes need at most: a port for their health each, and one to be reached at. */
export function countPorts(replicas: Replicas): number {
  return 2 * planSlots(replicas).length;
}

/** The processes of a stack. The first gateway has the port that was chosen for the stack, all else is at free ones. */
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
