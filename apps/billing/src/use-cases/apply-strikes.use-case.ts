import { Injectable } from '@nestjs/common';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';
import { type AccountStanding, standingsRpc } from '@kinora/contracts/moderation/standings.rpc';
import { SUSPENDED_JOBS_MAX, suspendedAccountsRpc } from '@kinora/contracts/jobs/suspended-accounts.rpc';
import { Bus } from '@kinora/bus';
import { Database, enterInbox, type Queryable } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AccountRepository } from '../account/account.repository';
import { DebtPause } from '../account/debt-pause';
import { StrikeStandingRepository } from '../account/strike-standing.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { HoldRepository } from '../wallet/hold.repository';
import { LeaseRecall } from '../rate-limit/leases';

const ACTOR = 'moderation';
const SUSPENDED = 'suspended_for_strikes';
const REINSTATED = 'reinstated_after_lifted_strike';
const BY_OPERATOR = 'set_status';

/** The fields that decide a suspension and are recorded with it. Other fields of a standing are recorded too. */
type CountedStrikes = Pick<StrikeStanding, 'account_id' | 'strikes' | 'window_days' | 'limit'>;

/** Suspends accounts for their strikes, and reverses only its own suspensions. */
@Injectable()
export class StrikeSuspension {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
    private readonly debtPause: DebtPause,
  ) {}

  /** Leaves an account unchanged that is already closed or suspended. */
  async suspend(transaction: Queryable, standing: CountedStrikes): Promise<void> {
    const { account_id, strikes, limit, window_days } = standing;
    if (strikes < limit) return;
    const reason = `${strikes} strikes in ${window_days} days`;
    if (!(await this.accounts.suspendForStrikes(transaction, account_id, reason))) return;
    await this.auditTrail.record(transaction, SUSPENDED, { ...standing, actor: ACTOR, reason });
  }

  /**
   * Reinstates only if the last status change is a suspension for strikes: a later decision of an operator stays. So does an
   * earlier one: an account that was paused before is paused again. One that owes money is paused too.
   */
  async reinstate(transaction: Queryable, standing: CountedStrikes): Promise<void> {
    const { account_id, strikes, limit } = standing;
    if (strikes >= limit) return;
    await this.accounts.lock(transaction, account_id);
    const last = await this.auditTrail.findLast(transaction, account_id, [BY_OPERATOR, SUSPENDED, REINSTATED]);
    if (last?.action !== SUSPENDED) return;
    const reason = 'a strike was lifted';
    const decision = await this.auditTrail.findLast(transaction, account_id, [BY_OPERATOR]);
    const status = decision?.details['status'] === 'paused' ? 'paused' : 'active';
    await this.accounts.setStatus(transaction, account_id, status, reason);
    await this.auditTrail.record(transaction, REINSTATED, { ...standing, actor: ACTOR, reason });
    await this.debtPause.begin(transaction, account_id);
  }
}

/**
 * Has the jobs of a suspended account canceled, one for each open hold. A suspended account gets no further hold, so after this none
 * of its jobs is in flight.
 */
@Injectable()
export class SuspendedJobs {
  constructor(
    private readonly bus: Bus,
    private readonly accounts: AccountRepository,
    private readonly holds: HoldRepository,
  ) {}

  /** @throws Error if a job was not canceled; a repeat cancels it. */
  async cancel(account_id: string): Promise<void> {
    if ((await this.accounts.getDetails(account_id)).status !== 'suspended') return;
    let cursor: string | null = null;
    do cursor = await this.cancelPage(account_id, cursor);
    while (cursor !== null);
  }

  /** @returns the job after which the next page begins; null after the last page. */
  private async cancelPage(account_id: string, cursor: string | null): Promise<string | null> {
    const holds = await this.holds.listOpenOfAccount(account_id, { cursor, limit: SUSPENDED_JOBS_MAX });
    if (holds.length === 0) return null;
    const job_ids = holds.map(({ job_id }) => job_id);
    const { settled } = await this.bus.request(suspendedAccountsRpc.cancelJobs, { account_id, job_ids });
    const left = job_ids.length - settled.length;
    if (left > 0) throw new Error(`${left} jobs of the suspended account ${account_id} were not canceled.`);
    return job_ids.length === SUSPENDED_JOBS_MAX ? (job_ids.at(-1) ?? null) : null;
  }
}

