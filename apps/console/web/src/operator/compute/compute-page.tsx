import { useMutation } from '@tanstack/react-query';
import { get } from '../../api/client';
import {
  type ComputeExamination,
  type ComputeInstance,
  type ComputeState,
  type LastHour,
  OPERATOR,
} from '../../api/operator';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { Card, Page } from '../../components/page';
import { Failure, Loaded } from '../../components/states';
import { type Column, Table } from '../../components/table';
import { Badge, Nothing, Time } from '../../components/values';
import { formatCount, formatDuration } from '../../formatting/format';
import { Link } from '../../router/navigation';
import styles from './compute-page.module.css';

interface Row {
  name: string;
  state: string;
  problems: readonly string[];
}

const EXAMINATION_COLUMNS: readonly Column<Row>[] = [
  { name: 'Examined', cell: ({ name }) => name },
  { name: 'State', cell: ({ state }) => <Badge tone={state === 'up' ? 'good' : 'bad'}>{state}</Badge> },
  { name: 'Problems', cell: ({ problems }) => (problems.length === 0 ? 'none' : problems.join(' ')) },
];

/** Asks every instance whether it could run the models of its routes. It starts by a click, because each instance is asked. */
export function Examination() {
  const examination = useMutation({ mutationFn: () => get<ComputeExamination>(`${OPERATOR}/compute/examination`) });
  return (
    <Card
      title="Examination"
      intro="Asks every instance for its state, and whether it has what the models of its routes need. Nothing is generated."
      actions={
        <Button isBusy={examination.isPending} onClick={() => examination.mutate()}>
          Examine now
        </Button>
      }
      isFlush={examination.data !== undefined}
    >
      {examination.error ? <Failure error={examination.error} /> : examination.data && <Rows of={examination.data} />}
    </Card>
  );
}

const Rows = ({ of }: { of: ComputeExamination }) => (
  <Table
    caption="The examined instances and models"
    columns={EXAMINATION_COLUMNS}
    items={rowsOf(of)}
    keyOf={({ name }) => name}
  />
);

function rowsOf({ providers, models }: ComputeExamination): Row[] {
  return [
    ...providers.map(({ id, version, state, problems, advice }) => {
      const found = advice === undefined ? problems : [...problems, advice];
      return { name: version === undefined ? id : `${id} ${version}`, state, problems: found };
    }),
    ...models.map(({ id, problems }) => {
      return { name: `Model ${id}`, state: problems.length === 0 ? 'up' : 'down', problems };
    }),
  ];
}

const HOUR_PARTS = ['running', 'loading', 'unknown', 'idle'] as const;

/** What an instance that loads models did in the last hour, as a bar of its parts, with their shares as text. */
function HourBar({ of }: { of: LastHour }) {
  const parts = HOUR_PARTS.map((name) => ({ name, ms: of[`${name}_ms`] }));
  const wholeMs = parts.reduce((sum, { ms }) => sum + ms, 0);
  const shown = parts.filter(({ ms }) => ms > 0);
  const text = shown.map(({ name, ms }) => `${name} ${Math.round((ms / wholeMs) * 100)} %`).join(', ');
  return (
    <div className={styles['hour']}>
      <div className={styles['bar']} aria-hidden="true">
        {shown.map(({ name, ms }) => (
          <span key={name} className={styles[name]} style={{ flexGrow: ms }} />
        ))}
      </div>
      <span className={styles['shares']}>{text}</span>
    </div>
  );
}

const COLUMNS: readonly Column<ComputeInstance>[] = [
  { name: 'Instance', cell: ({ id }) => id },
  { name: 'Type', cell: ({ type }) => type, isExtra: true },
  {
    name: 'Breaker',
    cell: ({ is_breaker_open: isOpen }) => <Badge tone={isOpen ? 'bad' : 'good'}>{isOpen ? 'open' : 'closed'}</Badge>,
  },
  {
    name: 'Free',
    cell: ({ free_slots, slots }) => `${formatCount(free_slots)} of ${formatCount(slots)}`,
    isNumber: true,
  },
  {
    name: 'Last hour',
    cell: ({ last_hour: hour }) => (hour ? <HourBar of={hour} /> : <Nothing />),
  },
  { name: 'Unknown', cell: ({ unknown_attempts }) => formatCount(unknown_attempts), isNumber: true, isExtra: true },
];

interface RunTime {
  instance: string;
  model: string;
  jobs: number;
  p50_ms: number;
  p95_ms: number;
}

const RUN_TIMES: readonly Column<RunTime>[] = [
  { name: 'Instance', cell: ({ instance }) => instance },
  { name: 'Model', cell: ({ model }) => model },
  { name: 'Succeeded', cell: ({ jobs }) => formatCount(jobs), isNumber: true, isExtra: true },
  { name: 'p50', cell: ({ p50_ms }) => formatDuration(p50_ms), isNumber: true },
  { name: 'p95', cell: ({ p95_ms }) => formatDuration(p95_ms), isNumber: true },
];

export function ComputePage() {
  const compute = useGet<ComputeState>(['compute'], `${OPERATOR}/compute`, {
    refetchInterval: 10_000,
  });
  return (
    <Page title="Compute" intro="The instances as the jobs service sees them. Each process has its own breakers.">
      <Loaded query={compute}>{(data) => <ComputeView compute={data} />}</Loaded>
      <Examination />
    </Page>
  );
}

function ComputeView({ compute }: { compute: ComputeState }) {
  const runTimes = compute.instances.flatMap(({ id, run_times }) => run_times.map((one) => ({ instance: id, ...one })));
  return (
    <>
      <Card title="Instances" isFlush>
        <Table caption="Compute instances" columns={COLUMNS} items={compute.instances} keyOf={({ id }) => id} />
      </Card>
      <Card title="Run times of the last hour" isFlush>
        <Table
          empty="Nothing has succeeded in the last hour"
          caption="Run times"
          columns={RUN_TIMES}
          items={runTimes}
          keyOf={({ instance, model }) => `${instance} ${model}`}
        />
      </Card>
      <Card
        title="Attempts whose state is unknown"
        intro="Their submission was sent, and the answer was lost. The backend is asked until it is known."
        isFlush
      >
        <Table
          empty="Every state is known"
          caption="Attempts whose state is unknown"
          columns={[
            { name: 'Job', cell: ({ job_id }) => <Link to={`/operator/jobs/${job_id}`}>{job_id}</Link> },
            { name: 'Attempt', cell: ({ number }) => number, isNumber: true },
            { name: 'Provider', cell: ({ provider }) => provider },
            { name: 'Last state', cell: ({ checked_at }) => <Time at={checked_at} />, isNumber: true },
          ]}
          items={compute.unknown_attempts}
          keyOf={({ job_id, number }) => `${job_id} ${number}`}
        />
      </Card>
    </>
  );
}
