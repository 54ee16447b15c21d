export const CONTEXTS_WITH_SCHEMA = [
  'jobs',
  'billing',
  'moderation',
  'catalog',
  'webhook-dispatcher',
  'console',
] as const;
export type ContextWithSchema = (typeof CONTEXTS_WITH_SCHEMA)[number];

/** The services of the stack; each is built into `apps/<name>/src/main.js`. */
export const SERVICES = ['gateway', ...CONTEXTS_WITH_SCHEMA, 'sandbox'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** One process of a service, with ports that stay the same after a restart. */
export interface ServiceInstance {
  service: ServiceName;
  /** The service's name, with a number for further processes: `gateway-2`. */
  name: string;
  /** Port of its health endpoint; the sandbox serves its whole API there. */
  port: number;
  /** Port of the public API of a gateway, or of the pages of a console; null for the others. */
  publicPort: number | null;
}

export function healthUrl({ service, port }: ServiceInstance): string {
  return `http://127.0.0.1:${port}/${service === 'sandbox' ? 'healthz' : 'readyz'}`;
}

/** The public address of a gateway, without `/v1`, or of the console. */
export function publicUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Number of processes of a service; one by default. */
export type Replicas = Partial<Record<ServiceName, number>>;

/** Upper limit of the ports of a stack: a health port for each process, and a public port for each gateway and console. */
export function countPorts(replicas: Replicas): number {
  return 2 * planSlots(replicas).length;
}

/** The ports that users know: those of the first process of each. */
export interface ChosenPorts {
  gateway: number;
  console: number;
}

/** The processes of a stack. The first gateway and the first console get the chosen ports; all others get free ports. */
export function planInstances(replicas: Replicas, chosen: ChosenPorts, freePorts: number[]): ServiceInstance[] {
  return planSlots(replicas).map(({ service, index }, slot) => {
    const [port, otherPort] = freePorts.slice(2 * slot) as [number, number];
    return {
      service,
      name: index === 0 ? service : `${service}-${index + 1}`,
      port,
      publicPort: service === 'gateway' || service === 'console' ? (index === 0 ? chosen[service] : otherPort) : null,
    };
  });
}

function planSlots(replicas: Replicas): { service: ServiceName; index: number }[] {
  return SERVICES.flatMap((service) =>
    Array.from({ length: replicas[service] ?? 1 }, (_, index) => ({ service, index })),
  );
}
