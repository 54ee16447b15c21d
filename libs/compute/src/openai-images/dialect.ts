import type { ProviderTask, TaskFacts } from '../compute-provider.port';
import type { FormBody } from '../http/multipart';
import type { OpenAiImagesSettings } from './openai-images-settings';

/** The request of a task. */
export type Work = {
  path: string;
  /** Whether the answer is the result, or a video job that is polled later. */
  answersWith: 'result' | 'video_job';
} & ({ json: Record<string, unknown> } | { form: FormBody });

/** The differences between three kinds of servers that are called OpenAI-compatible. */
export interface Dialect {
  /** Null, or why such a server cannot run the task exactly. */
  findUnsupported(task: TaskFacts, settings: OpenAiImagesSettings): string | null;
  toWork(task: ProviderTask, settings: OpenAiImagesSettings): Work;
  /** Paths that a healthy server answers with 200. */
  healthPaths: string[];
  /** How a running video is stopped: by a cancel request, or by deleting its record. */
  stopsVideosBy: 'cancel' | 'delete';
}
