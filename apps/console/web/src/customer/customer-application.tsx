import { useContext } from 'react';
import {
  CUSTOMER_SESSION,
  type CustomerSession,
  jobLink,
  referenceUrl,
  SessionContext,
  useAccount,
} from '../api/customer';
import { useSession, useSignOut } from '../api/session';
import { Unreachable } from '../components/entrance';
import { Palette, PaletteButton, type Target } from '../components/palette';
import { MissingPage } from '../components/states';
import { type NavigationItem, Shell } from '../components/shell';
import { notifyError } from '../components/toasts';
import { formatMoney } from '../formatting/format';
import { Link, usePath } from '../router/navigation';
import { lazyRoute, type Route, Routes } from '../routes';
import { HomePage } from './home/home-page';
import { CheckPage } from './provenance/check-page';
import { ForgotPage, LinkPage, SignUpPage } from './people/people-pages';
import { AccountSwitch } from './session/account-switch';
import { only, PortalPage, SignInPage } from './session/session-pages';

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

/** For people; a session of a key finds it on the page of the keys. */
const MEMBERS: NavigationItem = { to: '/members', name: 'Members', icon: 'people' };

const QUICKSTART = { to: '/quickstart', name: 'Quickstart' };

function useFound(text: string): readonly Target[] {
  const to = jobLink(text);
  return to === null ? [] : [{ to, name: `Job ${text}` }];
}

const ROUTES: readonly Route[] = [
  { path: '/', title: 'Home', page: HomePage },
  lazyRoute('/playground', 'Playground', 'PlaygroundPage', () => import('./playground/playground-page')),
  lazyRoute('/jobs', 'Jobs', 'JobsPage', () => import('./jobs/jobs-page')),
  lazyRoute('/jobs/:id', 'Job', 'JobPage', () => import('./jobs/job-page')),
  lazyRoute('/quickstart', 'Quickstart', 'QuickstartPage', () => import('./quickstart/quickstart-page')),
  lazyRoute('/usage', 'Usage', 'UsagePage', () => import('./usage/usage-page')),
  ...only(
    'keys',
    lazyRoute('/keys', 'Keys', 'KeysPage', () => import('./keys/keys-page')),
  ),
  ...only(
    'webhooks',
    lazyRoute('/webhooks', 'Webhooks', 'WebhooksPage', () => import('./webhooks/webhooks-page')),
    lazyRoute('/webhooks/:id', 'Delivery', 'DeliveryPage', () => import('./webhooks/delivery-page')),
  ),
  ...only(
    'see_money',
    lazyRoute('/money', 'Money', 'MoneyPage', () => import('./money/money-page')),
    lazyRoute('/money/top-ups/:id', 'Payment', 'CheckoutPage', () => import('./money/checkout-page')),
    lazyRoute('/money/statements/:month', 'Statement', 'StatementPage', () => import('./money/statement-page')),
    lazyRoute('/rehearsal/:id', 'Rehearsal', 'RehearsalPage', () => import('./money/rehearsal-page')),
  ),
  lazyRoute('/members', 'Members', 'MembersPage', () => import('./members/members-page')),
  lazyRoute('/requests', 'Requests', 'RequestsPage', () => import('./requests/requests-page')),
  lazyRoute('/requests/:id', 'Request', 'RequestPage', () => import('./requests/request-page')),
];

/** Where links of e-mails lead. */
const LINK_PAGES = new Set(['/welcome', '/reset', '/invitation']);

export function CustomerApplication() {
  const session = useSession<CustomerSession>(CUSTOMER_SESSION);
  const path = usePath();
  if (path === '/portal') return <PortalPage />;
  if (path === '/check') return <CheckPage />;
  if (path === '/sign-up') return <SignUpPage />;
  if (path === '/forgot') return <ForgotPage />;
  if (LINK_PAGES.has(path)) return <LinkPage />;
  if (session.data?.kind === 'customer') {
    return (
      <SessionContext value={session.data} key={session.data.csrf_token}>
        <SignedIn />
      </SessionContext>
    );
  }
  if (session.data) return <SignInPage session={session.data} />;
  return session.error ? <Unreachable error={session.error} retry={() => void session.refetch()} /> : null;
}

function SignedIn() {
  const { data: account } = useAccount();
  const { member, api_base_url: apiBaseUrl = '' } = useContext(SessionContext) ?? {};
  const signOut = useSignOut(CUSTOMER_SESSION, '/', notifyError);
  const items = member ? [...ITEMS, MEMBERS] : ITEMS;
  return (
    <Shell
      name="Kinora"
      home="/"
      items={items}
      onSignOut={signOut}
      help={
        <>
          <PaletteButton />
          <Link to="/quickstart">Quickstart</Link>
          <a href={referenceUrl(apiBaseUrl)} referrerPolicy="origin">
            API reference
          </a>
        </>
      }
      account={
        account && (
          <>
            {member ? <AccountSwitch id={account.id} name={account.name} /> : <strong>{account.name}</strong>}
            {formatMoney(account.balance_micros)} available
            {member && <div>{member.email}</div>}
          </>
        )
      }
    >
      <Palette pages={[...items, QUICKSTART]} label="Search pages and job ids" useFound={useFound} />
      <Routes routes={ROUTES} service="Kinora" missing={MissingPage} />
    </Shell>
  );
}
