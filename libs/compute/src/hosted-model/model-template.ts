import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import type { ProviderTask } from '../compute-provider.port';
import type { JsonObject } from '../instance-definition';

const OPERATIONS: ProviderTask['operation'][] = ['image.generation', 'image.edit', 'video.generation'];

/** The fields for one LoRA, of a model that has separate fields for each. */
export class LoraSlot {
  @IsString()
  url!: string;

  @IsString()
  strength!: string;

  /** For the low-noise expert, where the model has two; `url` and `strength` are then for the high-noise expert. */
  @IsOptional()
  @IsString()
  low_url?: string;

  @IsOptional()
  @IsString()
  low_strength?: string;
}

/** The LoRAs of a model that takes a list: the field of the list, and the field names of its entries. */
export class LoraList {
  @IsString()
  field!: string;

  @IsString()
  url!: string;

  @IsString()
  strength!: string;

  /** The field with `high`, `low` or `both`, where the model has two experts. */
  @IsOptional()
  @IsString()
  expert?: string;
}

export class LoraFields {
  @IsOptional()
  @ValidateNested()
  @Type(() => LoraList)
  list?: LoraList;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LoraSlot)
  slots?: LoraSlot[];
}

/** An operator's description of a hosted model: the fields of its input for each part of a task. */
export class ModelTemplate {
  /** The backend's name of the model, in the form that the adapter defines. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  model?: string;

  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(OPERATIONS, { each: true })
  operations!: ProviderTask['operation'][];

  /** The input field of each part of a task, with dots for nested objects; `none` where a part may lack a field. */
  @IsObject()
  fields!: Record<string, unknown>;

  /** For a model without width and height: its sizes, and the fields to send for each. */
  @IsObject()
  sizes: Record<string, unknown> = {};

  /** The model uses the size of the first image, so no size is sent. */
  @IsBoolean()
  size_follows_image = false;

  /** The durations in seconds, where the model supports only these. */
  @IsArray()
  @IsNumber({}, { each: true })
  durations: number[] = [];

  @IsOptional()
  @ValidateNested()
  @Type(() => LoraFields)
  loras?: LoraFields;

  /** Sent unchanged with every task. */
  @IsObject()
  fixed: JsonObject = {};
}
