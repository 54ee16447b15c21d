import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { OPERATOR, type OperatorUser, type Role, ROLES } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { FormDialog, openDialog } from '../../components/dialog';
import { EmailField, Select, useForm } from '../../components/fields';
import { ListCard } from '../../components/list-card';
import { Page } from '../../components/page';
import { actions, type Column } from '../../components/table';
import { Badge, Time } from '../../components/values';
import { IssuedSecret } from '../../customer/keys/key-dialogs';
import { act, ActionDialog, ReasonField } from '../actions/action-dialog';

const ROLE_NAMES: Record<Role, string> = {
  owner: 'owner: everything, also users',
  finance: 'finance: reads, and moves money',
  support: 'support: reads, and acts on accounts and jobs',
  viewer: 'viewer: reads',
};
const ROLE_OPTIONS = ROLES.map((role) => [role, ROLE_NAMES[role]] as const);

const SIGN_INS: Record<OperatorUser['sign_in'], string> = {
  local: 'with a password',
  oidc: 'at the identity provider',
  invited: 'not yet: the link is unused',
};

const isDisabled = ({ disabled_at }: OperatorUser) => disabled_at !== null;
const toggleOf = (user: OperatorUser) => (isDisabled(user) ? 'Enable' : 'Disable');

export function UsersPage() {
  const pages = usePages<OperatorUser>(`${OPERATOR}/users`);
  return (
    <Page
      title="Users"
      intro="The operators of this service."
      actions={
        <Button kind="primary" icon="plus" onClick={() => openDialog(AddUserDialog, {})}>
          Add an operator
        </Button>
      }
    >
      <ListCard
        caption="Operators"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ user_id }) => user_id}
        empty={['No operator yet']}
      />
    </Page>
  );
}

function toggle(user: OperatorUser): void {
  const disabled = !isDisabled(user);
  openDialog(ActionDialog, {
    title: `${toggleOf(user)} ${user.email}`,
    action: toggleOf(user),
    method: 'PATCH',
    path: `${OPERATOR}/users/disabled`,
    body: () => ({ email: user.email, disabled }),
    done: disabled ? 'The operator is signed out everywhere.' : 'The operator can sign in again.',
    isDangerous: disabled,
  });
}

const COLUMNS: readonly Column<OperatorUser>[] = [
  { name: 'E-mail', cell: ({ email }) => email },
  { name: 'Role', cell: ({ role }) => <Badge tone="accent">{role}</Badge> },
  {
    name: 'Signs in',
    cell: (user) => (isDisabled(user) ? <Badge tone="bad">disabled</Badge> : SIGN_INS[user.sign_in]),
    isExtra: true,
  },
  { name: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isExtra: true },
  actions((user) => (
    <>
      <Button
        kind="quiet"
        aria-label={`Change the role of ${user.email}`}
        onClick={() => openDialog(RoleDialog, { user })}
      >
        Role
      </Button>
      <Button kind="quiet" aria-label={`${toggleOf(user)} ${user.email}`} onClick={() => toggle(user)}>
        {toggleOf(user)}
      </Button>
    </>
  )),
];

function RoleDialog({ user, onClose }: { user: OperatorUser; onClose: () => void }) {
  const [role, setRole] = useState<string>(user.role);
  return (
    <ActionDialog
      title={`Role of ${user.email}`}
      action="Change"
      method="PATCH"
      path={`${OPERATOR}/users/role`}
      body={() => ({ email: user.email, role })}
      done="The role is changed."
      onClose={onClose}
    >
      <Select label="Role" name="role" value={role} options={ROLE_OPTIONS} onChange={setRole} />
    </ActionDialog>
  );
}

function AddUserDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { form, field } = useForm({ email: '', role: 'viewer', reason: '' });
  const add = useMutation({
    mutationFn: () => {
      const body = { ...form, email: form.email.trim(), reason: form.reason.trim() };
      return act<{ setup_url: string }>('POST', `${OPERATOR}/users`, body);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [`${OPERATOR}/users`] }),
  });
  if (add.data) {
    return <IssuedSecret title="Send this link" name="one-time link" secret={add.data.setup_url} onClose={onClose} />;
  }
  return (
    <FormDialog title="Add an operator" action="Make a link" mutation={add} onClose={onClose}>
      <EmailField {...field('email')} />
      <Select label="Role" options={ROLE_OPTIONS} {...field('role')} />
      <ReasonField {...field('reason')} />
    </FormDialog>
  );
}
