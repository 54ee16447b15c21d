import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EVENT_STREAM, type NatsConnection, connectNats } from '@kinora/bus';
import { createTestLog, waitFor } from '@kinora/testing';
import { cacheFolder } from '../../../deploy/local/data-folder';
import { findFreePorts } from '../../../deploy/local/free-ports';
import { findNatsBinary } from '../../../deploy/local/nats/nats-binary';
import { natsProcess } from '../../../deploy/local/nats/nats-process';
import { RunningProcess } from '../../../deploy/local/processes/running-process';
import { untilReady } from '../../../deploy/local/processes/until-ready';
import { RouteProxy } from './route-proxy';

const STOP_WITHIN_MS = 20_000;

interface Node {
  name: string;
  port: number;
  routePort: number;
  monitorPort: number;
  proxy: RouteProxy;
  process: RunningProcess | null;
}

interface StreamState {
  leader: string | null;
  replicas: number;
  /** Whether every replica has all events. */
  isCurrent: boolean;
}

/** A cluster of real NATS servers on loopback. They reach each other through proxies, so that the network between them can fail. */
export class NatsCluster {
  private constructor(
    private readonly folder: string,
    private readonly binary: string,
    private readonly settings: string,
    readonly nodes: Node[],
  ) {}

  /** Additional settings, such as users, are appended to the configuration of each server. */
  static async start(size: number, settings = ''): Promise<NatsCluster> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-nats-cluster-'));
    const binary = await findNatsBinary({ cacheDir: cacheFolder(process.env), env: process.env });
    const ports = await findFreePorts(size * 3);
    const nodes: Node[] = [];
    for (let index = 0; index < size; index++) {
      const [port, routePort, monitorPort] = ports.slice(index * 3) as [number, number, number];
      const name = `n${index + 1}`;
      nodes.push({
        name,
        port,
        routePort,
        monitorPort,
        proxy: await RouteProxy.start({ name, port: routePort }),
        process: null,
      });
    }
    const cluster = new NatsCluster(folder, binary, settings, nodes);
    await Promise.all(nodes.map((node) => cluster.run(node)));
    await cluster.untilHealthy();
    return cluster;
  }

  /** All servers take part in the cluster, and have what the others have. */
  async untilHealthy(): Promise<void> {
    const areHealthy = (): Promise<boolean[]> => Promise.all(this.nodes.map((node) => this.isHealthy(node)));
    await waitFor(async () => (await areHealthy()).every(Boolean), { timeoutMs: 60_000 });
  }

  /** Of all servers. */
  get url(): string {
    return this.urlAs();
  }

  urlAs(user?: string, password?: string): string {
    const credentials = user === undefined ? '' : `${user}:${password}@`;
    return this.nodes.map(({ port }) => `nats://${credentials}127.0.0.1:${port}`).join();
  }

  storeOf(name: string): string {
    return path.join(this.folder, name);
  }

  async kill(name: string): Promise<void> {
    const { process: running } = this.node(name);
    if (!running) throw new Error(`${name} does not run.`);
    process.kill(running.pid, 'SIGKILL');
    await running.exited;
    this.node(name).process = null;
  }

  /** An orderly stop, as in a rolling restart: the server first asks its clients to go elsewhere. */
  async stop(name: string): Promise<void> {
    const { process: running } = this.node(name);
    if (running) {
      process.kill(running.pid, 'SIGUSR2');
      await Promise.race([running.exited, running.stop(STOP_WITHIN_MS)]);
    }
    this.node(name).process = null;
  }

  /** Resolves when the server takes part in the cluster again, with all that it has missed. */
  async startAgain(name: string): Promise<void> {
    const node = this.node(name);
    await this.run(node);
    await waitFor(() => this.isHealthy(node), { timeoutMs: 60_000 });
  }

  /** Resolves when the server has all events again. Servers before 2.10 may call themselves unhealthy for longer. */
  async rejoin(name: string): Promise<void> {
    await this.run(this.node(name));
    await waitFor(async () => (await this.stream()).isCurrent, { timeoutMs: 60_000 });
  }

  /** The server keeps its clients and loses the others, or with null all reach each other again. */
  separate(name: string | null): void {
    for (const { proxy } of this.nodes) proxy.separate(name);
  }

  /** As its leader sees it. A server that is separated may believe for long that it is the leader; it is not asked. */
  async stream(separated: string | null = null): Promise<StreamState> {
    for (const node of this.nodes.filter((it) => it.process && it.name !== separated)) {
      const state = await this.streamAt(node);
      if (state?.leader === node.name) return state;
    }
    return { leader: null, replicas: 0, isCurrent: false };
  }

  async version(): Promise<string> {
    const [node] = this.nodes;
    if (!node) throw new Error('The cluster has no server.');
    return ((await this.monitor(node, '/varz')) as { version: string }).version;
  }

  async clientsOf(name: string): Promise<string[]> {
    const { connections } = (await this.monitor(this.node(name), '/connz')) as { connections: { name: string }[] };
    return connections.map((client) => client.name);
  }

  async connect(url = this.url): Promise<NatsConnection> {
    return await connectNats({ url, name: 'test', logger: createTestLog().logger });
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.flatMap(({ process: running }) => running?.stop(STOP_WITHIN_MS) ?? []));
    await Promise.all(this.nodes.map(({ proxy }) => proxy.close()));
    await rm(this.folder, { recursive: true, force: true });
  }

  private node(name: string): Node {
    const found = this.nodes.find((node) => node.name === name);
    if (!found) throw new Error(`There is no server ${name}.`);
    return found;
  }

  private async run(node: Node): Promise<void> {
    const configFile = path.join(this.folder, `${node.name}.conf`);
    const logFile = path.join(this.folder, `${node.name}.log`);
    await writeFile(configFile, this.configOf(node));
    const spec = natsProcess({ binary: this.binary, configFile, port: node.port, logFile, env: process.env });
    node.process = await RunningProcess.start(spec);
    await untilReady(spec, node.process);
  }

  /** The cluster's own settings are those of deploy/helm/nats-values.yaml, as far as this version of the server has them. */
  private configOf({ name, port, routePort, monitorPort, proxy }: Node): string {
    const others = this.nodes.filter((node) => node.name !== name);
    return `server_name: ${name}
listen: "127.0.0.1:${port}"
http: "127.0.0.1:${monitorPort}"
max_payload: 8MB
ping_interval: "3s"
ping_max: 2
lame_duck_duration: "30s"
lame_duck_grace_period: "1s"
jetstream { store_dir: ${JSON.stringify(this.storeOf(name))} }
cluster {
  name: kinora
  listen: "127.0.0.1:${routePort}"
  advertise: "127.0.0.1:${proxy.port}"
  no_advertise: true
  routes: [${others.map((other) => `"nats://127.0.0.1:${other.proxy.port}"`).join(', ')}]
}
${this.settings}`;
  }

  private async isHealthy(node: Node): Promise<boolean> {
    const health = (await this.monitor(node, '/healthz').catch(() => null)) as { status: string } | null;
    return health?.status === 'ok';
  }

  private async streamAt(node: Node): Promise<StreamState | null> {
    const page = (await this.monitor(node, '/jsz?streams=true&config=true').catch(() => null)) as JetStreamPage | null;
    const stream = page?.account_details
      ?.flatMap((it) => it.stream_detail ?? [])
      .find((it) => it.name === EVENT_STREAM);
    if (!stream) return null;
    const { leader, replicas = [] } = stream.cluster ?? {};
    const isCurrent = replicas.every(({ current, offline }) => current && !offline);
    return { leader: leader ?? null, replicas: stream.config.num_replicas, isCurrent };
  }

  private async monitor(node: Node, page: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${node.monitorPort}${page}`, { signal: AbortSignal.timeout(2_000) });
    return await answer.json();
  }
}

interface JetStreamPage {
  account_details?: {
    stream_detail?: {
      name: string;
      config: { num_replicas: number };
      cluster?: { leader?: string; replicas?: { current: boolean; offline?: boolean }[] };
    }[];
  }[];
}
