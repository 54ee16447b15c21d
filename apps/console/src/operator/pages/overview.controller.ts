import { accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { paymentsHealthRpc } from '@kinora/contracts/billing/checkout.rpc';
import { emailRpc } from '@kinora/contracts/billing/email.rpc';
import { type LedgerDays, ledgerDaysRpc, type LedgerReport } from '@kinora/contracts/billing/ledger.rpc';
import type { CheckResult, RecordCheckRequest } from '@kinora/contracts/console/checks.rpc';
import { type ComputeInstance, type JobTotals, jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { REQUESTS } from '../../http/query-fields';
import { REASON } from '../../http/fields';
import { controllerOf, get, post } from './operator-route';

/** The whole service at a glance. A part whose service does not answer is null, and the others are shown. */
export interface Overview {
  jobs: JobTotals | null;
  instances: ComputeInstance[] | null;
  ledger: LedgerDays | null;
  /** The last runs of `kinora doctor` and `kinora ledger verify`, of those that have run. */
  checks: CheckResult[];
  /** Whether an operator has confirmed that a backup is set up. */
  has_backup: boolean;
}

/** What an installation needs besides running: null where its service does not answer. */
export interface Setup {
  has_accounts: boolean | null;
  /** Whether a mail server takes what is sent to customers. */
  sends_mail: boolean | null;
  /** Whether customers can pay, and the provider answers. */
  takes_payments: boolean | null;
}

const OVERVIEW_DAYS = 30;
const LEDGER_DAYS = 90;

/** The overview, the ledger by day, and the requests of all accounts. */
export const OverviewController = controllerOf('OverviewController', {
  showOverview: get(
    'overview',
    { summary: 'Show jobs, instances and money', needs: 'view' },
    async ({ bus, checks: results }): Promise<Overview> => {
      const [jobs, compute, ledger, known] = await Promise.all([
        bus.request(jobsAdminRpc.showTotals, {}).catch(() => null),
        bus.request(jobsAdminRpc.showCompute, {}).catch(() => null),
        bus.request(ledgerDaysRpc.listDays, { days: OVERVIEW_DAYS }).catch(() => null),
        results.list(),
      ]);
      return { jobs, instances: compute?.instances ?? null, ledger, ...known };
    },
  ),
  showSetup: get(
    'setup',
    { summary: 'Show what a new installation still lacks', needs: 'view' },
    async ({ bus }): Promise<Setup> => {
      const [accounts, mail, payments] = await Promise.all([
        bus.request(accountListRpc.listAccounts, { limit: 1 }).catch(() => null),
        bus.request(emailRpc.check, {}).catch(() => null),
        bus.request(paymentsHealthRpc.examine, {}).catch(() => null),
      ]);
      return {
        has_accounts: accounts && accounts.data.length > 0,
        sends_mail: mail && mail.transport === 'smtp' && mail.problem === null,
        takes_payments: payments && ![null, 'sandbox'].includes(payments.provider) && payments.problems.length === 0,
      };
    },
  ),
  confirmBackup: post(
    'checks/backup',
    { summary: 'Confirm that a backup is set up', needs: 'verify_ledger', body: { reason: REASON } },
    ({ audit, by, checks, body: { reason } }) =>
      audit.run(by, { action: 'confirm_backup', reason }, () => checks.confirmBackup(by.email)),
  ),
  showLedger: get('ledger', { summary: 'Show the ledger by day', needs: 'view' }, ({ bus }) =>
    bus.request(ledgerDaysRpc.listDays, { days: LEDGER_DAYS }),
  ),
  /** Compares as many wallets with the ledger as fit into the time; the next page goes on at `next_account_id`. */
  verifyLedger: post(
    'ledger/verifications',
    {
      summary: 'Compare wallets with the ledger',
      needs: 'verify_ledger',
      query: ['after_account_id'],
      body: { reason: REASON },
    },
    async ({ audit, bus, by, checks, logger, body: { reason }, query: place }) => {
      const report = await audit.run(
        by,
        { action: 'verify_ledger', reason },
        () => bus.request(billingAdminRpc.verifyLedger, place),
        ({ violations }) => ({ violations: violations.length }),
      );
      // Pages of a run are not added up here, so a run of several pages is shown to its operator only.
      const isWhole = place.after_account_id === undefined && report.next_account_id === null;
      // The report is answered also where it cannot be kept for the overview: it may have found violations.
      if (isWhole)
        await checks.record(toCheck(report), by.email).catch((error: unknown) => {
          const failure = error instanceof Error ? error.message : String(error);
          logger.warn({ check: 'ledger_verify', reason: failure }, 'check_not_recorded');
        });
      return report;
    },
  ),
  showRequests: get(
    'requests',
    { summary: 'List the requests of all accounts', needs: 'view', query: REQUESTS },
    ({ listRequests, rawQuery }) => listRequests.execute(rawQuery, null),
  ),
});

function toCheck({ ok, accounts, entries, violations }: LedgerReport): RecordCheckRequest {
  const problems = violations.map(
    ({ rule, account_id, detail }) => `${rule}: ${account_id ?? 'all accounts'}, ${detail}`,
  );
  return { check: 'ledger_verify', ok, summary: `${accounts} accounts, ${entries} entries`, problems };
}
