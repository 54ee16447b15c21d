import type { LedgerDays, Overview } from '../../api/operator';
import { Card } from '../../components/page';
import { type Column, Table } from '../../components/table';
import { Badge, Time } from '../../components/values';
import { formatCount } from '../../formatting/quantity';

type Result = Overview['checks'][number];

interface Row {
  name: string;
  ok: boolean | null;
  found: string;
  actor: string;
  at: string | null;
}

const NAMES: Record<Result['check'], string> = { ledger_verify: 'kinora ledger verify', doctor: 'kinora doctor' };

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Check', cell: ({ name }) => name },
  { name: 'Result', cell: ({ ok }) => <State ok={ok} /> },
  { name: 'Found', cell: ({ found }) => found, isExtra: true },
  { name: 'By', cell: ({ actor }) => actor, isExtra: true },
  { name: 'When', cell: ({ at }) => <Time at={at} />, isNumber: true },
];

function State({ ok }: { ok: boolean | null }) {
  if (ok === null) return <Badge tone="calm">not run yet</Badge>;
  return <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'ok' : 'failed'}</Badge>;
}

/** The last run of each check: those that operators run, and the one that billing runs by itself. */
export function LastChecks({ results, verification }: Props) {
  const rows = (['doctor', 'ledger_verify'] as const).map((check) => toRow(check, results));
  return (
    <Card
      title="Checks"
      intro="The last run of each. The command line and “Verify now” of the ledger page report here."
      isFlush
    >
      <Table
        caption="The last checks of the service"
        columns={COLUMNS}
        items={verification === null ? rows : [...rows, periodicRow(verification)]}
        keyOf={({ name }) => name}
      />
    </Card>
  );
}

interface Props {
  results: readonly Result[];
  verification: LedgerDays['verification'] | null;
}

function toRow(check: Result['check'], results: readonly Result[]): Row {
  const last = results.find((result) => result.check === check);
  if (!last) return { name: NAMES[check], ok: null, found: '–', actor: '–', at: null };
  const { ok, summary, problems, actor, ran_at } = last;
  const found = ok
    ? summary
    : [`${formatCount(problems.length)} of ${summary} failed`, ...problems.slice(0, 3)].join('; ');
  return { name: NAMES[check], ok, found, actor, at: ran_at };
}

function periodicRow({ verified_at, violations }: LedgerDays['verification']): Row {
  const row = { name: 'Wallets against the ledger', actor: 'billing', at: verified_at };
  if (verified_at === null) return { ...row, ok: null, found: '–' };
  const isExact = violations === 0;
  return {
    ...row,
    ok: isExact,
    found: isExact ? 'Every wallet equals its entries' : `${formatCount(violations)} wallets differ`,
  };
}
