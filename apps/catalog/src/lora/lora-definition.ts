import { ArrayNotEmpty, ArrayUnique, IsNumber, IsOptional, IsString, Length, Max, Min } from 'class-validator';

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

  /** Interface, LoRA item: 0.1 to 1.5, 0.8 where the catalog says nothing. */
  @IsNumber()
  @Min(0.1)
  @Max(1.5)
  default_strength = 0.8;

  @IsOptional()
  @IsString()
  triggers: string | null = null;

  @IsOptional()
  @IsString()
  license: string | null = null;
}
