import { useState } from 'react';
import { ApiError } from '../../api/client';
import { API, type Job, jobLink, type Model, useModels } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Choice, Form, TextField } from '../../components/fields';
import { anyOf, type Filter, ListCard, useFilterValues } from '../../components/list-card';
import { Page } from '../../components/page';
import { navigate, useSearch } from '../../router/navigation';
import { JOB_COLUMNS } from './job-columns';
import { JobGallery } from './job-gallery';

const STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const;

const filtersOf = (models: readonly Model[]): readonly Filter[] => [
  { name: 'status', label: 'Status', options: anyOf(STATUSES) },
  { name: 'model', label: 'Model', options: [['', 'Any'], ...models.map(({ id, label }) => [id, label] as const)] },
];

export function JobsPage() {
  const models = useModels();
  const [search, setSearch] = useSearch();
  const view = search.get('view') === 'gallery' ? 'gallery' : 'list';
  const pages = usePages<Job>(`${API}/jobs`, useFilterValues('status', 'model'), { refetchMs: 5_000 });
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
        <FindJob />
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

/** An id leads to the page of its job. */
function FindJob() {
  const [id, setId] = useState('');
  const [error, setError] = useState<ApiError | null>(null);
  const open = () => {
    const link = jobLink(id);
    if (link !== null) navigate(link);
    else setError(new ApiError('A job id looks like 0192f3a0-0000-7000-8000-000000000001.', 0, 'invalid_id', 'id'));
  };
  const change = (text: string) => {
    setId(text);
    setError(null);
  };
  return (
    <Form error={error} params={['id']} onSubmit={open}>
      <TextField label="Find by id, then Enter" name="id" value={id} onChange={change} placeholder="0192f3a0-…" />
    </Form>
  );
}
