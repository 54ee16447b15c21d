import { API, type Delivery, type Job, type Usage, useAccount, useMay } from '../../api/customer';
import { useGet, type Page as ListPage, usePages } from '../../api/pages';
import { BarChart } from '../../components/bar-chart';
import { ButtonLink } from '../../components/button';
import { Card, Columns, Figure, Figures, Page } from '../../components/page';
import { Empty, Failure, Loaded } from '../../components/states';
import { PagedTable } from '../../components/table';
import { Facts } from '../../components/values';
import { formatCount, formatMoney, hostOf, queryString } from '../../formatting/format';
import { Link } from '../../router/navigation';
import { JOB_COLUMNS } from '../jobs/jobs-page';
import { NeedsAccount } from '../session/session-pages';
import { daysOf, lastDays } from '../usage/period';

const SHOWN = 6;

function RecentJobs() {
  const pages = usePages<Job>(`${API}/jobs`, {}, { limit: SHOWN, refetchMs: 10_000 });
  return (
    <Card title="Latest" isFlush actions={<ButtonLink to="/jobs">See all</ButtonLink>}>
      <PagedTable
        caption="Latest jobs"
        columns={JOB_COLUMNS}
        pages={{ ...pages, hasNext: false }}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title="Nothing has been made yet"
            action={
              <ButtonLink to="/playground" kind="primary">
                Make the first image
              </ButtonLink>
            }
          >
            A job starts with a prompt. Its price is shown before, and charged only if it succeeds.
          </Empty>
        }
      />
    </Card>
  );
}

const DAYS = 30;
const FAILED_SHOWN = 20;

export function HomePage() {
  const account = useAccount();
  const seesWebhooks = useMay('webhooks');
  const period = lastDays(DAYS, new Date());
  const usage = useGet<Usage>(['usage', period, 'day'], API + '/usage' + queryString({ ...period, group_by: 'day' }), {
    refetchInterval: 30_000,
  });
  const held = useGet<{ held_micros: number }>(['held'], `${API}/held`, {
    refetchInterval: 30_000,
  });
  const failing = useGet<ListPage<Delivery>>(
    ['failing-webhooks'],
    API + '/webhooks/deliveries' + queryString({ status: 'exhausted', since: period.from, limit: FAILED_SHOWN }),
    {
      enabled: seesWebhooks,
      refetchInterval: 30_000,
    },
  );
  return (
    <Page
      title="Home"
      actions={
        <ButtonLink to="/playground" kind="primary" icon="spark">
          Try a model
        </ButtonLink>
      }
    >
      {account.error && !account.data ? <Failure error={account.error} retry={() => void account.refetch()} /> : null}
      {account.data && account.data.status !== 'active' && (
        <Failure error={new Error(`This account is ${account.data.status}: new jobs are refused. Ask the operator.`)} />
      )}
      <Figures>
        <Figure
          name="Available"
          note={account.data?.auto_recharge.enabled ? 'Recharges by itself' : 'Prepaid'}
          micros={account.data?.balance_micros}
        />
        <Figure name="Held" note="For jobs in flight" micros={held.data?.held_micros} />
        <Figure name="Spent in 30 days" note="Reserved amounts included" micros={usage.data?.total.charged_micros} />
        <Figure name="In flight" note={account.data && `of ${formatCount(account.data.max_concurrent_jobs)} at once`}>
          {usage.data ? formatCount(usage.data.total.in_flight) : '…'}
        </Figure>
        <Figure name="Failed deliveries" note="Webhooks of 30 days">
          {failing.data ? formatCount(failing.data.data.length) + (failing.data.has_more ? '+' : '') : '–'}
        </Figure>
      </Figures>
      <Columns isEven>
        <Card title="Spend by day">
          <Loaded query={usage}>{(data) => <SpendByDay bars={daysOf(period, data)} />}</Loaded>
        </Card>
        <Card title="Webhooks that fail">
          {seesWebhooks ? (
            <Loaded query={failing}>{({ data }) => <FailingWebhooks deliveries={data} />}</Loaded>
          ) : (
            <NeedsAccount />
          )}
        </Card>
      </Columns>
      <RecentJobs />
    </Page>
  );
}

function SpendByDay({ bars }: { bars: ReturnType<typeof daysOf> }) {
  return (
    <BarChart
      name="Spend by day, last 30 days, UTC"
      caption="Last 30 days, UTC"
      bars={bars}
      format={(micros) => formatMoney(Math.round(micros))}
      columns={['Day', 'Spend']}
    />
  );
}

function FailingWebhooks({ deliveries }: { deliveries: readonly Delivery[] }) {
  const hosts = new Map<string | null, number>();
  for (const { url } of deliveries) hosts.set(hostOf(url), (hosts.get(hostOf(url)) ?? 0) + 1);
  if (hosts.size === 0) {
    return (
      <Empty title="No delivery has failed">
        Deliveries whose last attempt failed within 30 days are listed here, by receiver.
      </Empty>
    );
  }
  return (
    <Facts
      facts={[...hosts].map(([host, count]) => [
        host ?? 'Deleted address',
        <Link key={host} to={`/webhooks${queryString({ status: 'exhausted', host })}`}>
          {`${formatCount(count)} failed`}
        </Link>,
      ])}
    />
  );
}
