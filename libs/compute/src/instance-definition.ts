import { Allow, IsInt, IsObject, IsString, IsUrl, Matches, Max, Min, MinLength } from 'class-validator';
import { OptionalSetting } from '@kinora/contracts/shared/field-rules';
import { AreHeaders } from '@kinora/service-kit';

/** The settings that every entry of providers.yaml has; the settings of the type are beside them. */
export class InstanceDefinition {
  @Matches(/^[a-z0-9][a-z0-9._-]{0,63}$/)
  id!: string;

  @IsString()
  type!: string;

  /** Secrets belong in `headers`, which are never logged or sent to other hosts. */
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'], disallow_auth: true })
  url!: string;

  @IsObject()
  @AreHeaders()
  headers: Record<string, string> = {};

  @IsInt()
  @Min(1)
  @Max(100_000)
  concurrency = 1;

  /** The folder, as this process sees it, from which the instance loads LoRAs; jobs stores LoRAs by URL there. */
  @OptionalSetting()
  @IsString()
  @MinLength(1)
  shared_lora_dir?: string;
}

/** The top level of providers.yaml; each entry is also validated by the class of its type. */
export class ProvidersFile {
  @Allow()
  providers: unknown = [];
}
