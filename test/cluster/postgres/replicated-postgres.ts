import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CrashingPostgres } from '../../faults/commits/crashing-postgres';

/** A PostgreSQL primary and its synchronous standby. */
export class ReplicatedPostgres {
  private constructor(
    private readonly folder: string,
    readonly primary: CrashingPostgres,
    readonly standby: CrashingPostgres,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-replicated-'));
    const primary = await CrashingPostgres.start(folder);
    return new ReplicatedPostgres(folder, primary, await primary.startStandby(path.join(folder, 'standby')));
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary.stop(), this.standby.stop()]);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 50 });
  }
}
