import { type ComplianceLine, type ComplianceReport, OPERATOR } from '../../api/operator';
import { useGet } from '../../api/pages';
import { Card, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { type Column, Table } from '../../components/table';
import { Badge } from '../../components/values';

const COLUMNS: readonly Column<ComplianceLine>[] = [
  { name: 'Subject', cell: ({ subject }) => subject },
  { name: 'Set', cell: ({ is_set: isSet }) => <Badge tone={isSet ? 'good' : 'warn'}>{isSet ? 'yes' : 'no'}</Badge> },
  { name: 'State', cell: ({ state }) => state },
  { name: 'What it is for', cell: ({ purpose }) => purpose, isExtra: true },
];

/** What an operator has set up for marks, recognition and moderation. */
export function CompliancePage() {
  const report = useGet<ComplianceReport>(['compliance'], `${OPERATOR}/compliance`);
  return (
    <Page title="Compliance" intro="What marks, recognises and judges outputs. This is no legal advice.">
      <Loaded query={report}>
        {({ lines, guide }) => (
          <Card title="Duties" intro={`The page ${guide} maps duties to settings.`} isFlush>
            <Table caption="Duties" columns={COLUMNS} items={lines} keyOf={({ subject }) => subject} />
          </Card>
        )}
      </Loaded>
    </Page>
  );
}
