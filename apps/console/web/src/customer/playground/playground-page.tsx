import { useContext, useRef, useState } from 'react';
import { API, type Job, type Model, SessionContext, useModels } from '../../api/customer';
import { useGet } from '../../api/pages';
import { requestSamples } from '../../code/request-sample';
import { CodeTabs } from '../../components/code-tabs';
import { Card, Page } from '../../components/page';
import { Empty, Loaded } from '../../components/states';
import { useSearch } from '../../router/navigation';
import { bodyOf, type Draft, draftOf, EMPTY_DRAFT, fitTo, modelsFor, PLACEHOLDERS, quotedBodyOf } from './draft';
import { PlaygroundForm } from './playground-form';
import styles from './playground.module.css';
import { FirstOutcome, type Run, RunCard } from './run-card';
import { useQuotes } from './price-line';

/** A form for one request, its price before it runs, and what comes of it. */
export function PlaygroundPage() {
  const models = useModels();
  const [search] = useSearch();
  const from = search.get('from');
  const source = useGet<Job>(['job', from], `${API}/jobs/${encodeURIComponent(from ?? '')}`, {
    enabled: from !== null,
  });
  const isReady = from === null || source.data !== undefined || source.error !== null;
  return (
    <Page
      title="Playground"
      intro="Try a model. What you see here is the API: every run is a job, with its price shown before."
    >
      <Loaded query={{ ...models, data: isReady ? models.data : undefined }}>
        {(list) => <Playground key={from} models={list} start={source.data ? draftOf(source.data) : EMPTY_DRAFT} />}
      </Loaded>
    </Page>
  );
}

/** The models of the form; the first one that can do the operation where none is chosen. */
function chosenModels(draft: Draft, models: readonly Model[]): Model[] {
  const able = modelsFor(draft.operation, models);
  const chosen = draft.models.flatMap((id) => able.find((model) => model.id === id) ?? []);
  return chosen.length > 0 ? chosen : able.slice(0, 1);
}

function Playground({ models, start }: { models: readonly Model[]; start: Draft }) {
  const [filledIn, setFilledIn] = useState(start);
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const lastRun = useRef(0);
  const chosen = chosenModels(filledIn, models);
  const draft = fitTo(chosen, filledIn);
  const { operation } = draft;
  const quotes = useQuotes(chosen.map((model) => ({ operation, model, quoted: quotedBodyOf(draft, model) })));
  const generate = () => {
    const first = new FirstOutcome();
    const begun = chosen.map((model, index) => ({
      id: ++lastRun.current,
      operation,
      model,
      body: bodyOf(draft, model),
      prompt: draft.prompt,
      quoteId: quotes[index]?.quote?.id ?? null,
      isFirst: index === 0,
      first,
    }));
    setRuns((before) => [...begun, ...before].slice(0, 24));
  };
  return (
    <div className={styles['playground']}>
      <Card>
        <PlaygroundForm
          draft={{ ...draft, models: chosen.map(({ id }) => id) }}
          models={modelsFor(draft.operation, models)}
          chosen={chosen}
          quotes={quotes}
          onChange={(changes) => setFilledIn((before) => ({ ...before, ...changes }))}
          onGenerate={generate}
        />
      </Card>
      <div className={styles['results']}>
        {runs.length === 0 ? (
          <Card>
            <Empty title="Results appear here">Write a prompt, check the price, and start.</Empty>
          </Card>
        ) : (
          <div className={styles['runs']}>
            {runs.map((run) => (
              <RunCard key={run.id} run={run} />
            ))}
          </div>
        )}
        <RequestAsCode draft={draft} chosen={chosen} />
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
    <Card title="The same in code" intro="The key stands in the environment variable KINORA_API_KEY.">
      <CodeTabs label="Language" samples={samples} />
    </Card>
  );
}
