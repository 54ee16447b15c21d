import { API, type Lora, type Model } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Select, TextField } from '../../components/fields';
import { queryString } from '../../formatting/format';
import { commonSettings, type Draft, takesLora } from '../draft/draft';
import styles from './playground.module.css';

interface ModelSettingsProps {
  draft: Draft;
  chosen: readonly Model[];
  onChange: (changes: Partial<Draft>) => void;
}

type TextPart = { [Part in keyof Draft]: Draft[Part] extends string ? Part : never }[keyof Draft];

/** The attributes of the field for a part of the form, by its name in the API. */
const fieldsOf =
  ({ draft, onChange }: Pick<ModelSettingsProps, 'draft' | 'onChange'>) =>
  (part: TextPart, name: string = part) => {
    return { name, value: draft[part], onChange: (value: string) => onChange({ [part]: value }) };
  };

const FORMATS = ['png', 'jpeg', 'webp'] as const;
const asOptions = (values: readonly (string | number)[]) =>
  values.map((value) => [String(value), String(value)] as const);

/** The fields that the chosen models take, from their capabilities. */
export function ModelSettings({ draft, chosen, onChange }: ModelSettingsProps) {
  const { operation } = draft;
  const field = fieldsOf({ draft, onChange });
  const isVideo = operation === 'videos.generations';
  const { sizes, durations, maxCount } = commonSettings(chosen);
  const counts = Array.from({ length: maxCount }, (_, index) => index + 1);
  return (
    <>
      <div className={styles['settings']}>
        {!isVideo && sizes.length > 0 && (
          <Select label="Size" {...field('size')} options={[['', 'Default'], ...asOptions(sizes)]} />
        )}
        {operation === 'images.generations' && counts.length > 1 && (
          <Select label="How many" {...field('count', 'n')} options={asOptions(counts)} />
        )}
        {isVideo && durations.length > 0 && (
          <Select label="Seconds" {...field('duration')} options={[['', 'Default'], ...asOptions(durations)]} />
        )}
        <TextField label="Seed" inputMode="numeric" placeholder="random" {...field('seed')} />
      </div>
      <MoreSettings draft={draft} chosen={chosen} onChange={onChange} />
    </>
  );
}

function MoreSettings({ draft, chosen, onChange }: ModelSettingsProps) {
  const isGeneration = draft.operation === 'images.generations';
  const [first] = chosen;
  const field = fieldsOf({ draft, onChange });
  return (
    <details className={styles['more']}>
      <summary>More settings</summary>
      <div className={styles['settings']}>
        <div className={styles['wide']}>
          <TextField
            label="Leave out"
            {...field('negativePrompt', 'negative_prompt')}
            placeholder="what should not show"
          />
        </div>
        {draft.operation !== 'videos.generations' && (
          <Select label="File type" {...field('format')} options={asOptions(FORMATS)} />
        )}
        {isGeneration && (
          <>
            <TextField label="Steps" inputMode="numeric" placeholder={boundsOf(chosen, 'steps')} {...field('steps')} />
            <TextField
              label="Guidance"
              inputMode="decimal"
              placeholder={boundsOf(chosen, 'guidance')}
              {...field('guidance')}
            />
          </>
        )}
        {first && takesLora(draft.operation, first) && <LoraChoice model={first} draft={draft} onChange={onChange} />}
      </div>
    </details>
  );
}

/** The bounds of the only chosen model: several models have several. */
function boundsOf([first, ...others]: readonly Model[], field: 'steps' | 'guidance'): string {
  const bounds = others.length === 0 ? first?.capabilities[field] : undefined;
  return bounds ? `${bounds.min} to ${bounds.max}; ${bounds.default} by default` : 'default';
}

interface LoraChoiceProps extends Omit<ModelSettingsProps, 'chosen'> {
  model: Model;
}

function LoraChoice({ model, draft, onChange }: LoraChoiceProps) {
  const loras = useGet<{ data: Lora[] }>(['loras', model.id], API + '/loras' + queryString({ model: model.id }), {
    staleTime: 5 * 60_000,
  });
  const list = loras.data?.data ?? [];
  const chosen = list.find(({ id }) => id === draft.lora);
  const field = fieldsOf({ draft, onChange });
  if (list.length === 0) return null;
  return (
    <>
      <Select
        label="LoRA"
        {...field('lora', 'loras')}
        options={[['', 'None'], ...list.map(({ id, label }) => [id, label] as const)]}
        hint={chosen?.triggers ? `Works with: ${chosen.triggers}` : chosen?.description}
      />
      {chosen && (
        <TextField
          label="Strength"
          inputMode="decimal"
          placeholder={String(chosen.default_strength)}
          {...field('loraStrength')}
        />
      )}
    </>
  );
}
