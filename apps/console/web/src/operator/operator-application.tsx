import { OPERATOR_SESSION, type OperatorSession, type Permission } from '../api/operator';
import { useSession, useSignOut } from '../api/session';
import { Unreachable } from '../components/entrance';
import { Palette, PaletteButton, type Target } from '../components/palette';
import { MissingPage } from '../components/states';
import { type NavigationItem, Shell } from '../components/shell';
import { notifyError } from '../components/toasts';
import { usePath } from '../router/navigation';
import { lazyRoute, type Route, Routes } from '../routes';
import { ConfirmationDialog } from './actions/action-dialog';
import { pickedAccount, useFoundAccounts } from './ids/account-picker';
import { OverviewPage } from './overview/overview-page';
import { Permissions } from './session/permitted';
import { OperatorSignInPage, SetupPage } from './session/session-pages';

interface OperatorItem extends NavigationItem {
  /** Left out where the role lacks it. */
  permission?: Permission;
}

const ITEMS: readonly OperatorItem[] = [
  { to: '/operator', name: 'Overview', icon: 'gauge' },
  { to: '/operator/accounts', name: 'Accounts', icon: 'people' },
  { to: '/operator/jobs', name: 'Jobs', icon: 'list' },
  { to: '/operator/compute', name: 'Compute', icon: 'chip' },
  { to: '/operator/models', name: 'Models', icon: 'cube' },
  { to: '/operator/moderation', name: 'Moderation', icon: 'shield' },
  { to: '/operator/compliance', name: 'Compliance', icon: 'check' },
  { to: '/operator/webhooks', name: 'Webhooks', icon: 'hook' },
  { to: '/operator/ledger', name: 'Ledger', icon: 'book' },
  { to: '/operator/emails', name: 'E-mail', icon: 'mail', permission: 'open_portal' },
  { to: '/operator/audit', name: 'Audit', icon: 'eye', permission: 'view_audit' },
  { to: '/operator/users', name: 'Users', icon: 'key', permission: 'manage_users' },
];

const ROUTES: readonly Route[] = [
  { path: '/operator', title: 'Overview', page: OverviewPage },
  lazyRoute('/operator/accounts', 'Accounts', 'AccountsPage', () => import('./accounts/accounts-page')),
  lazyRoute('/operator/accounts/:id', 'Account', 'AccountPage', () => import('./accounts/account-page')),
  lazyRoute('/operator/jobs', 'Jobs', 'OperatorJobsPage', () => import('./jobs/operator-jobs-page')),
  lazyRoute('/operator/jobs/:id', 'Job', 'OperatorJobPage', () => import('./jobs/operator-job-page')),
  lazyRoute('/operator/compute', 'Compute', 'ComputePage', () => import('./compute/compute-page')),
  lazyRoute('/operator/models', 'Models', 'ModelsPage', () => import('./models/models-page')),
  lazyRoute('/operator/moderation', 'Moderation', 'ModerationPage', () => import('./moderation/moderation-page')),
  lazyRoute('/operator/compliance', 'Compliance', 'CompliancePage', () => import('./compliance/compliance-page')),
  lazyRoute(
    '/operator/webhooks',
    'Webhooks',
    'FailingEndpointsPage',
    () => import('./webhooks/failing-endpoints-page'),
  ),
  lazyRoute('/operator/ledger', 'Ledger', 'LedgerPage', () => import('./ledger/ledger-page')),
  lazyRoute('/operator/emails', 'E-mail', 'EmailsPage', () => import('./emails/emails-page')),
  lazyRoute('/operator/audit', 'Audit', 'AuditPage', () => import('./audit/audit-page')),
  lazyRoute('/operator/users', 'Users', 'UsersPage', () => import('./users/users-page')),
];

function useFound(text: string): readonly Target[] {
  const found = useFoundAccounts(text);
  if (found === undefined) return [];
  const accounts = found.map(({ account_id: id, name }) => ({
    to: `/operator/accounts/${id}`,
    name: `Account ${name}`,
  }));
  const job = pickedAccount(text);
  // An id that is no account's may be a job's.
  return job === null || accounts.length > 0 ? accounts : [{ to: `/operator/jobs/${job}`, name: `Job ${job}` }];
}

export function OperatorApplication() {
  const session = useSession<OperatorSession>(OPERATOR_SESSION);
  const path = usePath();
  if (path === '/operator/setup') return <SetupPage />;
  if (session.data?.kind === 'operator') return <SignedIn key={session.data.csrf_token} session={session.data} />;
  if (session.data) return <OperatorSignInPage session={session.data} />;
  return session.error ? <Unreachable error={session.error} retry={() => void session.refetch()} /> : null;
}

function SignedIn({ session }: { session: OperatorSession }) {
  const signOut = useSignOut(OPERATOR_SESSION, '/operator', notifyError);
  const account = (
    <>
      <strong>{session.user?.email}</strong>
      {session.user?.role}
    </>
  );
  const items = ITEMS.filter(({ permission = 'view' }) => session.permissions.includes(permission));
  return (
    <Permissions value={session.permissions}>
      <Shell
        name="Kinora operator"
        home="/operator"
        items={items}
        onSignOut={signOut}
        account={account}
        help={<PaletteButton />}
      >
        <Palette pages={items} label="Search pages, accounts and ids" useFound={useFound} />
        <Routes routes={ROUTES} service="Kinora operator" missing={MissingPage} />
        <ConfirmationDialog hasOidc={session.has_oidc} />
      </Shell>
    </Permissions>
  );
}
