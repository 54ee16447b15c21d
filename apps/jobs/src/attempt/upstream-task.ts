import type { UpstreamTask } from '@kinora/compute';
import type { AttemptRow } from './attempt.row';

/** An attempt as its provider knows it. */
export function toUpstreamTask({ upstream_id: id, upstream_ref: ref }: AttemptRow): UpstreamTask {
  return { id, ref };
}
