import { type Email, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { CodeBlock } from '../../components/code-tabs';
import { Dialog, openDialog } from '../../components/dialog';
import { ListCard } from '../../components/list-card';
import { Page } from '../../components/page';
import { actions, type Column } from '../../components/table';
import { Nothing, Time, TwoLines } from '../../components/values';
import { AccountLink } from '../ids/short-link';

const STATES: Record<Email['state'], string> = { waiting: 'Waiting', sent: 'Sent', given_up: 'Given up' };

export function EmailsPage() {
  const pages = usePages<Email>(`${OPERATOR}/emails`, {}, { refetchMs: 15_000 });
  return (
    <Page title="E-mail" intro="What was sent to customers in the last week. Texts are kept on a trial stack only.">
      <ListCard
        caption="E-mails"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ email_id }) => email_id}
        empty={['No e-mail yet']}
      />
    </Page>
  );
}

const EmailDialog = ({ email, onClose }: { email: Email; onClose: () => void }) => (
  <Dialog title={email.subject} onClose={onClose}>
    <CodeBlock label="Text" text={email.text ?? ''} />
    <Button onClick={onClose}>Back</Button>
  </Dialog>
);

const COLUMNS: readonly Column<Email>[] = [
  { name: 'To', cell: ({ recipient, subject }) => <TwoLines small={subject}>{recipient}</TwoLines> },
  {
    name: 'Account',
    cell: ({ account_id: id }) => (id === null ? <Nothing /> : <AccountLink id={id} />),
    isExtra: true,
  },
  { name: 'State', cell: ({ state }) => STATES[state] },
  { name: 'Last failure', cell: ({ failure }) => failure ?? <Nothing />, isExtra: true },
  { name: 'Queued', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true, isExtra: true },
  actions(
    (email) =>
      email.text !== null && (
        <Button
          kind="quiet"
          aria-label={`Read the e-mail to ${email.recipient}`}
          onClick={() => openDialog(EmailDialog, { email })}
        >
          Read
        </Button>
      ),
  ),
];
