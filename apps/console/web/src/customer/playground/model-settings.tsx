import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client';
import { API, type Lora, type Model } from '../../api/customer';
import { Select, TextField } from '../../components/fields';
import { queryString } from '../../formatting/format';
import { commonSettings, type Draft, takesLora } from './draft';
import styles from './playground.module.css';

interface ModelSettingsProps {
  draft: Draft;
  chosen: readonly Model[];
  onChange: (changes: Partial<Draft>) => void;
}

const FORMATS = ['png', 'jpeg', 'webp'] as const;
const asOptions = (values: readonly (string | number)[]) =>
  values.map((value) => [String(value), String(value)] as const);

/** The fields that the chosen models take, from their capabilities. */
export function ModelSettings({ draft, chosen, onChange }: ModelSettingsProps) {
  const { operation } = draft;
  const isVideo = operation === 'videos.generations';
  const { sizes, durations, maxCount } = commonSettings(chosen);
  const counts = Array.from({ length: maxCount }, (_, index) => index + 1);
  return (
    <>
      <div className={styles['settings']}>
        {!isVideo && sizes.length > 0 && (
          <Select
            label="Size"
            name="size"
            value={draft.size}
            options={[['', 'Default'], ...asOptions(sizes)]}
            onChange={(size) => onChange({ size })}
          />
        )}
        {operation === 'images.generations' && counts.length > 1 && (
          <Select
            label="How many"
            name="n"
            value={draft.count}
            options={asOptions(counts)}
            onChange={(count) => onChange({ count })}
          />
        )}
        {isVideo && durations.length > 0 && (
          <Select
            label="Seconds"
            name="duration"
            value={draft.duration}
            options={[['', 'Default'], ...asOptions(durations)]}
            onChange={(duration) => onChange({ duration })}
          />
        )}
        <TextField
          label="Seed"
          name="seed"
          inputMode="numeric"
          placeholder="random"
          value={draft.seed}
          onChange={(seed) => onChange({ seed })}
        />
      </div>
      <MoreSettings draft={draft} chosen={chosen} onChange={onChange} />
    </>
  );
}

function MoreSettings({ draft, chosen, onChange }: ModelSettingsProps) {
  const isGeneration = draft.operation === 'images.generations';
  const [first] = chosen;
  return (
    <details className={styles['more']}>
      <summary>More settings</summary>
      <div className={styles['settings']}>
        <div className={styles['wide']}>
          <TextField
            label="Leave out"
            name="negative_prompt"
            value={draft.negativePrompt}
            placeholder="what should not show"
            onChange={(negativePrompt) => onChange({ negativePrompt })}
          />
        </div>
        {draft.operation !== 'videos.generations' && (
          <Select
            label="File type"
            value={draft.format}
            options={asOptions(FORMATS)}
            onChange={(format) => onChange({ format })}
          />
        )}
        {isGeneration && (
          <>
            <TextField
              label="Steps"
              name="steps"
              inputMode="numeric"
              placeholder={boundsOf(chosen, 'steps')}
              value={draft.steps}
              onChange={(steps) => onChange({ steps })}
            />
            <TextField
              label="Guidance"
              name="guidance"
              inputMode="decimal"
              placeholder={boundsOf(chosen, 'guidance')}
              value={draft.guidance}
              onChange={(guidance) => onChange({ guidance })}
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
  const loras = useQuery({
    queryKey: ['loras', model.id],
    queryFn: ({ signal }) => get<{ data: Lora[] }>(API + '/loras' + queryString({ model: model.id }), signal),
    staleTime: 5 * 60_000,
  });
  const list = loras.data?.data ?? [];
  const chosen = list.find(({ id }) => id === draft.lora);
  if (list.length === 0) return null;
  return (
    <>
      <Select
        label="LoRA"
        name="loras"
        value={draft.lora}
        options={[['', 'None'], ...list.map(({ id, label }) => [id, label] as const)]}
        onChange={(lora) => onChange({ lora })}
        hint={chosen?.triggers ? `Works with: ${chosen.triggers}` : chosen?.description}
      />
      {chosen && (
        <TextField
          label="Strength"
          inputMode="decimal"
          placeholder={String(chosen.default_strength)}
          value={draft.loraStrength}
          onChange={(loraStrength) => onChange({ loraStrength })}
        />
      )}
    </>
  );
}
