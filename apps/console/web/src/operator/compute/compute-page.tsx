import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client';
import { type ComputeInstance, type ComputeState, OPERATOR } from '../../api/operator';
import { Card, Page } from '../../components/page';
import { Empty, Loaded } from '../../components/states';
import { type Column, Table } from '../../components/table';
import { Badge, Time } from '../../components/values';
import { formatCount } from '../../formatting/quantity';
import { formatDuration } from '../../formatting/time';
import { Link } from '../../router/link';
import { Examination } from './examination';

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
  const compute = useQuery({
    queryKey: ['compute'],
    queryFn: ({ signal }) => get<ComputeState>(`${OPERATOR}/compute`, signal),
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
        {runTimes.length === 0 ? (
          <Empty title="Nothing has succeeded in the last hour" />
        ) : (
          <Table
            caption="Run times"
            columns={RUN_TIMES}
            items={runTimes}
            keyOf={({ instance, model }) => `${instance} ${model}`}
          />
        )}
      </Card>
      <Card
        title="Attempts whose state is unknown"
        intro="Their submission was sent, and the answer was lost. The backend is asked until it is known."
        isFlush
      >
        {compute.unknown_attempts.length === 0 ? (
          <Empty title="Every state is known" />
        ) : (
          <Table
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
        )}
      </Card>
    </>
  );
}
