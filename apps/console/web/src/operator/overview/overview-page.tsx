import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client';
import { OPERATOR, type Overview } from '../../api/operator';
import { BarChart } from '../../components/bar-chart';
import { Card, Columns, Figure, Figures, Page } from '../../components/page';
import { Empty, Loaded } from '../../components/states';
import { Table } from '../../components/table';
import { Badge, Money, Time } from '../../components/values';
import { formatMoney } from '../../formatting/money';
import { formatCount } from '../../formatting/quantity';
import { formatDuration } from '../../formatting/time';
import { lastDays, listDays, shortDay } from '../../customer/usage/period';

const REFRESH_MS = 10_000;
const DAYS = 30;

/** The whole service at a glance. */
export function OverviewPage() {
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => get<Overview>(`${OPERATOR}/overview`, signal),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page title="Overview" intro="Read again every ten seconds while this page is open.">
      <Loaded query={overview}>{(data) => <OverviewView overview={data} />}</Loaded>
    </Page>
  );
}

function OverviewView({ overview }: { overview: Overview }) {
  const { jobs, ledger } = overview;
  const waiting = jobs.model_queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const running = jobs.model_queues.reduce((sum, queue) => sum + queue.processing, 0);
  const oldest = Math.max(0, ...jobs.model_queues.map((queue) => queue.oldest_waiting_seconds ?? 0));
  const revenue = ledger.data.reduce((sum, day) => sum + day.captured_micros, 0);
  return (
    <>
      <Figures>
        <Figure name="Created a second" note={`${formatCount(running)} running`}>
          {jobs.created_per_second.toFixed(1)}
        </Figure>
        <Figure name="Waiting" note={oldest === 0 ? 'None waits' : `Oldest for ${formatDuration(oldest * 1000)}`}>
          {formatCount(waiting)}
        </Figure>
        <Figure name="Revenue of 30 days" note="Captured amounts">
          <Money micros={revenue} />
        </Figure>
        <Figure name="Ledger" note={<Verified at={ledger.verification.verified_at} />}>
          {ledger.verification.violations === 0 ? 'Exact' : `${formatCount(ledger.verification.violations)} wrong`}
        </Figure>
      </Figures>
      <Columns>
        <Card title="Revenue by day">
          <BarChart
            name="Revenue by day, last 30 days, UTC"
            caption="Last 30 days, UTC"
            bars={revenueBars(overview)}
            format={(micros) => formatMoney(Math.round(micros))}
            columns={['Day', 'Revenue']}
          />
        </Card>
        <Queues overview={overview} />
      </Columns>
      <Columns>
        <Errors overview={overview} />
        <Doctor overview={overview} />
      </Columns>
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

function revenueBars({ ledger }: Overview) {
  const values = new Map(ledger.data.map((day) => [day.day, day.captured_micros]));
  return listDays(lastDays(DAYS, new Date())).map((day) => ({ label: shortDay(day), value: values.get(day) ?? 0 }));
}

function Queues({ overview }: { overview: Overview }) {
  const { model_queues, unsettled_jobs, oldest_unsettled_seconds } = overview.jobs;
  return (
    <Card
      title="Queues"
      isFlush
      intro={
        unsettled_jobs === 0
          ? 'Every ended one is settled.'
          : `${formatCount(unsettled_jobs)} ended, not settled yet, the oldest for ${formatDuration(oldest_unsettled_seconds * 1000)}.`
      }
    >
      {model_queues.length === 0 ? (
        <Empty title="Nothing waits, nothing runs" />
      ) : (
        <Table
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
      )}
    </Card>
  );
}

function Errors({ overview }: { overview: Overview }) {
  const { errors } = overview.jobs;
  return (
    <Card title="Failures by class" isFlush>
      {errors.length === 0 ? (
        <Empty title="No failure in a day" />
      ) : (
        <Table
          caption="Failed jobs by error code"
          columns={[
            { name: 'Code', cell: ({ code }) => <code>{code}</code> },
            { name: 'Last hour', cell: ({ last_hour }) => formatCount(last_hour), isNumber: true },
            { name: 'Last day', cell: ({ last_day }) => formatCount(last_day), isNumber: true },
          ]}
          items={errors}
          keyOf={({ code }) => code}
        />
      )}
    </Card>
  );
}

const TONES = { ok: 'good', problem: 'bad', unknown: 'calm' } as const;

function Doctor({ overview }: { overview: Overview }) {
  const checks = overview.doctor ?? [];
  if (checks.length === 0) return null;
  return (
    <Card title="Doctor" isFlush>
      <Table
        caption="Checks of the parts of the service"
        columns={[
          { name: 'Part', cell: ({ name }) => name },
          { name: 'State', cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
          { name: 'Detail', cell: ({ detail }) => detail },
        ]}
        items={checks}
        keyOf={({ name }) => name}
      />
    </Card>
  );
}
