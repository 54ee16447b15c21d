import type { Job } from '../../api/customer';
import { queryString } from '../../formatting/format';
import { type Draft, EMPTY_DRAFT, type Operation } from './draft';

type TextPart = Exclude<keyof Draft, 'operation' | 'models' | 'images'>;
const TEXTS = (Object.keys(EMPTY_DRAFT) as (keyof Draft)[]).filter(
  (part): part is TextPart => !['operation', 'models', 'images'].includes(part),
);
const OPERATIONS: readonly string[] = [
  'images.generations',
  'images.edits',
  'videos.generations',
] satisfies Operation[];
const SOURCE = /^[0-9a-f-]{36}\/\d{1,2}$/;
/** Names the outputs that a job was made from: the service keeps no input beyond the end of its job. */
const SOURCES_METADATA = 'source_outputs';

export interface LinkedDraft {
  draft: Draft;
  /** Outputs that become images of the form as soon as they are read. */
  sources: readonly string[];
}

const sourcesOf = ({ images }: Draft) => images.flatMap(({ source }) => source ?? []);

/** The form as a fragment. Uploaded files are not in it. */
export function fragmentOf(draft: Partial<Draft>, sources: readonly string[] = []): string {
  const whole = { ...EMPTY_DRAFT, ...draft };
  const texts = TEXTS.filter((part) => whole[part] !== EMPTY_DRAFT[part]).map((part) => [part, whole[part]] as const);
  const lists = { models: whole.models.join(' '), images: [...sourcesOf(whole), ...sources].join(' ') };
  return `#${queryString({ mode: whole.operation, ...Object.fromEntries(texts), ...lists }).slice(1)}`;
}

/** @param sources outputs, as `<job id>/<index>` */
export const playgroundLink = (draft: Partial<Draft>, sources: readonly string[] = []) =>
  `/playground${fragmentOf(draft, sources)}`;

/** Null for a fragment that is no form, such as that of a link within the page. */
export function readFragment(fragment: string): LinkedDraft | null {
  const params = new URLSearchParams(fragment.slice(1));
  const mode = params.get('mode') ?? EMPTY_DRAFT.operation;
  if (fragment !== '' && !(params.has('mode') && OPERATIONS.includes(mode))) return null;
  const wordsOf = (name: string) => (params.get(name) ?? '').split(' ').filter((word) => word !== '');
  const texts = TEXTS.flatMap((part) => (params.has(part) ? [[part, params.get(part)] as const] : []));
  return {
    draft: {
      ...EMPTY_DRAFT,
      ...(Object.fromEntries(texts) as Partial<Draft>),
      operation: mode as Operation,
      models: wordsOf('models'),
    },
    sources: wordsOf('images').filter((source) => SOURCE.test(source)),
  };
}

/** What a job is created with beside its body, so that it can be run again with its images. */
export function sourceMetadata(draft: Draft): Record<string, unknown> {
  const sources = sourcesOf(draft);
  return sources.length === 0 ? {} : { metadata: { [SOURCES_METADATA]: sources.join(' ') } };
}

/** The outputs that a job of the playground was made from. */
export function sourcesOfJob({ metadata }: Job): string[] {
  const text = metadata?.[SOURCES_METADATA];
  return typeof text === 'string' ? text.split(' ').filter((source) => SOURCE.test(source)) : [];
}
