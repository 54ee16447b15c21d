import { Choice } from '../../components/fields';
import { Page, Row } from '../../components/page';
import { useSearch } from '../../router/location';
import { Decisions } from './decisions';
import { Replay } from './replay';
import { Strikes } from './strikes';
import { useMay } from '../session/permitted';

const PARTS = [
  ['decisions', 'Decisions'],
  ['strikes', 'Strikes'],
  ['replay', 'Try a policy'],
] as const;

export function ModerationPage() {
  const [search, setSearch] = useSearch();
  const canReplay = useMay('replay_policy');
  const parts = PARTS.filter(([one]) => one !== 'replay' || canReplay);
  const part = parts.find(([one]) => one === search.get('show'))?.[0] ?? 'decisions';
  return (
    <Page title="Moderation" intro="Decisions hold hashes and scores of the content, never the content itself.">
      <Row>
        <Choice legend="What to show" value={part} options={parts} onChange={(show) => setSearch({ show })} />
      </Row>
      {part === 'decisions' && <Decisions />}
      {part === 'strikes' && <Strikes />}
      {part === 'replay' && <Replay />}
    </Page>
  );
}
