import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LocalStack } from './local-stack';

/** How soon it detects a change; in a cluster that takes about the period of a probe. */
const POLL_INTERVAL_MS = 100;

interface Backend {
  port: number;
  healthUrl: string;
}

/**
 * One address for all gateways of a stack, like a Kubernetes Service: a new connection goes to a ready gateway, and stays there
 * until it ends.
 */
export class ServiceBalancer {
  private ready: Backend[] = [];
  private index = 0;
  private isClosed = false;

  private constructor(
    private readonly server: Server,
    private readonly backends: Backend[],
  ) {
    server.on('connection', (client) => this.connect(client));
  }

  static async start(stack: LocalStack): Promise<ServiceBalancer> {
    const { processes } = await stack.describe();
    const backends = Object.values(processes).flatMap(({ base_url, health_url: healthUrl }) =>
      base_url === undefined ? [] : [{ port: Number(new URL(base_url).port), healthUrl }],
    );
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const balancer = new ServiceBalancer(server, backends);
    await balancer.probe();
    void balancer.follow();
    return balancer;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connect(client: Socket): void {
    const backend = this.ready[this.index++ % this.ready.length];
    if (!backend) return void client.destroy();
    const server = connect({ port: backend.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    client.pipe(server).pipe(client);
    // An error on one side destroys the other side, so that a reset never looks like an orderly end.
    client.once('error', () => server.destroy());
    server.once('error', () => client.resetAndDestroy());
  }

  private async follow(): Promise<void> {
    while (!this.isClosed) {
      await delay(POLL_INTERVAL_MS);
      await this.probe();
    }
  }

  private async probe(): Promise<void> {
    const answers = await Promise.all(this.backends.map(({ healthUrl }) => fetch(healthUrl).catch(() => null)));
    this.ready = this.backends.filter((_, index) => answers[index]?.status === 200);
  }
}
