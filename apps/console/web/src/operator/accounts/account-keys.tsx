import { type AccountDetails, type KeyDetails, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { ListCard } from '../../components/list-card';
import { actions, type Column } from '../../components/table';
import { Badge, Money, Nothing, Time, TwoLines } from '../../components/values';
import { ActionDialog } from '../actions/action-dialog';
import { Permitted } from '../session/permitted';
import { IssueDialog } from './account-dialogs';

/** The keys of an account, of which nothing but the first letters is known. */
export function AccountKeys({ account }: { account: AccountDetails }) {
  const path = `${OPERATOR}/accounts/${account.account_id}/keys`;
  const pages = usePages<KeyDetails>(path);
  return (
    <ListCard
      title="Keys"
      caption="Keys of the account"
      columns={columnsOf(path)}
      pages={pages}
      keyOf={({ api_key_id }) => api_key_id}
      empty={['No key']}
      actions={
        <Permitted to="open_portal">
          <Button icon="plus" onClick={() => openDialog(IssueDialog, { kind: 'key', account })}>
            New key
          </Button>
        </Permitted>
      }
    />
  );
}

const revoke = ({ name, prefix, api_key_id }: KeyDetails, path: string) =>
  openDialog(ActionDialog, {
    title: `Revoke ${name}`,
    action: 'Revoke for good',
    path: `${path}/${api_key_id}/revoke`,
    done: 'The key is revoked.',
    isDangerous: true,
    children: (
      <p>
        Programs with the key <code>{prefix}…</code> are refused from now on. Its jobs run to their end.
      </p>
    ),
  });

const isExpired = ({ expires_at }: KeyDetails) => expires_at !== null && Date.parse(expires_at) < Date.now();

const columnsOf = (path: string): readonly Column<KeyDetails>[] => [
  { name: 'Key', cell: ({ name, prefix }) => <TwoLines small={<code>{prefix}…</code>}>{name}</TwoLines> },
  { name: 'Scope', cell: ({ scope = 'jobs' }) => <Badge>{scope}</Badge>, isExtra: true },
  {
    name: 'Budget',
    cell: ({ cap_micros: cap, cap_period }) =>
      cap === null ? (
        <Nothing />
      ) : (
        <>
          <Money micros={cap} /> a {cap_period}
        </>
      ),
    isExtra: true,
  },
  { name: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isExtra: true },
  { name: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} />, isNumber: true },
  actions((key) =>
    key.revoked_at !== null || isExpired(key) ? (
      <Badge>{key.revoked_at === null ? 'expired' : 'revoked'}</Badge>
    ) : (
      <Permitted to="open_portal">
        <Button kind="quiet" aria-label={`Revoke ${key.name}`} onClick={() => revoke(key, path)}>
          Revoke
        </Button>
      </Permitted>
    ),
  ),
];
