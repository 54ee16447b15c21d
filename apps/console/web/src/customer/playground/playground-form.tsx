import { ApiError } from '../../api/client';
import { type Model, useMay } from '../../api/customer';
import { Button } from '../../components/button';
import { Choice, Form, Select, TextArea } from '../../components/fields';
import { type Draft, MOST_MODELS, type Operation, PLACEHOLDERS } from '../draft/draft';
import { ImageUpload } from './image-upload';
import { ModelSettings } from './model-settings';
import styles from './playground.module.css';
import { needsImage, PriceLine, type QuoteState } from './price-line';

export interface PlaygroundFormProps {
  draft: Draft;
  /** Those that can do the operation. */
  models: readonly Model[];
  chosen: readonly Model[];
  quotes: readonly QuoteState[];
  /** Whether an output is being read as an image of the form. */
  isReading: boolean;
  onChange: (changes: Partial<Draft>) => void;
  onGenerate: () => void;
}

const OPERATIONS: readonly (readonly [Operation, string])[] = [
  ['images.generations', 'Image'],
  ['images.edits', 'Edit'],
  ['videos.generations', 'Video'],
];

export function PlaygroundForm(props: PlaygroundFormProps) {
  const { draft, models, chosen, quotes, isReading, onChange, onGenerate } = props;
  const takesImage = draft.operation !== 'images.generations';
  const isVideo = draft.operation === 'videos.generations';
  const lacksImage = takesImage && draft.images.length === 0;
  const isComplete = (isVideo || draft.prompt.trim() !== '') && !lacksImage && !isReading;
  // The price is shown before the click, and is the price of the click.
  const isPriced = quotes.every(({ quote }) => quote?.would_be_accepted === true);
  const canStart = useMay('create') && isComplete && isPriced && chosen.length > 0;
  // An image that is not chosen yet is no error.
  const open = lacksImage ? quotes.filter(needsImage) : [];
  return (
    <Form error={refusalOf(quotes.filter((state) => !open.includes(state)))} onSubmit={() => canStart && onGenerate()}>
      <Choice
        legend="What to make"
        value={draft.operation}
        options={OPERATIONS}
        onChange={(operation) => onChange({ operation, models: [], size: '', lora: '', duration: '', images: [] })}
      />
      <TextArea
        label="Prompt"
        name="prompt"
        rows={4}
        value={draft.prompt}
        placeholder={PLACEHOLDERS[draft.operation]}
        onChange={(prompt) => onChange({ prompt })}
      />
      {takesImage && (
        <ImageUpload
          key={draft.operation}
          label={isVideo ? 'Start frame' : 'Images to edit'}
          most={isVideo ? 1 : (chosen[0]?.capabilities.max_refs ?? 3)}
          images={draft.images}
          onChange={(images) => onChange({ images })}
        />
      )}
      <ModelChoice models={models} draft={draft} onChange={onChange} />
      <ModelSettings draft={draft} chosen={chosen} onChange={onChange} />
      <PriceLine chosen={chosen} quotes={quotes} needsImage={open.length > 0} />
      <Button
        type="submit"
        kind="primary"
        disabled={!canStart}
        // The second click of a double click would be paid, too.
        onClick={(event) => event.detail > 1 && event.preventDefault()}
      >
        Generate
      </Button>
      <p className={styles['missing']}>
        {isReading
          ? 'Reading the image…'
          : isComplete
            ? 'Or press Ctrl and Enter.'
            : lacksImage
              ? 'Choose an image first.'
              : 'Write a prompt first.'}
      </p>
    </Form>
  );
}

/** The first refusal, at the field that it names. */
function refusalOf(quotes: readonly QuoteState[]): unknown {
  const error = quotes.find((state) => state.error !== null)?.error ?? null;
  if (error) return error;
  const refusal = quotes.flatMap(({ quote }) => quote?.refusals ?? [])[0];
  return refusal ? new ApiError(refusal.message, 0, refusal.code, refusal.param) : null;
}

function ModelChoice({ models, draft, onChange }: Pick<PlaygroundFormProps, 'models' | 'draft' | 'onChange'>) {
  const options = models.map(({ id, label }) => [id, label] as const);
  const [first, ...others] = draft.models;
  const free = models.find(({ id }) => !draft.models.includes(id));
  const replace = (index: number, id: string) =>
    // The LoRAs on offer are those of the first model.
    onChange({ models: draft.models.map((one, at) => (at === index ? id : one)), ...(index === 0 && { lora: '' }) });
  return (
    <div className={styles['models']}>
      <Select
        label="Model"
        name="model"
        value={first ?? ''}
        options={options}
        onChange={(id) => replace(0, id)}
        hint={models.find(({ id }) => id === first)?.description}
      />
      {others.map((id, index) => (
        <div key={index} className={styles['other']}>
          <Select
            label={`Compare with (${index + 2})`}
            value={id}
            options={options}
            onChange={(changed) => replace(index + 1, changed)}
          />
          <Button
            kind="quiet"
            icon="close"
            aria-label={`Leave out ${id}`}
            onClick={() => onChange({ models: draft.models.filter((_, at) => at !== index + 1) })}
          />
        </div>
      ))}
      {free && draft.models.length < MOST_MODELS && (
        <Button kind="quiet" icon="plus" onClick={() => onChange({ models: [...draft.models, free.id] })}>
          Compare side by side
        </Button>
      )}
    </div>
  );
}
