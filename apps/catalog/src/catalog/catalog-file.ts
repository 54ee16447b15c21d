import { Type } from 'class-transformer';
import { IsArray, ValidateNested } from 'class-validator';
import { LoraDefinition } from '../lora/lora-definition';
import { ModelDefinition } from '../model/model-definition';

/** The content of a catalog file. The built-in file and the operator's file have the same form. */
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
