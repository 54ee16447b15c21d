import { useEffect } from 'react';
import { API, type Job, jobLink, type Model, useModels } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Choice } from '../../components/fields';
import { anyOf, type Filter, ListCard, useFilterValues } from '../../components/list-card';
import { Page } from '../../components/page';
import { navigate, useSearch } from '../../router/navigation';
import { JOB_COLUMNS, KINDS } from './job-columns';
import { JobGallery } from './job-gallery';

const STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const;
const MADE = ['image.generation', 'image.edit', 'video.generation'];

const filtersOf = (models: readonly Model[]): readonly Filter[] => [
  { name: 'words', label: 'Prompt or job id', placeholder: 'lighthouse storm', keepsSpaces: true },
  { name: 'kind', label: 'Kind', options: [['', 'Any'], ...MADE.map((kind) => [kind, KINDS[kind] ?? kind] as const)] },
  { name: 'status', label: 'Status', options: anyOf(STATUSES) },
  { name: 'model', label: 'Model', options: [['', 'Any'], ...models.map(({ id, label }) => [id, label] as const)] },
  { name: 'from', label: 'From (UTC)', type: 'date' },
  { name: 'to', label: 'To (UTC)', type: 'date' },
];

export function JobsPage() {
  const models = useModels();
  const [search, setSearch] = useSearch();
  const view = search.get('view') === 'gallery' ? 'gallery' : 'list';
  const { words, ...values } = useFilterValues('words', 'kind', 'status', 'model', 'from', 'to');
  const link = jobLink(words);
  useEffect(() => {
    if (link !== null) navigate(link, { replace: true });
  }, [link]);
  const isSearch = [words.trim(), values.kind, values.from, values.to].some((value) => value !== '');
  const pages = usePages<Job>(
    API + (isSearch ? '/job-search' : '/jobs'),
    { ...values, words: words.trim() },
    isSearch ? {} : { refetchMs: 5_000 },
  );
  return (
    <Page title="Jobs" intro="Every request for an image or a video, newest first.">
      <ListCard
        caption="Jobs"
        columns={JOB_COLUMNS}
        pages={pages}
        keyOf={({ id }) => id}
        filters={filtersOf(models.data ?? [])}
        view={view === 'gallery' ? (jobs) => <JobGallery jobs={jobs} /> : undefined}
        empty={['No job yet', 'Make an image in the playground, or send a request with a key.']}
      >
        <div>
          <Choice
            legend="Show as"
            value={view}
            onChange={(chosen) => setSearch({ view: chosen === 'gallery' ? chosen : null })}
            options={[
              ['list', 'List'],
              ['gallery', 'Gallery'],
            ]}
          />
        </div>
      </ListCard>
    </Page>
  );
}
