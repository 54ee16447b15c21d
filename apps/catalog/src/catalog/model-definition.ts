import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import type { ModelCapabilities } from '@kinora/contracts/catalog/model';
import { OptionalSetting } from '@kinora/contracts/shared/field-rules';
import type { Micros } from '@kinora/contracts/shared/money';

/** Width, the letter x, height; 3 or 4 digits each (API: ImageGenerationBody.size). */
export const SIZE = /^\d{3,4}x\d{3,4}$/;
/** Ids of models, and names of price groups. */
export const MODEL_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** A million dollars for one unit, so that a price times any number of units stays a safe integer. */
export const MAX_MICROS = 1_000_000_000_000;

/**
 * The capabilities of a model in a catalog file. Clients always get all booleans, also those that the file leaves out.
 */
class CapabilitiesDefinition implements ModelCapabilities {
  @IsBoolean()
  t2i = false;

  @IsBoolean()
  edit = false;

  @IsBoolean()
  img2img = false;

  @IsBoolean()
  inpaint = false;

  @IsBoolean()
  i2v = false;

  @OptionalSetting()
  @ArrayNotEmpty()
  @ArrayUnique()
  @Matches(SIZE, { each: true })
  sizes?: string[];

  @OptionalSetting()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn([5, 8], { each: true })
  durations?: number[];

  @OptionalSetting()
  @IsNumber()
  @Min(1)
  @Max(120)
  fps?: number;

  @OptionalSetting()
  @IsInt()
  @Min(1)
  @Max(4)
  max_n?: number;

  @OptionalSetting()
  @IsInt()
  @Min(0)
  @Max(3)
  max_refs?: number;

  @OptionalSetting()
  @IsIn(['url', 'catalog'])
  loras?: 'url' | 'catalog';

  @OptionalSetting()
  @IsBoolean()
  sandbox?: boolean;
}

class PriceDefinition {
  /** Price of one unit: an image, or a second of video. */
  @IsInt()
  @Min(0)
  @Max(MAX_MICROS)
  micros!: Micros;

  @IsIn(['image', 'second'])
  per!: 'image' | 'second';

  /** Prices of sizes that differ from `micros`. */
  @IsObject()
  micros_by_size: Record<string, Micros> = {};

  @OptionalSetting()
  @IsString()
  note?: string;
}

export class BoundsDefinition {
  @IsNumber()
  min!: number;

  @IsNumber()
  max!: number;
}

class DefaultedBoundsDefinition extends BoundsDefinition {
  @IsNumber()
  default!: number;
}

/**
 * The bounds to which the frames of a model's videos are scaled. The minimum leaves a side of at least 64 pixels for any
 * start frame.
 */
class FrameBoundsDefinition {
  /** 512x512 to 4096x4096. */
  @IsInt()
  @Min(262_144)
  @Max(16_777_216)
  max_pixels!: number;

  /** H.264 requires even sides; most video models require a larger multiple. */
  @IsIn([2, 4, 8, 16, 32, 64])
  side_multiple!: number;
}

class RouteDefinition {
  @IsString()
  @Length(1, 64)
  provider!: string;

  @OptionalSetting()
  @IsString()
  @Length(1, 256)
  template?: string;

  @IsInt()
  @Min(1)
  @Max(1_000_000)
  weight = 1;

  @IsInt()
  @Min(0)
  @Max(100)
  order = 0;

  /** How long the instance needs to load the model, until Kinora has measured it. */
  @OptionalSetting()
  @IsInt()
  @Min(0)
  @Max(3_600_000)
  load_ms?: number;

  /** What one unit of the price costs at the provider: for the margin on the operator's pages, and without an effect on routing. */
  @OptionalSetting()
  @IsInt()
  @Min(0)
  @Max(MAX_MICROS)
  cost_micros?: Micros;

  /** Whether jobs has the operator's marker (`KINORA_MARKER_URL`) write a watermark into the images. */
  @OptionalSetting()
  @IsIn(['none', 'http'])
  marker?: 'none' | 'http';

  /** The watermark that the backend itself leaves in the pixels: for the operator's pages, and without an effect. */
  @OptionalSetting()
  @Matches(/^[a-z0-9][a-z0-9._-]{0,31}$/)
  upstream_mark?: string;
}

/** A model as a catalog file defines it. */
export class ModelDefinition {
  @Matches(MODEL_ID)
  id!: string;

  /** Other names by which OpenAI-compatible clients may call the model. With `*` at its end, every name that begins so. */
  @ArrayMaxSize(32)
  @ArrayUnique()
  @Matches(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}\*?$/, { each: true })
  aliases: string[] = [];

  @IsIn(['image', 'video'])
  type!: 'image' | 'video';

  @IsString()
  @Length(1, 100)
  label!: string;

  @IsOptional()
  @IsString()
  description: string | null = null;

  @IsOptional()
  @IsString()
  license: string | null = null;

  @IsObject()
  @ValidateNested()
  @Type(() => CapabilitiesDefinition)
  capabilities!: CapabilitiesDefinition;

  @IsObject()
  @ValidateNested()
  @Type(() => PriceDefinition)
  price!: PriceDefinition;

  @OptionalSetting()
  @ValidateNested()
  @Type(() => DefaultedBoundsDefinition)
  steps?: DefaultedBoundsDefinition;

  @OptionalSetting()
  @ValidateNested()
  @Type(() => DefaultedBoundsDefinition)
  guidance?: DefaultedBoundsDefinition;

  @OptionalSetting()
  @ValidateNested()
  @Type(() => BoundsDefinition)
  output_side?: BoundsDefinition;

  @OptionalSetting()
  @ValidateNested()
  @Type(() => FrameBoundsDefinition)
  output_frame?: FrameBoundsDefinition;

  @ArrayNotEmpty()
  @ArrayUnique((route: RouteDefinition | null) => route?.provider)
  @ValidateNested({ each: true })
  @Type(() => RouteDefinition)
  routes!: RouteDefinition[];

  /**
   * How long a create waits for the end of the job before it answers 202; at most half of the gateway's timeout for a
   * create.
   */
  @IsInt()
  @Min(0)
  @Max(10_000)
  sync_wait_ms = 0;

  @IsInt()
  @Min(1_000)
  queue_timeout_ms = 600_000;

  @IsInt()
  @Min(1_000)
  run_timeout_ms = 300_000;

  @IsInt()
  @Min(1)
  max_backlog = 20_000;
}

const CAPABILITY_BY_OPERATION = {
  'image.generation': 't2i',
  'image.edit': 'edit',
  'video.generation': 'i2v',
} as const satisfies Record<Operation, string>;

export const OPERATIONS = Object.keys(CAPABILITY_BY_OPERATION) as Operation[];

export function supports({ capabilities }: ModelDefinition, operation: Operation): boolean {
  return capabilities[CAPABILITY_BY_OPERATION[operation]];
}

export function operationsOf(model: ModelDefinition): Operation[] {
  return OPERATIONS.filter((operation) => supports(model, operation));
}
