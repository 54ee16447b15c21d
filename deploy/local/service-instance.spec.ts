import { countPorts, healthUrl, planInstances, SERVICES } from './service-instance';

const CHOSEN = { gateway: 8080, console: 8081 };
const FREE_PORTS = Array.from({ length: 100 }, (_, index) => 20_000 + index);

describe('plan of the processes', () => {
  it('has one process per service, and the gateway and the console at the chosen ports', () => {
    const instances = planInstances({}, CHOSEN, FREE_PORTS);
    expect(instances.map(({ name }) => name)).toEqual([...SERVICES]);
    expect(instances.map(({ publicPort }) => publicPort)).toEqual([8080, null, null, null, null, null, 8081, null]);
  });

  it('numbers further processes of a service, and gives each gateway its own port', () => {
    const instances = planInstances({ gateway: 3, jobs: 2 }, CHOSEN, FREE_PORTS);
    expect(instances.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['gateway', 'gateway-2', 'gateway-3', 'jobs', 'jobs-2']),
    );
    const ports = instances.flatMap(({ port, publicPort }) => (publicPort === null ? [port] : [port, publicPort]));
    expect(ports).toContain(8080);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('uses no more ports than it requests', () => {
    const replicas = { gateway: 4, billing: 2 };
    const instances = planInstances(replicas, CHOSEN, FREE_PORTS.slice(0, countPorts(replicas)));
    expect(instances.every(({ port, publicPort }) => port > 0 && publicPort !== undefined)).toBe(true);
  });

  it('polls each service at its own health endpoint', () => {
    const urls = planInstances({}, CHOSEN, FREE_PORTS).map(healthUrl);
    expect(urls.filter((url) => url.endsWith('/readyz'))).toHaveLength(SERVICES.length - 1);
    expect(urls.at(-1)).toMatch(/\/healthz$/);
  });
});
