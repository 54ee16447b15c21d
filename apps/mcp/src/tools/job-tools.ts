import { type Job, JobFailedError, JobPendingError, type JobProgress } from '@kinora/client';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { z } from 'zod';
import { toJobAnswer } from '../answers/job-answer';
import { answered, type ToolContext } from '../answers/tool-answer';

/** Clients give a call up after 5 to 60 seconds. */
const LONGEST_WAIT_S = 20;

type Call = RequestHandlerExtra<ServerRequest, ServerNotification>;

const jobId = z.string().min(1).describe('The id that create_image, edit_image or create_video answered.');

/** The tools for jobs that exist. None of them costs money. */
export function registerJobTools(server: McpServer, context: ToolContext): void {
  const { kinora } = context;
  server.registerTool(
    'wait_for_job',
    {
      title: 'Wait for a job',
      description: `Waits at most ${LONGEST_WAIT_S} seconds for a job, and answers with its files or with where it stands. Call it again until the job has ended; the job goes on meanwhile.`,
      inputSchema: {
        job_id: jobId,
        timeout_seconds: z.number().min(0).max(LONGEST_WAIT_S).optional(),
      },
      annotations: { readOnlyHint: true },
    },
    ({ job_id, timeout_seconds = LONGEST_WAIT_S }, call) =>
      answered(() => waitForJob(context, job_id, timeout_seconds, call)),
  );
  server.registerTool(
    'get_job',
    {
      title: 'Look at a job',
      description: 'Where a job stands, with its files if it has succeeded. Its links are new at each call.',
      inputSchema: { job_id: jobId },
      annotations: { readOnlyHint: true },
    },
    ({ job_id }) => answered(async () => toJobAnswer(kinora, await kinora.jobs.get(job_id))),
  );
  server.registerTool(
    'cancel_job',
    {
      title: 'Cancel a job',
      description: 'Cancels a job that has not ended; it then costs nothing. A job that has ended stays as it is.',
      inputSchema: { job_id: jobId },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    ({ job_id }) => answered(async () => toJobAnswer(kinora, await kinora.jobs.cancel(job_id))),
  );
}

/** An agent that gives the call up ends the wait, and never the job. */
async function waitForJob({ kinora }: ToolContext, id: string, seconds: number, call: Call): Promise<CallToolResult> {
  let latest: JobProgress | null = null;
  const onUpdate = (progress: JobProgress): void => {
    latest = progress;
    void report(call, progress);
  };
  const job = await kinora.jobs
    .wait(id, { timeout: Math.max(1, seconds * 1_000), signal: call.signal, onUpdate })
    .catch((error: unknown) => unfinished(error, () => kinora.jobs.get(id)));
  return await toJobAnswer(kinora, job, latest);
}

function unfinished(error: unknown, getJob: () => Promise<Job>): Job | Promise<Job> {
  if (error instanceof JobFailedError) return error.job;
  if (error instanceof JobPendingError) return getJob();
  throw error;
}

async function report({ _meta, sendNotification }: Call, { progress, status }: JobProgress): Promise<void> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined || progress === null) return;
  const params = { progressToken, progress, total: 1, message: status };
  // The client has left; the wait then ends by its signal.
  await sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
}
