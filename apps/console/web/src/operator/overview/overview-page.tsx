import {
  type ComplianceReport,
  type ComputeInstance,
  type LedgerDays,
  OPERATOR,
  type Overview,
} from '../../api/operator';
import { useGet } from '../../api/pages';
import { BarChart } from '../../components/bar-chart';
import { Card, Columns, Figure, Figures, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { type Column, Table } from '../../components/table';
import { Badge, Breakable, Time } from '../../components/values';
import { lastDays, listDays, shortDay } from '../../customer/usage/period';
import { formatCount, formatDuration, formatMoney } from '../../formatting/format';
import { SetupCard } from './setup-card';

/** Whether the last verification found wallets that differ from the ledger. */
export function ledgerState({ verified_at, violations }: LedgerDays['verification']): string {
  if (verified_at === null) return '–';
  return violations === 0 ? 'Exact' : `${formatCount(violations)} wrong`;
}

type Result = Overview['checks'][number];

interface Row {
  name: string;
  ok: boolean | null;
  found: string;
  actor: string;
  at: string | null;
}

const NAMES: Record<Result['check'], string> = { ledger_verify: 'kinora ledger verify', doctor: 'kinora doctor' };

/** The line of the compliance report that is not set without a certificate, and 30 days before its end. */
const CREDENTIALS = 'Content credentials';

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

/** The last run of each check: those that operators run, and the one that billing runs by itself; and the certificate of outputs. */
function LastChecks({ results, verification }: Props) {
  const { data: compliance } = useGet<ComplianceReport>(['compliance'], `${OPERATOR}/compliance`);
  const rows = [
    ...(['doctor', 'ledger_verify'] as const).map((check) => toRow(check, results)),
    ...(verification === null ? [] : [periodicRow(verification)]),
    ...(compliance?.lines ?? []).filter(({ subject }) => subject === CREDENTIALS).map(certificateRow),
  ];
  return (
    <Card
      title="Checks"
      intro="The last run of each. The command line and “Verify now” of the ledger page report here."
      isFlush
    >
      <Table caption="The last checks of the service" columns={COLUMNS} items={rows} keyOf={({ name }) => name} />
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

function certificateRow({ subject, is_set: ok, state }: ComplianceReport['lines'][number]): Row {
  return { name: subject, ok, found: state, actor: 'moderation', at: null };
}

const REFRESH_MS = 10_000;
const DAYS = 30;

/** The whole service at a glance. */
export function OverviewPage() {
  const overview = useGet<Overview>(['overview'], `${OPERATOR}/overview`, {
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page title="Overview" intro="Read again every ten seconds while this page is open.">
      <Loaded query={overview}>{(data) => <OverviewView overview={data} />}</Loaded>
    </Page>
  );
}

function OverviewView({ overview }: { overview: Overview }) {
  const { jobs, ledger, instances, checks } = overview;
  return (
    <>
      <SetupCard overview={overview} />
      <Figures>
        {jobs === null ? <Silent part="The jobs service" /> : <JobFigures jobs={jobs} />}
        {ledger === null ? <Silent part="The billing service" /> : <LedgerFigures ledger={ledger} />}
      </Figures>
      <Columns>
        {ledger && (
          <Card title="Revenue by day">
            <BarChart
              name="Revenue by day, last 30 days, UTC"
              caption="Last 30 days, UTC"
              bars={revenueBars(ledger)}
              format={(micros) => formatMoney(Math.round(micros))}
              columns={['Day', 'Revenue']}
            />
          </Card>
        )}
        {jobs && <Queues jobs={jobs} />}
      </Columns>
      <Columns>
        {jobs && <Errors jobs={jobs} />}
        {instances && <Instances instances={instances} />}
      </Columns>
      <LastChecks results={checks} verification={ledger?.verification ?? null} />
    </>
  );
}

type JobTotals = NonNullable<Overview['jobs']>;

const Silent = ({ part }: { part: string }) => (
  <Figure name={part} note="Its numbers are left out until it answers.">
    does not answer
  </Figure>
);

function JobFigures({ jobs }: { jobs: JobTotals }) {
  const waiting = jobs.model_queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const running = jobs.model_queues.reduce((sum, queue) => sum + queue.processing, 0);
  const oldest = Math.max(0, ...jobs.model_queues.map((queue) => queue.oldest_waiting_seconds ?? 0));
  return (
    <>
      <Figure name="Created a second" note={`${formatCount(running)} running`}>
        {jobs.created_per_second.toFixed(1)}
      </Figure>
      <Figure name="Waiting" note={waiting === 0 ? 'None waits' : `Oldest for ${formatDuration(oldest * 1000)}`}>
        {formatCount(waiting)}
      </Figure>
    </>
  );
}

function LedgerFigures({ ledger: { data, verification } }: { ledger: LedgerDays }) {
  const revenue = data.reduce((sum, day) => sum + day.captured_micros, 0);
  return (
    <>
      <Figure name="Revenue of 30 days" note="Captured amounts" micros={revenue} />
      <Figure name="Ledger" note={<Verified at={verification.verified_at} />}>
        {ledgerState(verification)}
      </Figure>
    </>
  );
}

function Verified({ at }: { at: string | null }) {
  return at === null ? (
    <>Not verified yet</>
  ) : (
    <>
      Verified <Time at={at} />
    </>
  );
}

function revenueBars(ledger: LedgerDays) {
  const values = new Map(ledger.data.map((day) => [day.day, day.captured_micros]));
  return listDays(lastDays(DAYS, new Date())).map((day) => ({ label: shortDay(day), value: values.get(day) ?? 0 }));
}

function Queues({ jobs }: { jobs: JobTotals }) {
  const { model_queues, unsettled_jobs, oldest_unsettled_seconds } = jobs;
  return (
    <Card
      title="Queues"
      isFlush
      intro={
        unsettled_jobs === 0
          ? 'All ended jobs are settled.'
          : `${formatCount(unsettled_jobs)} ended, not settled yet, the oldest for ${formatDuration(oldest_unsettled_seconds * 1000)}.`
      }
    >
      <Table
        empty="Nothing waits, nothing runs"
        caption="Queues by model"
        columns={[
          { name: 'Model', cell: ({ model }) => model },
          { name: 'Waiting', cell: ({ waiting }) => formatCount(waiting), isNumber: true },
          { name: 'Running', cell: ({ processing }) => formatCount(processing), isNumber: true },
          {
            name: 'Oldest',
            cell: ({ oldest_waiting_seconds: seconds }) => (seconds === null ? '–' : formatDuration(seconds * 1000)),
            isNumber: true,
          },
        ]}
        items={model_queues}
        keyOf={({ model }) => model}
      />
    </Card>
  );
}

function Errors({ jobs: { errors } }: { jobs: JobTotals }) {
  return (
    <Card title="Failures by class" isFlush>
      <Table
        empty="No failure in a day"
        caption="Failed jobs by error code"
        columns={[
          {
            name: 'Code',
            cell: ({ code }) => (
              <code>
                <Breakable text={code} />
              </code>
            ),
          },
          { name: 'Last hour', cell: ({ last_hour }) => formatCount(last_hour), isNumber: true },
          { name: 'Last day', cell: ({ last_day }) => formatCount(last_day), isNumber: true },
        ]}
        items={errors}
        keyOf={({ code }) => code}
      />
    </Card>
  );
}

function Instances({ instances }: { instances: readonly ComputeInstance[] }) {
  return (
    <Card title="Instances" isFlush>
      <Table
        caption="Compute instances and their free places"
        columns={[
          { name: 'Instance', cell: ({ id }) => id },
          {
            name: 'Breaker',
            cell: ({ is_breaker_open: isOpen }) => (
              <Badge tone={isOpen ? 'bad' : 'good'}>{isOpen ? 'open' : 'closed'}</Badge>
            ),
          },
          { name: 'Free', cell: ({ free_slots, slots }) => `${free_slots} of ${slots}`, isNumber: true },
        ]}
        items={instances}
        keyOf={({ id }) => id}
      />
    </Card>
  );
}
