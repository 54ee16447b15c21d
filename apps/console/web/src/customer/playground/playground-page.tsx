import { useQueryClient } from '@tanstack/react-query';
import { useContext, useRef, useState } from 'react';
import { type Model, referenceUrl, SessionContext, useModels } from '../../api/customer';
import { requestSamples } from '../../code/request-sample';
import { CodeTabs } from '../../components/code-tabs';
import { Choice } from '../../components/fields';
import { Card, Page } from '../../components/page';
import { Empty, Loaded } from '../../components/states';
import { bodyOf, type Draft, fitTo, modelsFor, PLACEHOLDERS, quotedBodyOf } from '../draft/draft';
import { sourceMetadata } from '../draft/draft-link';
import { PlaygroundForm } from './playground-form';
import styles from './playground.module.css';
import { useQuotes } from './price-line';
import { RunCard } from './run-card';
import { startRun, useRuns } from './runs';
import { useDraft } from './use-draft';

/** A form for one request, its price before it runs, and what comes of it. */
export function PlaygroundPage() {
  const models = useModels();
  return (
    <Page
      title="Playground"
      intro="Try a model. What you see here is the API: every run is a job, with its price shown before."
    >
      <Loaded query={models}>{(list) => <Playground models={list} />}</Loaded>
    </Page>
  );
}

/** The models of the form; the first one that can do the operation where none is chosen. */
function chosenModels(draft: Draft, models: readonly Model[]): Model[] {
  const able = modelsFor(draft.operation, models);
  const chosen = draft.models.flatMap((id) => able.find((model) => model.id === id) ?? []);
  return chosen.length > 0 ? chosen : able.slice(0, 1);
}

type Shown = 'results' | 'code';

function Playground({ models }: { models: readonly Model[] }) {
  const client = useQueryClient();
  const accountId = useContext(SessionContext)?.account_id ?? '';
  const { draft: filledIn, sources, change } = useDraft();
  const runs = useRuns(accountId);
  const [shown, setShown] = useState<Shown>('results');
  const results = useRef<HTMLDivElement>(null);
  const chosen = chosenModels(filledIn, models);
  const draft = fitTo(chosen, filledIn);
  const { operation } = draft;
  const quotes = useQuotes(chosen.map((model) => ({ operation, model, quoted: quotedBodyOf(draft, model) })));
  const generate = () => {
    const [image] = draft.images;
    // A job names the output that it was made from, but no uploaded file.
    const before = operation === 'images.edits' && image?.source === null ? image.preview : null;
    const requests = chosen.map((model, index) => ({
      operation,
      model,
      body: { ...bodyOf(draft, model), ...sourceMetadata(draft) },
      quoteId: quotes[index]?.quote?.id ?? null,
    }));
    void startRun({ accountId, prompt: draft.prompt, before }, requests, client);
    setShown('results');
    results.current?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div className={styles['playground']}>
      <Card>
        <PlaygroundForm
          draft={{ ...draft, models: chosen.map(({ id }) => id) }}
          models={modelsFor(operation, models)}
          chosen={chosen}
          quotes={quotes}
          isReading={sources.length > 0}
          onChange={change}
          onGenerate={generate}
        />
      </Card>
      <div ref={results} className={styles['results']}>
        <Choice
          legend="Show"
          value={shown}
          onChange={setShown}
          options={[
            ['results', 'Results'],
            ['code', 'Code'],
          ]}
        />
        {shown === 'code' ? (
          <RequestAsCode draft={draft} chosen={chosen} />
        ) : runs.length === 0 ? (
          <Card>
            <Empty title="Results appear here">Write a prompt, check the price, and start.</Empty>
          </Card>
        ) : (
          runs.map((run) => <RunCard key={run.id} run={run} />)
        )}
      </div>
    </div>
  );
}

function RequestAsCode({ draft, chosen }: { draft: Draft; chosen: readonly Model[] }) {
  const session = useContext(SessionContext);
  const [model] = chosen;
  if (!model || !session) return null;
  const samples = requestSamples({
    operation: draft.operation,
    body: bodyOf({ ...draft, prompt: draft.prompt || PLACEHOLDERS[draft.operation] }, model),
    apiBaseUrl: session.api_base_url,
  });
  return (
    <Card
      title="The same in code"
      intro="The key stands in the environment variable KINORA_API_KEY."
      actions={
        <a href={referenceUrl(session.api_base_url)} referrerPolicy="origin">
          All fields
        </a>
      }
    >
      <CodeTabs label="Language" samples={samples} />
    </Card>
  );
}
