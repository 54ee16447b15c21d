import { Injectable } from '@nestjs/common';
import type { JobRow } from '../job/job.row';
import type { ComputeProvider } from '../providers/compute-provider.port';
import { ProviderLoad } from '../providers/provider-load';
import { ProviderRegistry } from '../providers/provider-registry';

/** Where a job may be sent: to the instance that was picked for it when it was accepted. */
@Injectable()
export class JobRoutes {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly load: ProviderLoad,
  ) {}

  /** How many jobs of the model may be sent now. */
  async room(_model: string): Promise<number> {
    const rooms = await Promise.all(this.providers.list().map((provider) => this.load.room(provider)));
    return rooms.reduce((sum, room) => sum + Math.max(room, 0), 0);
  }

  /** Null while the job can be sent nowhere. */
  choose(job: JobRow, avoid: string[]): { provider: ComputeProvider; template?: string } | null {
    const provider = this.providers.find(job.provider);
    return provider && !avoid.includes(provider.id) ? { provider } : null;
  }

  /** Whether another instance can run the job. */
  hasOther(_jobId: string, _avoid: string[]): Promise<boolean> {
    return Promise.resolve(false);
  }
}
