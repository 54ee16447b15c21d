import { lazy } from 'react';
import { CUSTOMER_SESSION, type CustomerSession, SessionContext, useAccount } from '../api/customer';
import { useSession, useSignOut } from '../api/session';
import { Entrance } from '../components/entrance';
import { Failure, MissingPage } from '../components/states';
import { type NavigationItem, Shell } from '../components/shell';
import { notifyError } from '../components/toasts';
import { formatMoney } from '../formatting/format';
import { usePath } from '../router/navigation';
import { type Route, Routes } from '../routes';
import { HomePage } from './home/home-page';
import { accountOnly, PortalPage, SignInPage } from './session/session-pages';

const ITEMS: readonly NavigationItem[] = [
  { to: '/', name: 'Home', icon: 'home' },
  { to: '/playground', name: 'Playground', icon: 'spark' },
  { to: '/jobs', name: 'Jobs', icon: 'list' },
  { to: '/usage', name: 'Usage', icon: 'chart' },
  { to: '/keys', name: 'Keys', icon: 'key' },
  { to: '/webhooks', name: 'Webhooks', icon: 'hook' },
  { to: '/money', name: 'Money', icon: 'money' },
  { to: '/requests', name: 'Requests', icon: 'log' },
];

const ROUTES: readonly Route[] = [
  { path: '/', title: 'Home', page: HomePage },
  {
    path: '/playground',
    title: 'Playground',
    page: lazy(() => import('./playground/playground-page').then((file) => ({ default: file.PlaygroundPage }))),
  },
  {
    path: '/jobs',
    title: 'Jobs',
    page: lazy(() => import('./jobs/jobs-page').then((file) => ({ default: file.JobsPage }))),
  },
  {
    path: '/jobs/:id',
    title: 'Job',
    page: lazy(() => import('./jobs/job-page').then((file) => ({ default: file.JobPage }))),
  },
  {
    path: '/usage',
    title: 'Usage',
    page: lazy(() => import('./usage/usage-page').then((file) => ({ default: file.UsagePage }))),
  },
  {
    path: '/keys',
    title: 'Keys',
    page: accountOnly(
      'Keys',
      lazy(() => import('./keys/keys-page').then((file) => ({ default: file.KeysPage }))),
    ),
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    page: accountOnly(
      'Webhooks',
      lazy(() => import('./webhooks/webhooks-page').then((file) => ({ default: file.WebhooksPage }))),
    ),
  },
  {
    path: '/webhooks/:id',
    title: 'Delivery',
    page: accountOnly(
      'Delivery',
      lazy(() => import('./webhooks/delivery-page').then((file) => ({ default: file.DeliveryPage }))),
    ),
  },
  {
    path: '/money',
    title: 'Money',
    page: accountOnly(
      'Money',
      lazy(() => import('./money/money-page').then((file) => ({ default: file.MoneyPage }))),
    ),
  },
  {
    path: '/requests',
    title: 'Requests',
    page: lazy(() => import('./requests/requests-page').then((file) => ({ default: file.RequestsPage }))),
  },
];

export function CustomerApplication() {
  const session = useSession<CustomerSession>(CUSTOMER_SESSION);
  const path = usePath();
  if (path === '/portal') return <PortalPage />;
  if (session.data?.kind === 'customer') {
    return (
      <SessionContext value={session.data} key={session.data.csrf_token}>
        <SignedIn />
      </SessionContext>
    );
  }
  if (session.data) return <SignInPage />;
  if (!session.error) return null;
  return (
    <Entrance title="The console does not answer" intro="It may be starting. Nothing is lost in the meantime.">
      <Failure error={session.error} retry={() => void session.refetch()} />
    </Entrance>
  );
}

function SignedIn() {
  const { data: account } = useAccount();
  const signOut = useSignOut(CUSTOMER_SESSION, '/', notifyError);
  return (
    <Shell
      name="Kinora"
      home="/"
      items={ITEMS}
      onSignOut={signOut}
      account={
        account && (
          <>
            <strong>{account.name}</strong>
            {formatMoney(account.balance_micros)} available
          </>
        )
      }
    >
      <Routes routes={ROUTES} service="Kinora" missing={MissingPage} />
    </Shell>
  );
}
