import { useState } from 'react';
import { ApiError } from '../../api/client';
import { API, type Job, useModels } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Form, Select, TextField } from '../../components/fields';
import { Filters } from '../../components/filters';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { PagedTable } from '../../components/table';
import { navigate, useSearch } from '../../router/location';
import { JOB_COLUMNS } from './job-columns';

const STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function JobsPage() {
  const [search, setSearch] = useSearch();
  const models = useModels();
  const [status, model] = [search.get('status') ?? '', search.get('model') ?? ''];
  const pages = usePages<Job>(`${API}/jobs`, { status, model }, { refetchMs: 5_000 });
  return (
    <Page title="Jobs" intro="Every request for an image or a video, newest first.">
      <Card isFlush>
        <Filters>
          <Select
            label="Status"
            value={status}
            onChange={(value) => setSearch({ status: value })}
            options={[['', 'Any'], ...STATUSES.map((one) => [one, one] as const)]}
          />
          <Select
            label="Model"
            value={model}
            onChange={(value) => setSearch({ model: value })}
            options={[['', 'Any'], ...(models.data ?? []).map(({ id, label }) => [id, label] as const)]}
          />
          <FindJob />
        </Filters>
        <PagedTable
          caption="Jobs"
          columns={JOB_COLUMNS}
          pages={pages}
          keyOf={({ id }) => id}
          empty={<Empty title="No job matches">Change the filters, or make an image in the playground.</Empty>}
        />
      </Card>
    </Page>
  );
}

/** An id leads to the page of its job. */
function FindJob() {
  const [id, setId] = useState('');
  const [error, setError] = useState<ApiError | null>(null);
  const open = () => {
    if (UUID.test(id.trim())) navigate(`/jobs/${id.trim().toLowerCase()}`);
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
