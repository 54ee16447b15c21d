import { ArrayNotEmpty, IsArray, IsIn, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';

/** Settings of type `runpod`, besides those of every instance. */
export class RunpodSettings {
  /** The worker of the endpoint: worker-comfyui with graph templates, or another worker with templates of its input. */
  @IsIn(['comfyui', 'plain'])
  worker!: 'comfyui' | 'plain';

  /** RunPod stops jobs that run longer. It must not be shorter than the models' run deadlines. */
  @IsInt()
  @Min(6)
  @Max(604_800)
  execution_timeout_seconds = 600;

  /** RunPod drops older jobs, begun or not. This bounds the cost of a job that can no longer be canceled. */
  @IsInt()
  @Min(10)
  @Max(604_800)
  ttl_seconds = 3_600;

  /** Jobs sent for each worker, and one more: the value of the endpoint's request-count scaler. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  jobs_per_worker = 1;

  /** comfyui: the graph templates of the endpoint; all templates without this setting. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  templates?: string[];

  /** comfyui: files on the workers' volume by the catalog's id of a LoRA: `{ file, low_file }`. */
  @IsObject()
  loras: Record<string, unknown> = {};
}
