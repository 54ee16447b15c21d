import type { LedgerReport } from '../../api/operator';
import { Card } from '../../components/page';
import { type Column, Table } from '../../components/table';
import { Nothing } from '../../components/values';
import { AccountLink } from '../ids/short-link';

type Violation = LedgerReport['violations'][number];

const COLUMNS: readonly Column<Violation>[] = [
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
        columns={COLUMNS}
        items={violations}
        keyOf={(violation) => JSON.stringify(violation)}
      />
    </Card>
  );
}
