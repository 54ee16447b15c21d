import { lazy } from 'react';
import { OPERATOR_SESSION, type OperatorSession, type Permission } from '../api/operator';
import { useSession, useSignOut } from '../api/session';
import { Entrance } from '../components/entrance';
import { Failure, MissingPage } from '../components/states';
import { type NavigationItem, Shell } from '../components/shell';
import { notifyError } from '../components/toasts';
import { usePath } from '../router/navigation';
import { type Route, Routes } from '../routes';
import { ConfirmationDialog } from './actions/action-dialog';
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
  { to: '/operator/webhooks', name: 'Webhooks', icon: 'hook' },
  { to: '/operator/ledger', name: 'Ledger', icon: 'book' },
  { to: '/operator/audit', name: 'Audit', icon: 'eye', permission: 'view_audit' },
  { to: '/operator/users', name: 'Users', icon: 'key', permission: 'manage_users' },
];

const ROUTES: readonly Route[] = [
  { path: '/operator', title: 'Overview', page: OverviewPage },
  {
    path: '/operator/accounts',
    title: 'Accounts',
    page: lazy(() => import('./accounts/accounts-page').then((file) => ({ default: file.AccountsPage }))),
  },
  {
    path: '/operator/accounts/:id',
    title: 'Account',
    page: lazy(() => import('./accounts/account-page').then((file) => ({ default: file.AccountPage }))),
  },
  {
    path: '/operator/jobs',
    title: 'Jobs',
    page: lazy(() => import('./jobs/operator-jobs-page').then((file) => ({ default: file.OperatorJobsPage }))),
  },
  {
    path: '/operator/jobs/:id',
    title: 'Job',
    page: lazy(() => import('./jobs/operator-job-page').then((file) => ({ default: file.OperatorJobPage }))),
  },
  {
    path: '/operator/compute',
    title: 'Compute',
    page: lazy(() => import('./compute/compute-page').then((file) => ({ default: file.ComputePage }))),
  },
  {
    path: '/operator/models',
    title: 'Models',
    page: lazy(() => import('./models/models-page').then((file) => ({ default: file.ModelsPage }))),
  },
  {
    path: '/operator/moderation',
    title: 'Moderation',
    page: lazy(() => import('./moderation/moderation-page').then((file) => ({ default: file.ModerationPage }))),
  },
  {
    path: '/operator/webhooks',
    title: 'Webhooks',
    page: lazy(() =>
      import('./webhooks/failing-endpoints-page').then((file) => ({ default: file.FailingEndpointsPage })),
    ),
  },
  {
    path: '/operator/ledger',
    title: 'Ledger',
    page: lazy(() => import('./ledger/ledger-page').then((file) => ({ default: file.LedgerPage }))),
  },
  {
    path: '/operator/audit',
    title: 'Audit',
    page: lazy(() => import('./audit/audit-page').then((file) => ({ default: file.AuditPage }))),
  },
  {
    path: '/operator/users',
    title: 'Users',
    page: lazy(() => import('./users/users-page').then((file) => ({ default: file.UsersPage }))),
  },
];

export function OperatorApplication() {
  const session = useSession<OperatorSession>(OPERATOR_SESSION);
  const path = usePath();
  if (path === '/operator/setup') return <SetupPage />;
  if (session.data?.kind === 'operator') return <SignedIn key={session.data.csrf_token} session={session.data} />;
  if (session.data) return <OperatorSignInPage session={session.data} />;
  if (!session.error) return null;
  return (
    <Entrance title="The console does not answer" intro="It may be starting. Nothing is lost in the meantime.">
      <Failure error={session.error} retry={() => void session.refetch()} />
    </Entrance>
  );
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
      <Shell name="Kinora operator" home="/operator" items={items} onSignOut={signOut} account={account}>
        <Routes routes={ROUTES} service="Kinora operator" missing={MissingPage} />
        <ConfirmationDialog hasOidc={session.has_oidc} />
      </Shell>
    </Permissions>
  );
}
