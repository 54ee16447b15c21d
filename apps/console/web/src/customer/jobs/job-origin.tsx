import { useQuery } from '@tanstack/react-query';
import { postFile } from '../../api/client';
import { imagesOf, type Job, mediaUrl, videoOf } from '../../api/customer';
import { Card } from '../../components/page';
import { Loaded } from '../../components/states';
import styles from '../provenance/check-page.module.css';
import { CheckResult } from '../provenance/check-result';
import { CHECK_ROUTE, type ProvenanceCheck } from '../provenance/describe-check';

/** What the first file of a job says about its origin, by the public check. It is asked once: files do not change. */
export function JobOrigin({ job }: { job: Job }) {
  const [file = videoOf(job)] = imagesOf(job);
  const hasFile = typeof file?.url === 'string';
  const check = useQuery({
    queryKey: ['origin', job.id],
    queryFn: async () => {
      const answer = await fetch(mediaUrl(job.id, 0));
      if (!answer.ok) throw new Error('The file is no longer there.');
      return postFile<ProvenanceCheck>(CHECK_ROUTE, await answer.blob());
    },
    enabled: hasFile,
    staleTime: Infinity,
    retry: false,
  });
  if (!hasFile) return null;
  return (
    <Card title="Content credentials" intro="What the file says about itself. The public page /check reads the same.">
      <div className={styles['findings']}>
        <Loaded query={check}>{(found) => <CheckResult check={found} heading="h3" />}</Loaded>
      </div>
    </Card>
  );
}
