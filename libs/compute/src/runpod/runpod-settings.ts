import { ArrayNotEmpty, IsArray, IsIn, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';

/** The keys of an instance of type `runpod` in providers.yaml, beside those of every instance. */
export class RunpodSettings {
  /** What runs behind the endpoint: worker-comfyui with graph templates, or another worker with templates of its input. */
  @IsIn(['comfyui', 'plain'])
  worker!: 'comfyui' | 'plain';

  /** RunPod stops a job that has run for longer. It must not be shorter than the models' run deadlines. */
  @IsInt()
  @Min(6)
  @Max(604_800)
  execution_timeout_seconds = 600;

  /** RunPod drops a job that is older, begun or not: the bound on what a job may cost that nobody can cancel any more. */
  @IsInt()
  @Min(10)
  @Max(604_800)
  ttl_seconds = 3_600;

  /** As many jobs are sent for each worker that there is, and one more: what its scaler wants for a worker. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  jobs_per_worker = 1;

  /** comfyui: the graph templates that the endpoint is for; all that there are without it. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  templates?: string[];

  /** comfyui: files on the workers' volume by the catalog's id of a LoRA: `{ file, low_file }`. */
  @IsObject()
  loras: Record<string, unknown> = {};
}
