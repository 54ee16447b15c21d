import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type AccountStanding, standingsRpc } from '@kinora/contracts/moderation/standings.rpc';
import { Database } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { StrikeStandingRepository } from '../../account/strike-standing.repository';
import { StrikeSuspension } from '../../account/strike-suspension';
import { LeaseRecall } from '../../rate-limit/lease-recall';

const PAGE = 500;

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
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<void> {
    let after: string | null = null;
    do after = await this.reconcilePage(after);
    while (after !== null);
  }

  /** @returns the account after which the next page begins; null after the last page. */
  private async reconcilePage(after_account_id: string | null): Promise<string | null> {
    const page = await this.bus.request(standingsRpc.listStandings, { after_account_id, limit: PAGE });
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
  }
}

function changedAtUs({ recorded_at_us, lifted_at_us }: AccountStanding): number {
  return Math.max(recorded_at_us, lifted_at_us ?? 0);
}
