import type { JobHistory } from '@kinora/contracts/jobs/job-history';

/** What a customer wrote; the rest of an input is parameters. */
const CONTENT_FIELDS = ['prompt', 'negative_prompt', 'metadata', 'webhook_url'];

/**
 * A job for an operator's page. Links to outputs never reach a page, because a link works for anybody who has it. What the
 * customer wrote stays hidden unless the operator may see content.
 */
export function redactHistory({ job, ...history }: JobHistory, canSeeContent: boolean): JobHistory {
  const shown = JSON.parse(JSON.stringify(job), (name, value: unknown) => {
    if (name === 'url' || name === 'low_url') return null;
    return !canSeeContent && CONTENT_FIELDS.includes(name) && value !== null ? '[hidden]' : value;
  }) as JobHistory['job'];
  return { ...history, job: shown };
}
