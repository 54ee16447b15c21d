import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type LedgerDay, type LedgerDays, type LedgerReport, OPERATOR } from '../../api/operator';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { FormDialog, openDialog } from '../../components/dialog';
import { Card, Figure, Figures, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { type Column, money, Table } from '../../components/table';
import { notify } from '../../components/toasts';
import { Money, Nothing, Time } from '../../components/values';
import { formatCount, formatQuantity, queryString } from '../../formatting/format';
import { act, ReasonField } from '../actions/action-dialog';
import { AccountLink } from '../ids/short-link';
import { ledgerState } from '../overview/overview-page';
import { Permitted } from '../session/permitted';

/** Compares all wallets with the ledger. An answer covers what fits into its time, so a long ledger needs several. */
export async function verifyLedger(reason: string): Promise<Pick<LedgerReport, 'accounts' | 'violations'>> {
  const sum: Pick<LedgerReport, 'accounts' | 'violations'> = { accounts: 0, violations: [] };
  let after: string | null = null;
  do {
    const path: string = `${OPERATOR}/ledger/verifications${queryString({ after_account_id: after })}`;
    const report: LedgerReport = await act<LedgerReport>('POST', path, { reason });
    sum.accounts += report.accounts;
    sum.violations.push(...report.violations);
    after = report.next_account_id;
  } while (after !== null);
  return sum;
}

type Violation = LedgerReport['violations'][number];

const VIOLATION_COLUMNS: readonly Column<Violation>[] = [
  { name: 'Rule', cell: ({ rule }) => rule.replaceAll('_', ' ') },
  { name: 'Account', cell: ({ account_id: id }) => (id === null ? <Nothing /> : <AccountLink id={id} />) },
  { name: 'Detail', cell: ({ detail }) => detail, isExtra: true },
];

/** What the verification of this page has found; the runbook says what to do. */
export function Violations({ report: { violations } }: { report: Pick<LedgerReport, 'violations'> }) {
  return (
    <Card title="The ledger is wrong" intro="Stop changes of money, and read the runbook: docs/runbook.md." isFlush>
      <Table
        caption="Violations of the ledger"
        columns={VIOLATION_COLUMNS}
        items={violations}
        keyOf={(violation) => JSON.stringify(violation)}
      />
    </Card>
  );
}

/** An amount, and of how many entries it is the sum. */
const counted = (name: string, read: (day: LedgerDay) => [micros: number, count: number]): Column<LedgerDay> => ({
  name,
  cell: (day) => (
    <>
      <Money micros={read(day)[0]} /> ({formatCount(read(day)[1])})
    </>
  ),
  isNumber: true,
});

const COLUMNS: readonly Column<LedgerDay>[] = [
  { name: 'Day', cell: ({ day }) => day },
  money('Payments', ({ top_ups_micros }) => top_ups_micros, { isExtra: true }),
  money('Credits', ({ credits_micros }) => credits_micros, { isExtra: true }),
  money('Adjustments', ({ adjustments_micros }) => adjustments_micros, { isExtra: true, sign: true }),
  money('Reserved', ({ reserved_micros }) => reserved_micros, { isExtra: true }),
  counted('Refunded', ({ refunded_micros, refunds }) => [refunded_micros, refunds]),
  counted('Captured', ({ captured_micros, captures }) => [captured_micros, captures]),
];

type Found = Pick<LedgerReport, 'accounts' | 'violations'>;

export function LedgerPage() {
  const [found, setFound] = useState<Found | null>(null);
  const ledger = useGet<LedgerDays>(['ledger'], `${OPERATOR}/ledger`);
  return (
    <Page
      title="Ledger"
      intro="The books of all accounts by day of UTC. Revenue is what was captured; a refund ends a hold that was never charged."
      actions={
        <Permitted to="verify_ledger">
          <Button kind="primary" onClick={() => openDialog(VerifyDialog, { onFound: setFound })}>
            Verify now
          </Button>
        </Permitted>
      }
    >
      {found && found.violations.length > 0 && <Violations report={found} />}
      <Loaded query={ledger}>{(data) => <LedgerView ledger={data} />}</Loaded>
    </Page>
  );
}

function VerifyDialog({ onFound, onClose }: { onFound: (found: Found) => void; onClose: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const verify = useMutation({
    mutationFn: () => verifyLedger(reason.trim()),
    onSuccess: async (found) => {
      const { accounts, violations } = found;
      if (violations.length === 0) notify(`${formatQuantity(accounts, 'account')} compared: every wallet is exact.`);
      onFound(found);
      onClose();
      await client.invalidateQueries({ queryKey: ['ledger'] });
    },
  });
  return (
    <FormDialog title="Compare every wallet with the ledger" action="Verify" mutation={verify} onClose={onClose}>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function LedgerView({ ledger }: { ledger: LedgerDays }) {
  const { verification, data } = ledger;
  const sum = (read: (day: LedgerDay) => number) => data.reduce((total, day) => total + read(day), 0);
  return (
    <>
      <Figures>
        <Figure name="Captured in 90 days" micros={sum((day) => day.captured_micros)} />
        <Figure name="Refunded in 90 days" micros={sum((day) => day.refunded_micros)} />
        <Figure name="Payments in 90 days" micros={sum((day) => day.top_ups_micros)} />
        <Figure name="Last verification" note={<Time at={verification.verified_at} />}>
          {ledgerState(verification)}
        </Figure>
      </Figures>
      <Card isFlush>
        <Table
          empty="No money has moved yet"
          caption="The books by day"
          columns={COLUMNS}
          items={data}
          keyOf={({ day }) => day}
        />
      </Card>
    </>
  );
}
