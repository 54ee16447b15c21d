import { OPERATOR, type Overview, type Setup } from '../../api/operator';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { Checklist, type Step } from '../../components/checklist';
import { openDialog } from '../../components/dialog';
import { Card } from '../../components/page';
import { Link } from '../../router/navigation';
import { ActionDialog } from '../actions/action-dialog';
import { Permitted } from '../session/permitted';

/** What a new installation lacks before customers depend on it. It goes away when all is done. */
export function SetupCard({ overview }: { overview: Overview }) {
  const setup = useGet<Setup>(['setup'], `${OPERATOR}/setup`, { staleTime: Infinity });
  const steps = stepsOf(overview, setup.data);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (steps.every(({ isDone, isOptional }) => isDone || isOptional) || setup.isPending) return null;
  return (
    <Card title="Set up" intro={`${done} of ${steps.length} are done.`}>
      <Checklist steps={steps} />
    </Card>
  );
}

const confirmBackup = () =>
  openDialog(ActionDialog, {
    title: 'A backup is set up',
    action: 'Confirm',
    path: `${OPERATOR}/checks/backup`,
    done: 'The backup is confirmed.',
    children: <p>Confirm it after a restore into another database has worked.</p>,
  });

function stepsOf(overview: Overview, setup: Setup | undefined): Step[] {
  const { instances, checks, has_backup } = overview;
  return [
    {
      title: 'A model is connected',
      isDone: instances && instances.some(({ type }) => type !== 'sandbox'),
      note: (
        <>
          The sandbox makes test images only. Add an instance to <code>providers.yaml</code>; it appears under{' '}
          <Link to="/operator/compute">Compute</Link>.
        </>
      ),
    },
    {
      title: 'A customer exists',
      isDone: setup?.has_accounts ?? null,
      note: <Link to="/operator/accounts">Create an account</Link>,
    },
    {
      title: 'A backup is set up',
      isDone: has_backup,
      note: 'Back up the database and the object store, and try a restore.',
      action: (
        <Permitted to="verify_ledger">
          <Button kind="quiet" onClick={confirmBackup}>
            Confirm
          </Button>
        </Permitted>
      ),
    },
    {
      title: 'The doctor finds nothing',
      isDone: checks.some(({ check, ok }) => check === 'doctor' && ok),
      note: (
        <>
          Run <code>kinora doctor</code>.
        </>
      ),
    },
    {
      title: 'The console has a certificate',
      isDone: window.location.protocol === 'https:',
      note: (
        <>
          Serve it by https, with that address as <code>KINORA_CONSOLE_URL</code>.
        </>
      ),
    },
    {
      title: 'E-mail is sent',
      isOptional: true,
      isDone: setup?.sends_mail ?? null,
      note: (
        <>
          Set <code>KINORA_SMTP_URL</code> to a server that answers.
        </>
      ),
    },
    {
      title: 'Customers can pay',
      isOptional: true,
      isDone: setup?.takes_payments ?? null,
      note: (
        <>
          Set <code>KINORA_PAYMENTS</code>.
        </>
      ),
    },
  ];
}
