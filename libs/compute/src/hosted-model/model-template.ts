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
import type { JsonObject } from '../json';

const OPERATIONS: ProviderTask['operation'][] = ['image.generation', 'image.edit', 'video.generation'];

/** One LoRA of a model that has a field for each: which of its fields take what. */
export class LoraSlot {
  @IsString()
  url!: string;

  @IsString()
  strength!: string;

  /** Of the expert for low noise, where the model has two; then `url` and `strength` are those of the expert for high noise. */
  @IsOptional()
  @IsString()
  low_url?: string;

  @IsOptional()
  @IsString()
  low_strength?: string;
}

/** LoRAs of a model that takes a list: in which field the list stands, and how its entries name things. */
export class LoraList {
  @IsString()
  field!: string;

  @IsString()
  url!: string;

  @IsString()
  strength!: string;

  /** Says `high`, `low` or `both`, where the model has two experts. */
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

/** What an operator writes down of a hosted model: where its input takes each part of a task. */
export class ModelTemplate {
  /** As the backend names it; which form that has, the adapter says. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  model?: string;

  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(OPERATIONS, { each: true })
  operations!: ProviderTask['operation'][];

  /** By parts of a task, fields of the input, with dots for objects within; `none` where that may be said. */
  @IsObject()
  fields!: Record<string, unknown>;

  /** The sizes that the model makes where it takes no width and height, and what to send for each. */
  @IsObject()
  sizes: Record<string, unknown> = {};

  /** The model gives its images the size of the first image, so that nothing is sent. */
  @IsBoolean()
  size_follows_image = false;

  /** The seconds that the model makes, where it cannot make others. */
  @IsArray()
  @IsNumber({}, { each: true })
  durations: number[] = [];

  @IsOptional()
  @ValidateNested()
  @Type(() => LoraFields)
  loras?: LoraFields;

  /** Sent with every task as it stands here. */
  @IsObject()
  fixed: JsonObject = {};
}
