import { API, type Job } from '../../api/customer';
import { usePages } from '../../api/pages';
import { ButtonLink } from '../../components/button';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { PagedTable } from '../../components/table';
import { JOB_COLUMNS } from '../jobs/job-columns';

const SHOWN = 6;

export function RecentJobs() {
  const pages = usePages<Job>(`${API}/jobs`, {}, { limit: SHOWN, refetchMs: 10_000 });
  return (
    <Card title="Latest" isFlush actions={<ButtonLink to="/jobs">See all</ButtonLink>}>
      <PagedTable
        caption="Latest jobs"
        columns={JOB_COLUMNS}
        pages={{ ...pages, hasNext: false }}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title="Nothing has been made yet"
            action={
              <ButtonLink to="/playground" kind="primary">
                Make the first image
              </ButtonLink>
            }
          >
            A job starts with a prompt. Its price is shown before, and charged only if it succeeds.
          </Empty>
        }
      />
    </Card>
  );
}
