import { API, type Delivery, type Job, useAccount, useMay } from '../../api/customer';
import { useGet, type Page as ListPage, usePages } from '../../api/pages';
import { BarChart } from '../../components/bar-chart';
import { ButtonLink } from '../../components/button';
import { Card, Columns, Figure, Figures, Page } from '../../components/page';
import { Empty, Failure, Loaded } from '../../components/states';
import { PagedTable } from '../../components/table';
import { Facts } from '../../components/values';
import { formatCount, formatMoney, hostOf, queryString } from '../../formatting/format';
import { Link } from '../../router/navigation';
import { JOB_COLUMNS } from '../jobs/job-columns';
import { AvailableFigure, BalanceBanner } from '../money/balance-alert';
import { useDailySpend } from '../money/days-left';
import { TopUpButton } from '../money/top-up-dialog';
import { FirstStepsCard } from '../quickstart/first-steps-card';
import { NeedsAccount } from '../session/session-pages';
import { daysOf } from '../usage/period';

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

const FAILED_SHOWN = 20;

export function HomePage() {
  const account = useAccount();
  const seesWebhooks = useMay('webhooks');
  const makesKeys = useMay('keys');
  const { usage, period } = useDailySpend();
  const held = useGet<{ held_micros: number }>(['held'], `${API}/held`, {
    refetchInterval: 30_000,
  });
  const failing = useFailingWebhooks(period.from, seesWebhooks);
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
      <BalanceBanner action={<TopUpButton />} />
      <Figures>
        <AvailableFigure />
        <Figure name="Held" note="For jobs in flight" micros={held.data?.held_micros} />
        <Figure name="Spent in 30 days" note="Reserved amounts included" micros={usage.data?.total.charged_micros} />
        <Figure name="In flight" note={account.data && `of ${formatCount(account.data.max_concurrent_jobs)} at once`}>
          {usage.data ? formatCount(usage.data.total.in_flight) : '…'}
        </Figure>
        <Figure name="Failing deliveries" note="Webhooks of 30 days">
          {failing.data ? formatCount(failing.data.deliveries.length) + (failing.data.hasMore ? '+' : '') : '–'}
        </Figure>
      </Figures>
      {makesKeys && seesWebhooks && <FirstStepsCard />}
      <Columns isEven>
        <Card title="Spend by day">
          <Loaded query={usage}>{(data) => <SpendByDay bars={daysOf(period, data)} />}</Loaded>
        </Card>
        <Card title="Webhooks that fail">
          {seesWebhooks ? (
            <Loaded query={failing}>{({ deliveries }) => <FailingWebhooks deliveries={deliveries} />}</Loaded>
          ) : (
            <NeedsAccount />
          )}
        </Card>
      </Columns>
      <RecentJobs />
    </Page>
  );
}

/** Deliveries that were given up, and those that have failed and are tried again. */
function useFailingWebhooks(since: string, enabled: boolean) {
  const useStatus = (status: Delivery['status']) =>
    useGet<ListPage<Delivery>>(
      ['failing-webhooks', status],
      API + '/webhooks/deliveries' + queryString({ status, since, limit: FAILED_SHOWN }),
      { enabled, refetchInterval: 30_000 },
    );
  const [givenUp, pending] = [useStatus('exhausted'), useStatus('pending')];
  const retried = pending.data?.data.filter(({ attempt_count: attempts }) => attempts > 0) ?? [];
  return {
    data: givenUp.data &&
      pending.data && {
        deliveries: [...givenUp.data.data, ...retried],
        hasMore: givenUp.data.has_more || (pending.data.has_more && retried.length > 0),
      },
    error: givenUp.error ?? pending.error,
    refetch: () => void Promise.all([givenUp.refetch(), pending.refetch()]),
  };
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
  if (deliveries.length === 0) {
    return (
      <Empty title="No delivery fails">
        Deliveries that failed within 30 days, or are tried again, are listed here by receiver.
      </Empty>
    );
  }
  const hosts = [...new Set(deliveries.map(({ url }) => hostOf(url)))];
  const linksOf = (host: string | null) =>
    (['exhausted', 'pending'] as const).flatMap((status) => {
      const count = deliveries.filter((delivery) => hostOf(delivery.url) === host && delivery.status === status).length;
      if (count === 0) return [];
      const text = `${formatCount(count)} ${status === 'exhausted' ? 'failed' : 'tried again'} `;
      return [
        <Link key={status} to={`/webhooks${queryString({ status, host })}`}>
          {text}
        </Link>,
      ];
    });
  return <Facts facts={hosts.map((host) => [host ?? 'Deleted address', linksOf(host)])} />;
}
