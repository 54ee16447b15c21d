import { Injectable } from '@nestjs/common';
import { type Instance, ProviderRegistry } from '@kinora/compute';
import type {
  ComputeInstance,
  ComputeState,
  LastHour,
  RunTimes,
  UnknownAttempt,
} from '@kinora/contracts/jobs/jobs-admin.rpc';
import { AttemptCountsRepository, type InstanceCountRow } from '../job-counts.repository';
import { CachedRead } from '../../progress/cached-read';
import { RunTimeHistogram } from '../../progress/estimate';
import { type RunTimeCount, RunTimeRepository } from '../../progress/run-time.repository';
import { type InstanceHour, InstanceHoursRepository } from '../../scheduling/instance-hours.repository';
import { ProviderLoad } from '../../routing/provider-load';
import { Router } from '../../routing/router';

const FRESH_MS = 5_000;

/** The compute instances for operators, from the database and this process: no instance is asked. */
@Injectable()
export class ShowCompute {
  private readonly state = new CachedRead(FRESH_MS, () => this.read());

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly load: ProviderLoad,
    private readonly router: Router,
    private readonly attempts: AttemptCountsRepository,
    private readonly runTimes: RunTimeRepository,
    private readonly hours: InstanceHoursRepository,
  ) {}

  execute(): Promise<ComputeState> {
    return this.state.get();
  }

  private async read(): Promise<ComputeState> {
    const [counts, runTimes, hours, unknown] = await Promise.all([
      this.attempts.countByInstance(),
      this.runTimes.listRecent(),
      this.hours.list(this.providers.listLoading()),
      this.attempts.listUnknown(),
    ]);
    const instances = this.providers
      .listInstances()
      .map((instance) => this.describe(instance, { counts, runTimes, hours }));
    return { instances, unknown_attempts: unknown.map(toUnknownAttempt) };
  }

  private describe({ provider, type }: Instance, { counts, runTimes, hours }: Counted): ComputeInstance {
    const count = counts.find((row) => row.provider === provider.id);
    const hour = hours.find((each) => each.provider === provider.id);
    const slots = this.load.slots(provider).common;
    const used_slots = count?.placed ?? 0;
    return {
      id: provider.id,
      type,
      slots,
      used_slots,
      free_slots: Math.max(slots - used_slots, 0),
      is_breaker_open: this.router.isBreakerOpen(provider.id),
      unknown_attempts: count?.unknown ?? 0,
      run_times: summarize(runTimes.filter((row) => row.provider === provider.id)),
      ...(hour && { last_hour: toLastHour(hour) }),
    };
  }
}

interface Counted {
  counts: InstanceCountRow[];
  runTimes: RunTimeCount[];
  hours: InstanceHour[];
}

function toLastHour({ running_ms, loading_ms, idle_ms, unknown_ms, loads }: InstanceHour): LastHour {
  return { running_ms, loading_ms, idle_ms, unknown_ms, loads };
}

function summarize(rows: RunTimeCount[]): RunTimes[] {
  const models = [...new Set(rows.map(({ model }) => model))].sort();
  return models.map((model) => {
    const histogram = new RunTimeHistogram();
    const ofModel = rows.filter((row) => row.model === model);
    for (const { bucket, jobs } of ofModel) histogram.add(bucket, jobs);
    return {
      model,
      jobs: ofModel.reduce((sum, { jobs }) => sum + jobs, 0),
      p50_ms: Math.round(histogram.quantileMs(0.5) ?? 0),
      p95_ms: Math.round(histogram.quantileMs(0.95) ?? 0),
    };
  });
}

function toUnknownAttempt({
  checked_at,
  ...row
}: Omit<UnknownAttempt, 'checked_at'> & { checked_at: Date }): UnknownAttempt {
  return { ...row, checked_at: checked_at.toISOString() };
}