/** The inbox of running installations has rows with this name: another one would apply their events again. */
const CONSUMER = 'heed_strikes';

/**
 * Suspends an account that has too many strikes, and reverses only that when enough of them were lifted. Events may
 * arrive in any order: the decision uses the latest count of all received events.
 */
@Injectable()
export class ApplyStrikes {
  constructor(
    private readonly database: Database,
    private readonly suspension: StrikeSuspension,
    private readonly standings: StrikeStandingRepository,
    private readonly leaseRecall: LeaseRecall,
    private readonly suspendedJobs: SuspendedJobs,
  ) {}

  /** @throws Error while a job of the suspended account is not canceled; the event is then delivered again. */
  async suspend(standing: StrikeStanding, messageId: string): Promise<void> {
    await this.apply(standing, messageId, (...counted) => this.suspension.suspend(...counted));
    if (standing.strikes >= standing.limit) await this.suspendedJobs.cancel(standing.account_id);
  }

  reinstate(standing: StrikeStanding, messageId: string): Promise<void> {
    return this.apply(standing, messageId, (...counted) => this.suspension.reinstate(...counted));
  }

  private async apply(standing: StrikeStanding, messageId: string, decide: StrikeSuspension['suspend']): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await enterInbox(transaction, CONSUMER, messageId))) return;
      const strikes = await this.standings.noteAndReadLast(transaction, standing);
      await decide(transaction, { ...standing, strikes });
    });
    this.leaseRecall.signal(standing.account_id);
  }
}

const STANDINGS_PAGE = 500;

/**
 * Recovers from strike events that the broker lost. It compares moderation's records with the last standing stored here,
 * and acts if a strike was recorded or lifted later. A stored standing is skipped, so an account that an operator has
 * reactivated is not suspended again for the same strikes.
 */
@Injectable()
export class ReconcileStandings {
  constructor(
    private readonly bus: Bus,
    private readonly database: Database,
    private readonly standings: StrikeStandingRepository,
    private readonly suspension: StrikeSuspension,
    private readonly leaseRecall: LeaseRecall,
    private readonly suspendedJobs: SuspendedJobs,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<void> {
    let after: string | null = null;
    do after = await this.reconcilePage(after);
    while (after !== null);
  }

  /** @returns the account after which the next page begins; null after the last page. */
  private async reconcilePage(after_account_id: string | null): Promise<string | null> {
    const page = await this.bus.request(standingsRpc.listStandings, { after_account_id, limit: STANDINGS_PAGE });
    const known = await this.standings.findTimes(page.standings.map(({ account_id }) => account_id));
    for (const standing of page.standings) {
      const knownAtUs = known.get(standing.account_id) ?? 0;
      if (changedAtUs(standing) > knownAtUs) await this.catchUp(standing, knownAtUs);
    }
    return page.next_account_id;
  }

  private async catchUp(standing: AccountStanding, knownAtUs: number): Promise<void> {
    const { recorded_at_us: _recorded, lifted_at_us: liftedAtUs, ...counted } = standing;
    const { account_id, strikes } = counted;
    const isNews = await this.database.transaction(async (transaction) => {
      if (!(await this.standings.noteLater(transaction, account_id, strikes, changedAtUs(standing)))) return false;
      await this.suspension.suspend(transaction, counted);
      // Expired strikes do not end a suspension; only a lifted one does.
      if (liftedAtUs !== null && liftedAtUs > knownAtUs) await this.suspension.reinstate(transaction, counted);
      return true;
    });
    if (!isNews) return;
    this.leaseRecall.signal(account_id);
    this.logger.warn({ account_id, strikes }, 'lost_strike_event_recovered');
    if (strikes >= counted.limit) await this.suspendedJobs.cancel(account_id);
  }
}

function changedAtUs({ recorded_at_us, lifted_at_us }: AccountStanding): number {
  return Math.max(recorded_at_us, lifted_at_us ?? 0);
}
