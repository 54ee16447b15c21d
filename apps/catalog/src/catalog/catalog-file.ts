import { Type } from 'class-transformer';
import { IsArray, ValidateNested } from 'class-validator';
import { LoraDefinition } from '../lora/lora-definition';
import { ModelDefinition } from '../model/model-definition';

/** The content of a catalog file: the built-in one and the operator's have the same form. */
export class CatalogFile {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ModelDefinition)
  models: ModelDefinition[] = [];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LoraDefinition)
  loras: LoraDefinition[] = [];
}
