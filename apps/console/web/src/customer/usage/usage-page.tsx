import { API, type Usage, type UsageDetails, useMay } from '../../api/customer';
import { useGet } from '../../api/pages';
import { BarChart } from '../../components/bar-chart';
import { DownloadLink } from '../../components/button';
import { Choice, Select, TextField } from '../../components/fields';
import { Card, Figure, Figures, Page, Row } from '../../components/page';
import { Empty, Loaded } from '../../components/states';
import { type Column, money, Table } from '../../components/table';
import { formatCount, formatDuration, formatMoney, queryString } from '../../formatting/format';
import { navigate, useSearch } from '../../router/navigation';
import { NeedsAccount } from '../session/session-pages';
import { KeySpend } from './key-spend';
import { daysOf, lastDays, listDays, ownPeriod, type Period, shortDay } from './period';
import { stackSpend } from './spend-stacks';

type Group = Usage['data'][number];

const PERIODS = ['7', '30', '90'] as const;
const OWN = 'own';
const GROUPINGS = [
  ['day', 'By day'],
  ['model', 'By model'],
  ['key', 'By key'],
] as const;

const nameOf = (group: Group) => ('day' in group ? group.day : group.model);

export function UsagePage() {
  const [search, setSearch] = useSearch();
  const days = PERIODS.find((one) => one === search.get('days')) ?? '30';
  const grouping = GROUPINGS.find(([one]) => one === search.get('by'))?.[0] ?? 'day';
  const isOwn = search.get('days') === OWN && grouping !== 'key';
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  const period = (isOwn && ownPeriod(from, to)) || lastDays(Number(days), new Date());
  const groupBy = grouping === 'model' ? 'model' : 'day';
  const seesKeys = useMay('see_money');
  const file =
    grouping === 'key' ? `/key-spend.csv?days=${days}` : '/usage.csv' + queryString({ ...period, group_by: groupBy });
  return (
    <Page
      title="Usage"
      intro="Days are those of UTC. Refunded jobs cost nothing and count as nothing here."
      actions={
        (grouping !== 'key' || seesKeys) && (
          <DownloadLink href={API + file} name={grouping === 'key' ? 'key-spend.csv' : 'usage.csv'}>
            CSV
          </DownloadLink>
        )
      }
    >
      <Row>
        <Choice legend="Grouped" value={grouping} options={GROUPINGS} onChange={(by) => setSearch({ by })} />
        <Select
          label="Period"
          value={isOwn ? OWN : days}
          options={[
            ...PERIODS.map((one) => [one, `Last ${one} days`] as const),
            ...(grouping === 'key' ? [] : [[OWN, 'From … to …'] as const]),
          ]}
          onChange={(value) => setSearch({ days: value, ...(value === OWN ? boundsOf(period) : NO_BOUNDS) })}
        />
        {isOwn && <TextField label="From" type="date" value={from} onChange={(day) => setSearch({ from: day })} />}
        {isOwn && <TextField label="To" type="date" value={to} onChange={(day) => setSearch({ to: day })} />}
      </Row>
      {grouping !== 'key' && <GroupedUsage period={period} groupBy={groupBy} />}
      {grouping === 'key' && (seesKeys ? <KeySpend days={Number(days)} /> : <LesserKey />)}
    </Page>
  );
}

const NO_BOUNDS = { from: null, to: null };

/** The first and the last day, as an own range begins with them. */
function boundsOf(period: Period) {
  const days = listDays(period);
  return { from: days[0] ?? null, to: days.at(-1) ?? null };
}

const LesserKey = () => (
  <Card>
    <NeedsAccount />
  </Card>
);

function GroupedUsage({ period, groupBy }: { period: Period; groupBy: 'day' | 'model' }) {
  const usage = useGet<Usage>(
    ['usage', period, groupBy],
    API + '/usage' + queryString({ ...period, group_by: groupBy }),
  );
  const { data: details } = useGet<UsageDetails>(
    ['usage-details', period],
    API + '/usage-details' + queryString({ ...period }),
  );
  return <Loaded query={usage}>{(data) => <UsageView usage={data} {...{ details, period, groupBy }} />}</Loaded>;
}

