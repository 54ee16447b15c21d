import { ArrayNotEmpty, ArrayUnique, IsNumber, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import { OptionalSetting } from '@kinora/contracts/shared/field-rules';

/** A file name or a relative path below the folder. Only .safetensors is allowed, because a pickle file can run code. */
const LORA_FILE = /^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9 _./()-]{0,255}\.safetensors$/;
/** The name of a file at a hub says nothing; its content is checked when it is fetched. */
const LORA_URL = /^https:\/\/[^\s#]{1,2040}$/;

/** A LoRA as a catalog file defines it. */
export class LoraDefinition {
  @IsString()
  @Length(1, 128)
  id!: string;

  @ArrayNotEmpty()
  @ArrayUnique()
  @IsString({ each: true })
  compatible_models!: string[];

  @IsString()
  @Length(1, 100)
  label!: string;

  @IsOptional()
  @IsString()
  description: string | null = null;

  /** 0.1 to 1.5 (API: LoraBody.strength); 0.8 where the catalog names none (decisions: LoRAs). */
  @IsNumber()
  @Min(0.1)
  @Max(1.5)
  default_strength = 0.8;

  @IsOptional()
  @IsString()
  triggers: string | null = null;

  /** A file in the folder that the model's backends load LoRAs from. */
  @OptionalSetting()
  @Matches(LORA_FILE, { message: 'must name a .safetensors file in the folder of LoRAs' })
  file?: string;

  /** The file for the low-noise expert of models that have one. Without it, `file` is used for both experts. */
  @OptionalSetting()
  @Matches(LORA_FILE, { message: 'must name a .safetensors file in the folder of LoRAs' })
  low_file?: string;

  /** The URL from which backends download a missing file, directly or through their shared folder. */
  @OptionalSetting()
  @Matches(LORA_URL, { message: 'must be an https address' })
  url?: string;

  @OptionalSetting()
  @Matches(LORA_URL, { message: 'must be an https address' })
  low_url?: string;

  @IsOptional()
  @IsString()
  license: string | null = null;
}
