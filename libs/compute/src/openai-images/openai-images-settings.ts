import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';

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
