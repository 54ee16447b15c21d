import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import type { ProviderTask, TaskFacts } from '../compute-provider.port';
import type { FormBody } from '../http/multipart';

export const DIALECTS = ['vllm-omni', 'sglang', 'localai'] as const;
export type DialectName = (typeof DIALECTS)[number];

/** Settings of type `openai-images`, besides those of every instance. */
export class OpenAiImagesSettings {
  @IsIn(DIALECTS)
  dialect!: DialectName;

  /** Qwen-Image has another field for its guidance than other models. */
  @IsOptional()
  @IsIn(['guidance_scale', 'true_cfg_scale'])
  guidance_field: 'guidance_scale' | 'true_cfg_scale' = 'guidance_scale';

  /** Wan and similar models need one frame more than the frame rate times the duration. */
  @IsOptional()
  @IsBoolean()
  extra_frame: boolean = false;

  /** vLLM-Omni: the server's folder with one PEFT folder for each LoRA, named by the catalog's id. */
  @IsOptional()
  @IsString()
  lora_dir?: string;
}

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
