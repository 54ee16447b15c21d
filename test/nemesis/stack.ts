import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RECEIVER_AUTHORITY_FILE, TestBroker } from '@kinora/testing';
import { CrashingPostgres } from '../faults/commits/crashing-postgres';
import { LocalStack } from '../support/local-stack';
import { PRICE_MICROS, QUEUE_TIMEOUT_MS, RUN_TIMEOUT_MS } from './history';
import { WitnessedBackend } from './backend';
import { TcpProxy } from './tcp-proxy';

const REPLICAS = 'gateway=2,jobs=2,billing=2,webhook-dispatcher=2';
const MODEL = {
  type: 'image',
  queue_timeout_ms: QUEUE_TIMEOUT_MS,
  run_timeout_ms: RUN_TIMEOUT_MS,
  routes: [{ provider: 'sandbox' }],
};
const VIDEO_SECONDS = 5;
/** Small images: the subject is what happens to many jobs. */
const MODELS = [
  {
    ...MODEL,
    id: 'general-image',
    label: 'Small image',
    aliases: ['gpt-image-2'],
    capabilities: { t2i: true, sizes: ['128x128'], max_n: 4, max_refs: 0, sandbox: true },
    price: { micros: PRICE_MICROS.image, per: 'image' },
  },
  {
    ...MODEL,
    id: 'image-edit',
    label: 'Small edit',
    capabilities: { edit: true, max_n: 1, max_refs: 3, sandbox: true },
    output_side: { min: 128, max: 256 },
    price: { micros: PRICE_MICROS.edit, per: 'image' },
  },
  {
    ...MODEL,
    type: 'video',
    id: 'image-to-video',
    label: 'Small video',
    capabilities: { i2v: true, durations: [VIDEO_SECONDS], fps: 8, max_refs: 1, sandbox: true },
    output_frame: { max_pixels: 512 * 512, side_multiple: 16 },
    price: { micros: PRICE_MICROS.video / VIDEO_SECONDS, per: 'second' },
  },
];

/** A whole stack with two processes of the services that hold money and jobs, and a proxy at each seam. */
export class NemesisStack {
  private constructor(
    private readonly folder: string,
    readonly stack: LocalStack,
    readonly postgres: CrashingPostgres,
    readonly broker: TestBroker,
    readonly backend: WitnessedBackend,
    readonly links: Record<string, TcpProxy>,
  ) {}

  static async start(receiverPort: number): Promise<NemesisStack> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-nemesis-'));
    const [postgres, broker, backend] = await Promise.all([
      CrashingPostgres.start(folder),
      TestBroker.start(),
      WitnessedBackend.start(),
    ]);
    const start = (port: string | number = 0): Promise<TcpProxy> => TcpProxy.start(Number(port));
    const [database, nats] = [new URL(postgres.url), new URL(broker.url)];
    const links = {
      postgres: await start(database.port),
      nats: await start(nats.port),
      backend: await start(backend.port),
      receiver: await start(receiverPort),
      gateway: await start(),
      'gateway-2': await start(),
    };
    database.port = String(links.postgres.port);
    nats.port = String(links.nats.port);
    const provider = { id: 'sandbox', type: 'sandbox', url: `http://127.0.0.1:${links.backend.port}` };
    await writeFile(path.join(folder, 'providers.yaml'), JSON.stringify({ providers: [provider] }));
    await writeFile(path.join(folder, 'catalog.yaml'), JSON.stringify({ models: MODELS }));
    const stack = await LocalStack.start({
      env: {
        DATABASE_URL: database.href,
        NATS_URL: nats.href,
        KINORA_CONFIG_DIR: folder,
        KINORA_REPLICAS: REPLICAS,
        KINORA_EGRESS_ALLOW: '127.0.0.0/8',
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
        NODE_OPTIONS: `--require ${path.resolve('test/nemesis/jumping-clock.cjs')}`,
      },
    });
    const { processes } = await stack.describe();
    const portOf = (url = ''): number => Number(new URL(url).port);
    backend.target = new URL(processes['sandbox']?.health_url ?? '').origin;
    for (const name of ['gateway', 'gateway-2'] as const) links[name].targetPort = portOf(processes[name]?.base_url);
    return new NemesisStack(folder, stack, postgres, broker, backend, links);
  }

  baseUrl(gateway: number): string {
    return `http://127.0.0.1:${this.links[gateway === 0 ? 'gateway' : 'gateway-2']?.port}/v1`;
  }

  /** Undefined while the process is between two starts. */
  async pidOf(name: string): Promise<number | undefined> {
    return (await this.stack.describe()).processes[name]?.pid;
  }

  async end(): Promise<void> {
    await this.stack.end();
    await Promise.all(Object.values(this.links).map((link) => link.close()));
    this.backend.close();
    await Promise.all([this.postgres.stop(), this.broker.close()]);
    await rm(this.folder, { recursive: true, force: true });
  }
}
