import { Type } from 'class-transformer';
import { ArrayUnique, ValidateNested } from 'class-validator';
import { LoraDefinition } from '../lora/lora-definition';
import { ModelDefinition } from '../model/model-definition';

/** The content of a catalog file: the built-in one and the operator's have the same form. */
export class CatalogFile {
  @ArrayUnique((model: ModelDefinition | null) => model?.id)
  @ValidateNested({ each: true })
  @Type(() => ModelDefinition)
  models: ModelDefinition[] = [];

  @ArrayUnique((lora: LoraDefinition | null) => lora?.id)
  @ValidateNested({ each: true })
  @Type(() => LoraDefinition)
  loras: LoraDefinition[] = [];
}
