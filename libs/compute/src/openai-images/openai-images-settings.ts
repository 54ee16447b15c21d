import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';

export const DIALECTS = ['vllm-omni', 'sglang', 'localai'] as const;
export type DialectName = (typeof DIALECTS)[number];

/** The keys of an instance of type `openai-images` in providers.yaml, beside those of every instance. */
export class OpenAiImagesSettings {
  @IsIn(DIALECTS)
  dialect!: DialectName;

  /** Qwen-Image takes its guidance by another name than other models. */
  @IsOptional()
  @IsIn(['guidance_scale', 'true_cfg_scale'])
  guidance_field: 'guidance_scale' | 'true_cfg_scale' = 'guidance_scale';

  /** Wan and its kin want a frame more than the speed times the length. */
  @IsOptional()
  @IsBoolean()
  extra_frame: boolean = false;

  /** vLLM-Omni: the server's folder with one PEFT folder for each LoRA, named by the catalog's id. */
  @IsOptional()
  @IsString()
  lora_dir?: string;
}
