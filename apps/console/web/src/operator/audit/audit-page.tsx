import { type AuditEntry, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { ListCard, useFilterValues } from '../../components/list-card';
import { Page } from '../../components/page';
import { type Column } from '../../components/table';
import { Badge, Breakable, Id, Nothing, Time, TwoLines } from '../../components/values';
import { ACCOUNT_FILTER, pickedAccount } from '../ids/account-picker';
import { AccountLink, JobLink } from '../ids/short-link';
import { describeChange, targetOf } from './describe-change';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'Action', cell: ({ action }) => action.replaceAll('_', ' ') },
  { name: 'By', cell: ({ actor }) => <Breakable text={actor} /> },
  { name: 'Time', cell: ({ at }) => <Time at={at} exact /> },
  { name: 'Of', cell: (entry) => <Target entry={entry} />, isExtra: true },
  { name: 'Change', cell: ({ before, after }) => describeChange(before, after) || <Nothing />, isExtra: true },
  { name: 'Reason', cell: ({ reason }) => reason ?? <Nothing />, isExtra: true },
  { name: 'Outcome', cell: ({ outcome }) => <Badge tone={outcome === 'done' ? 'good' : 'warn'}>{outcome}</Badge> },
];

/** What it was done to, by the name that it has, above the account that it belongs to. */
function Target({ entry }: { entry: AuditEntry }) {
  const { account, job, name } = targetOf(entry);
  const own =
    job !== null ? <JobLink id={job} /> : pickedAccount(name ?? '') ? <Id id={name ?? ''} label="id" /> : name;
  if (account === null) return own ?? <Nothing />;
  return own === null ? <AccountLink id={account} /> : <TwoLines small={<AccountLink id={account} />}>{own}</TwoLines>;
}

const FILTERS = [ACCOUNT_FILTER];

export function AuditPage() {
  const { account_id: account } = useFilterValues('account_id');
  const pages = usePages<AuditEntry>(`${OPERATOR}/audit`, { account_id: pickedAccount(account) });
  return (
    <Page title="Audit" intro="What operators have done and seen, newest first. Entries are only added.">
      <ListCard
        caption="Audit trail"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ id }) => id}
        filters={FILTERS}
        empty={['No entry yet']}
      />
    </Page>
  );
}
