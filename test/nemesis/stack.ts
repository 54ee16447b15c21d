import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import { dataFolderAt } from '../../deploy/local/data-folder';
import { waitUntil } from '../../deploy/local/wait-until';
import type { SmallDisk } from '../cluster/small-disk';
import { CrashingPostgres } from '../faults/commits/crashing-postgres';
import { LocalStack } from '../support/local-stack';
import { WitnessedBackend } from './backend';
import type { Installation } from './installations';
import { MODELS } from './models';
import { listFiles } from './stored-files';
import { type Dependencies, DEPENDENCIES, mountIfAllowed } from './dependencies';
import { TcpProxy } from './tcp-proxy';

const ORPHAN_AFTER_SECONDS = 60;
/** The sweep looks once a minute whether a pass is due. */
const SWEPT_WITHIN_MS = ORPHAN_AFTER_SECONDS * 1_000 + 120_000;
const SWEEP_EVERY_MS = 20_000;
/** As a day after the last pass, whatever process had begun it. */
const MAKE_SWEEP_DUE = `UPDATE jobs.orphan_sweep SET begun_at = '-infinity', leased_until = '-infinity'`;
const REPLICAS = 'gateway=2,jobs=2,billing=2,webhook-dispatcher=2';

/** A whole stack with two processes of the services that hold money and jobs, and a proxy at each seam. */
export class NemesisStack {
  private failovers = 0;
  private env: Record<string, string> = {};
  /** Since when no process of an earlier release runs, in milliseconds of the epoch. */
  currentSinceMs = 0;

  private constructor(
    private readonly folder: string,
    /** Undefined where this user may not mount one. */
    readonly databaseDisk: SmallDisk | undefined,
    public stack: LocalStack,
    /** The primary. */
    public postgres: CrashingPostgres,
    readonly dependencies: Dependencies,
    readonly backend: WitnessedBackend,
    readonly links: Record<string, TcpProxy>,
  ) {}

  /** @param programs the built programs of an earlier release, for a stack that is upgraded. */
  static async start(receiverPort: number, installation: Installation, programs?: string): Promise<NemesisStack> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-nemesis-'));
    const dataDir = path.join(folder, 'stack');
    const databaseDisk = await mountIfAllowed(path.join(folder, 'database'));
    const [postgres, dependencies, backend] = await Promise.all([
      CrashingPostgres.start(path.join(folder, 'database')),
      DEPENDENCIES[installation](dataDir),
      WitnessedBackend.start(),
    ]);
    const start = (port = 0): Promise<TcpProxy> => TcpProxy.start(port);
    const links = {
      ...dependencies.links,
      postgres: await start(postgres.port),
      backend: await start(backend.port),
      receiver: await start(receiverPort),
      gateway: await start(),
      'gateway-2': await start(),
    };
    const provider = { id: 'sandbox', type: 'sandbox', url: `http://127.0.0.1:${links.backend.port}` };
    await writeFile(path.join(folder, 'providers.yaml'), JSON.stringify({ providers: [provider] }));
    await writeFile(path.join(folder, 'catalog.yaml'), JSON.stringify({ models: MODELS }));
    const env = {
      ...dependencies.env,
      DATABASE_URL: postgres.urlAt(links.postgres.port),
      KINORA_CONFIG_DIR: folder,
      KINORA_REPLICAS: REPLICAS,
      KINORA_EGRESS_ALLOW: '127.0.0.0/8',
      JOBS_ORPHAN_AFTER_SECONDS: String(ORPHAN_AFTER_SECONDS),
      NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
      NODE_OPTIONS: `--require ${path.resolve('test/nemesis/jumping-clock.cjs')}`,
    };
    const stack = await LocalStack.start({ dataDir, env, ...(programs !== undefined && { programs }) });
    const started = new NemesisStack(folder, databaseDisk, stack, postgres, dependencies, backend, links);
    started.env = env;
    if (programs !== undefined) started.currentSinceMs = Infinity;
    await started.connect();
    return started;
  }

  /** As a rolling update: processes of this version start beside those of the earlier one, which end when these are ready. */
  async upgrade(): Promise<void> {
    const earlier = this.stack;
    const [from, to] = [dataFolderAt(earlier.dataDir), dataFolderAt(path.join(this.folder, 'upgraded'))];
    await mkdir(to.root);
    await copyFile(from.secrets, to.secrets);
    await symlink(from.objects, to.objects);
    this.stack = await LocalStack.start({ dataDir: to.root, env: this.env });
    await this.connect();
    await earlier.end();
    this.currentSinceMs = Date.now();
  }

  /** Leads to the processes of the current version. */
  private async connect(): Promise<void> {
    const { processes } = await this.stack.describe();
    this.backend.target = new URL(processes['sandbox']?.health_url ?? '').origin;
    for (const name of ['gateway', 'gateway-2'])
      (this.links[name] as TcpProxy).targetPort = Number(new URL(processes[name]?.base_url ?? '').port);
  }

  baseUrl(gateway: number): string {
    return `http://127.0.0.1:${this.links[gateway === 0 ? 'gateway' : 'gateway-2']?.port}/v1`;
  }

  /** Undefined while the process is between two starts. */
  async pidOf(name: string): Promise<number | undefined> {
    return (await this.stack.describe()).processes[name]?.pid;
  }

  /** A synchronous standby takes the place of the primary, which is killed. */
  async failOver(): Promise<void> {
    const { postgres: killed, links } = this;
    const folder = path.join(this.folder, 'database', `failover-${++this.failovers}`);
    await mkdir(folder);
    const standby = await killed.startStandby(folder);
    await killed.kill();
    await standby.promote();
    (links['postgres'] as TcpProxy).targetPort = standby.port;
    this.postgres = standby;
    await rm(killed.data, { recursive: true, maxRetries: 50 });
  }

  /** @returns the files that a pass of the orphan sweep has left, and no job shows. */
  async findOrphans(shown: ReadonlySet<string>): Promise<string[]> {
    let orphans: string[] = [];
    await waitUntil(
      async () => {
        await this.postgres.administrate(MAKE_SWEEP_DUE);
        orphans = (await listFiles(this.dependencies.objects)).filter((key) => !shown.has(key));
        return orphans.length === 0;
      },
      { timeoutMs: SWEPT_WITHIN_MS, intervalMs: SWEEP_EVERY_MS },
    );
    return orphans;
  }

  /** Resident memory of each process that runs, in megabytes. */
  async readMemory(): Promise<Map<string, number>> {
    const { processes } = await this.stack.describe();
    const read = Object.entries(processes).map(async ([name, { pid }]): Promise<[string, number]> => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return [name, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024];
    });
    return new Map(await Promise.all(read));
  }

  async end(): Promise<void> {
    await this.stack.end();
    await Promise.all(Object.values(this.links).map((link) => link.close()));
    this.backend.close();
    await Promise.all([this.postgres.stop(), this.dependencies.close()]);
    await this.databaseDisk?.unmount();
    await rm(this.folder, { recursive: true, force: true });
  }
}
