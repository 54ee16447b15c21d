import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { post } from '../../api/client';
import { API, type Invitation, type Member, type MemberList, SessionContext, useMay } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { FormDialog, openDialog } from '../../components/dialog';
import { EmailField, Select, useForm } from '../../components/fields';
import { Card, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { actions, type Column, Table } from '../../components/table';
import { notify } from '../../components/toasts';
import { Time, TwoLines } from '../../components/values';

const PATH = `${API}/members`;
const MEMBERS = ['members'];
type Role = Member['role'];

const ROLES: readonly (readonly [Role, string])[] = [
  ['owner', 'owner: everything, also members'],
  ['billing', 'billing: reads, and moves money'],
  ['developer', 'developer: jobs, keys and webhooks'],
  ['viewer', 'viewer: reads'],
];

export function MembersPage() {
  const list = useGet<MemberList>(MEMBERS, PATH);
  const isOwner = useMay('members');
  const own = useContext(SessionContext)?.member?.user_id;
  return (
    <Page
      title="Members"
      intro="People who sign in to this account by their e-mail address."
      actions={
        isOwner && (
          <Button kind="primary" icon="plus" onClick={() => openDialog(InviteDialog, {})}>
            Invite
          </Button>
        )
      }
    >
      <Loaded query={list}>
        {({ members, invitations }) => (
          <>
            <Card title="Members" isFlush>
              <Table
                caption="Members"
                columns={memberColumnsOf(isOwner, own)}
                items={members}
                keyOf={({ user_id }) => user_id}
              />
            </Card>
            {invitations.length > 0 && (
              <Card title="Invitations" isFlush>
                <Table
                  caption="Invitations"
                  columns={invitationColumnsOf(isOwner)}
                  items={invitations}
                  keyOf={({ email }) => email}
                />
              </Card>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The answer of every change is the new list. */
function useChange(path: string, body: object, done: string, onClose: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => post<MemberList>(path, body),
    onSuccess: (list) => {
      client.setQueryData(MEMBERS, list);
      notify(done);
      onClose();
    },
  });
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const { form, field } = useForm<{ email: string; role: Role }>({ email: '', role: 'developer' });
  const body = { ...form, email: form.email.trim() };
  const mutation = useChange(PATH, body, 'The invitation is on its way.', onClose);
  return (
    <FormDialog title="Invite a person" action="Invite" mutation={mutation} onClose={onClose}>
      <EmailField autoComplete="off" {...field('email')} />
      <RoleSelect {...field('role')} />
    </FormDialog>
  );
}

function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { form, field } = useForm({ role: member.role });
  const done = 'The role has changed. The member signs in again.';
  const mutation = useChange(`${PATH}/role`, { user_id: member.user_id, ...form }, done, onClose);
  return (
    <FormDialog title={`Role of ${member.email}`} action="Change" mutation={mutation} onClose={onClose}>
      <RoleSelect {...field('role')} />
    </FormDialog>
  );
}

const RoleSelect = ({ onChange, ...field }: { name: string; value: Role; onChange: (role: Role) => void }) => (
  <Select label="Role" options={ROLES} onChange={(role) => onChange(role as Role)} {...field} />
);

interface ChangeProps {
  title: string;
  action: string;
  path: string;
  body: object;
  done: string;
  onClose: () => void;
}

const ChangeDialog = ({ title, action, path, body, done, onClose }: ChangeProps) => (
  <FormDialog
    title={title}
    action={action}
    isDangerous
    mutation={useChange(path, body, done, onClose)}
    onClose={onClose}
  />
);

const remove = ({ user_id, email }: Member, isOwn: boolean) =>
  openDialog(ChangeDialog, {
    title: isOwn ? 'Leave the account' : `Remove ${email}`,
    action: isOwn ? 'Leave' : 'Remove',
    path: `${PATH}/remove`,
    body: { user_id },
    done: 'The member is signed out everywhere.',
  });

const withdraw = ({ email }: Invitation) =>
  openDialog(ChangeDialog, {
    title: `Withdraw the invitation of ${email}`,
    action: 'Withdraw',
    path: `${PATH}/withdraw`,
    body: { email },
    done: 'The link does not work any more.',
  });

const memberColumnsOf = (isOwner: boolean, own: string | undefined): readonly Column<Member>[] => [
  { name: 'E-mail and role', cell: ({ email, role }) => <TwoLines small={role}>{email}</TwoLines> },
  { name: 'Since', cell: ({ created_at }) => <Time at={created_at} />, isExtra: true },
  actions((member) => (
    <>
      {isOwner && (
        <Button
          kind="quiet"
          aria-label={`Change the role of ${member.email}`}
          onClick={() => openDialog(RoleDialog, { member })}
        >
          Role
        </Button>
      )}
      {(isOwner || member.user_id === own) && (
        <Button
          kind="quiet"
          aria-label={`${member.user_id === own ? 'Leave as' : 'Remove'} ${member.email}`}
          onClick={() => remove(member, member.user_id === own)}
        >
          {member.user_id === own ? 'Leave' : 'Remove'}
        </Button>
      )}
    </>
  )),
];

const invitationColumnsOf = (isOwner: boolean): readonly Column<Invitation>[] => [
  { name: 'E-mail and role', cell: ({ email, role }) => <TwoLines small={role}>{email}</TwoLines> },
  { name: 'Until', cell: ({ expires_at }) => <Time at={expires_at} />, isExtra: true },
  actions(
    (invitation) =>
      isOwner && (
        <Button
          kind="quiet"
          aria-label={`Withdraw the invitation of ${invitation.email}`}
          onClick={() => withdraw(invitation)}
        >
          Withdraw
        </Button>
      ),
  ),
];
