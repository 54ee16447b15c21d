import type { ProviderTask, TaskFacts } from '../compute-provider.port';
import type { FormBody } from '../http/multipart';
import type { OpenAiImagesSettings } from './openai-images-settings';

/** The request that asks a server for a task. */
export type Work = {
  path: string;
  /** Whether the answer is the work's result, or a video's job that is looked at later. */
  answersWith: 'result' | 'video_job';
} & ({ json: Record<string, unknown> } | { form: FormBody });

/** What three kinds of servers that all say "OpenAI-compatible" each mean by it. */
export interface Dialect {
  /** Null, or why such a server cannot run the task exactly as it is. */
  findUnsupported(task: TaskFacts, settings: OpenAiImagesSettings): string | null;
  toWork(task: ProviderTask, settings: OpenAiImagesSettings): Work;
  /** What is answered with 200 by a server that is well. */
  healthPaths: string[];
  /** How a video that is under way is stopped: by a request for it, or by deleting its record. */
  stopsVideosBy: 'cancel' | 'delete';
}
