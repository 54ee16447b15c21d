import { API, type MonthStatement, type StatementEntry, useAccount } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Button, ButtonLink, DownloadLink } from '../../components/button';
import { Card, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { type Column, money, Table } from '../../components/table';
import { formatDay, formatQuantity } from '../../formatting/format';
import { Link } from '../../router/navigation';
import type { PageProps } from '../../routes';
import { DetailLines } from './billing-details';

const KINDS: Record<StatementEntry['kind'], string> = {
  reserve: 'Reserved for a job',
  capture: 'Charged',
  refund: 'Refunded',
  top_up: 'Payment',
  credit: 'Credit',
  adjustment: 'Adjustment',
};

const CAUSES: Record<NonNullable<StatementEntry['cause']>, string> = {
  payment_refund: 'Payment given back',
  dispute: 'Disputed payment',
  debt_payment: 'Paid what was owed',
};

export const nameOfEntry = ({ kind, cause }: StatementEntry) => (cause ? CAUSES[cause] : KINDS[kind]);

interface Line {
  key: string;
  day?: string;
  text: string;
  micros: number;
}

const COLUMNS: readonly Column<Line>[] = [
  { name: 'Day', cell: ({ day }) => day && formatDay(day) },
  { name: 'Entry', cell: ({ text }) => text },
  money('Amount', ({ micros }) => micros),
];

/** The statement of a month, as a page that prints well. */
export function StatementPage({ params }: PageProps) {
  const month = params['month'] ?? '';
  const account = useAccount();
  const statement = useGet<MonthStatement>(
    ['month-statement', month],
    `${API}/statements/${encodeURIComponent(month)}`,
  );
  return (
    <Page
      title={`Statement ${month}`}
      intro={account.data?.name}
      actions={
        statement.data && (
          <>
            <ButtonLink to={`/money/statements/${monthBefore(month)}`}>Month before</ButtonLink>
            {!statement.data.archived && (
              <DownloadLink href={`${API}/statement.csv?month=${month}`} name={`statement-${month}.csv`}>
                CSV
              </DownloadLink>
            )}
            <Button kind="primary" onClick={() => window.print()}>
              Print
            </Button>
          </>
        )
      }
    >
      <Loaded query={statement} unknown={['No such month', 'Write it such as 2026-11.']}>
        {(data) => (
          <>
            <Card title="Customer">
              {data.billing_details ? (
                <DetailLines {...data.billing_details} />
              ) : (
                <Link to="/money">Add billing details</Link>
              )}
            </Card>
            <Card isFlush>
              <Table caption="Statement" columns={COLUMNS} items={linesOf(data)} keyOf={({ key }) => key} />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}

export const currentMonth = () => new Date().toISOString().slice(0, 7);

function monthBefore(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, (number ?? 0) - 2, 1)).toISOString().slice(0, 7);
}

function linesOf(statement: MonthStatement): Line[] {
  const { opening_micros, closing_micros, charged_jobs, charged_micros, reserved_micros, entries, archived } =
    statement;
  const archivedMicros = closing_micros - opening_micros + charged_micros + reserved_micros;
  return [
    { key: 'opening', text: 'Balance before', micros: opening_micros },
    ...entries.map((entry) => ({
      ...{ key: entry.id, day: entry.created_at, text: nameOfEntry(entry) },
      micros: entry.balance_delta_micros,
    })),
    ...(archived ? [{ key: 'archived', text: 'Payments and adjustments, archived', micros: archivedMicros }] : []),
    { key: 'charged', text: `${formatQuantity(charged_jobs, 'job')} charged`, micros: -charged_micros },
    ...(reserved_micros === 0
      ? []
      : [{ key: 'reserved', text: 'Reserved for jobs in flight', micros: -reserved_micros }]),
    { key: 'closing', text: 'Balance after', micros: closing_micros },
  ];
}