interface UsageViewProps {
  usage: Usage;
  /** Undefined until they are read: the page shows the report without them. */
  details: UsageDetails | undefined;
  period: Period;
  groupBy: 'day' | 'model';
}

function UsageView({ usage, details, period, groupBy }: UsageViewProps) {
  const { total } = usage;
  const [, setSearch] = useSearch();
  const days = listDays(period);
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const bars =
    groupBy === 'day'
      ? details
        ? stackSpend(period, details.spend)
        : daysOf(period, usage)
      : usage.data.map((group) => ({ label: nameOf(group), value: group.charged_micros }));
  /** The models of a day, or the jobs of a model. */
  const pick = (index: number) => {
    const day = days[index] ?? '';
    if (groupBy === 'day') setSearch({ by: 'model', days: OWN, from: day, to: day });
    else navigate(`/jobs${queryString({ model: bars[index]?.label })}`);
  };
  return (
    <>
      <Figures>
        <Figure name="Spent" micros={total.charged_micros} />
        <Figure name="Created">{formatCount(total.jobs)}</Figure>
        <Figure name="Succeeded" note={successRate(total)}>
          {formatCount(total.succeeded)}
        </Figure>
        <Figure name="Failed or canceled">{formatCount(total.failed + total.canceled)}</Figure>
        {details?.latency && <Latency {...details.latency} />}
      </Figures>
      <Card title={groupBy === 'day' ? 'Spend by day' : 'Spend by model'} isFlush={usage.data.length === 0}>
        {usage.data.length === 0 ? (
          <Empty title="Nothing was used in this period">Choose a longer period, or try a model.</Empty>
        ) : (
          <BarChart
            name={groupBy === 'day' ? 'Spend by day, UTC' : 'Spend by model'}
            caption={`${shortDay(first)} to ${shortDay(last)}, UTC`}
            bars={bars}
            format={(micros) => formatMoney(Math.round(micros))}
            columns={[groupBy === 'day' ? 'Day' : 'Model', 'Spend']}
            hasTable
            onPick={pick}
          />
        )}
      </Card>
      {usage.data.length > 0 && (
        <Card title="Numbers" isFlush>
          <Table
            caption={groupBy === 'day' ? 'Usage by day' : 'Usage by model'}
            columns={columnsOf(groupBy === 'day' ? 'Day' : 'Model')}
            items={[...usage.data].sort(groupBy === 'day' ? latestFirst : dearestFirst)}
            keyOf={nameOf}
          />
        </Card>
      )}
    </>
  );
}

const Latency = ({ jobs, p50_ms, p95_ms }: NonNullable<UsageDetails['latency']>) => (
  <Figure name="Latency p50" note={`p95 ${formatDuration(p95_ms)}, of the newest ${formatCount(jobs)} that succeeded`}>
    {formatDuration(p50_ms)}
  </Figure>
);

/** Of the jobs that ran to their end: canceled ones say nothing about the service. */
function successRate({ succeeded, failed }: Usage['total']): string | undefined {
  const ended = succeeded + failed;
  return ended === 0 ? undefined : `${((100 * succeeded) / ended).toFixed(1)} % of those that ended`;
}

const latestFirst = (left: Group, right: Group) => nameOf(right).localeCompare(nameOf(left));
const dearestFirst = (left: Group, right: Group) => right.charged_micros - left.charged_micros;

const columnsOf = (name: string): readonly Column<Group>[] => [
  { name, cell: nameOf },
  { name: 'Created', cell: ({ jobs }) => formatCount(jobs), isNumber: true },
  { name: 'Succeeded', cell: ({ succeeded }) => formatCount(succeeded), isNumber: true, isExtra: true },
  { name: 'Failed', cell: ({ failed }) => formatCount(failed), isNumber: true, isExtra: true },
  { name: 'Canceled', cell: ({ canceled }) => formatCount(canceled), isNumber: true, isExtra: true },
  {
    name: 'Compute time',
    cell: ({ gpu_ms }) => (gpu_ms === 0 ? '–' : formatDuration(gpu_ms)),
    isNumber: true,
    isExtra: true,
  },
  money('Spent', ({ charged_micros }) => charged_micros),
];
