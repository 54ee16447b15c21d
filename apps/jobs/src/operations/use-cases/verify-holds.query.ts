import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { HoldsReport, VerifyHoldsRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { UsageViolation } from '@kinora/contracts/jobs/usage';
import { firstIdOf } from '@kinora/database';
import { Clock } from '@kinora/service-kit';
import { JobMonths } from '../../job/job-months';
import { compareWithHold, PricedJobRepository } from '../hold-audit.repository';

const PAGE = 500;
/** Well within the caller's timeout. */
const ENOUGH_MS = 20_000;
const MAX_VIOLATIONS = 1_000;
/** No orphan hold lives longer than this; a younger one may still wait for its job. */
const ORPHAN_AFTER_SECONDS = 120;
/** A job and its hold end one after the other, within two seconds: differences are checked again. */
const RECHECKS = 6;
const RECHECK_AFTER_MS = 1_000;

/** Compares jobs with their holds while both change, and reports lasting differences. */
@Injectable()
export class VerifyHolds {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: PricedJobRepository,
    private readonly months: JobMonths,
    private readonly clock: Clock,
  ) {}

  async execute({ side, after_job_id }: VerifyHoldsRequest): Promise<HoldsReport> {
    const enoughAt = this.clock.nowMs() + ENOUGH_MS;
    const report: HoldsReport = { checked: 0, violations: [], next_job_id: null };
    let after = after_job_id ?? (await this.lastDropped());
    do {
      const jobIds = side === 'jobs' ? await this.listJobs(after) : await this.listHolds(after);
      report.violations.push(...(await this.compare(jobIds)));
      report.checked += jobIds.length;
      after = jobIds.length === PAGE ? (jobIds.at(-1) ?? null) : null;
    } while (after !== null && this.clock.nowMs() < enoughAt && report.violations.length < MAX_VIOLATIONS);
    return { ...report, next_job_id: after };
  }

  /** Holds outlive the dropped months of their jobs. */
  private async lastDropped(): Promise<string | null> {
    const keptFrom = await this.months.keptFrom();
    return keptFrom && firstIdOf(keptFrom);
  }

  private async listJobs(after: string | null): Promise<string[]> {
    return (await this.jobs.list(after, PAGE)).map(({ id }) => id);
  }

  private async listHolds(after_job_id: string | null): Promise<string[]> {
    const page = { open_for_seconds: ORPHAN_AFTER_SECONDS, after_job_id, limit: PAGE };
    const { holds } = await this.bus.request(billingRpc.listChargingHolds, page);
    return holds.map(({ job_id }) => job_id);
  }

  /** The differences that remain after the last check. */
  private async compare(jobIds: string[]): Promise<UsageViolation[]> {
    let suspects = await this.recheck(jobIds);
    for (let recheck = 1; recheck < RECHECKS && suspects.size > 0; recheck++) {
      await this.clock.sleep(RECHECK_AFTER_MS);
      suspects = await this.recheck([...suspects.keys()]);
    }
    return [...suspects.values()];
  }

  private async recheck(jobIds: string[]): Promise<Map<string, UsageViolation>> {
    if (jobIds.length === 0) return new Map();
    const [jobs, { holds }] = await Promise.all([
      this.jobs.find(jobIds),
      this.bus.request(billingRpc.findHolds, { job_ids: jobIds }),
    ]);
    const jobById = new Map(jobs.map((job) => [job.id, job]));
    const holdById = new Map(holds.map((hold) => [hold.job_id, hold]));
    const suspects = new Map<string, UsageViolation>();
    for (const id of jobIds) {
      const violation = compareWithHold(jobById.get(id), holdById.get(id));
      if (violation) suspects.set(id, violation);
    }
    return suspects;
  }
}
