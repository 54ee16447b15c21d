import { Allow, IsInt, IsObject, IsString, IsUrl, Matches, Max, Min, MinLength } from 'class-validator';
import { Optional } from '@kinora/contracts/shared/field-rules';
import { AreHeaders } from '@kinora/service-kit';

/** What an entry of providers.yaml says whatever its type; the type's own settings stand beside it. */
export class InstanceDefinition {
  @Matches(/^[a-z0-9][a-z0-9._-]{0,63}$/)
  id!: string;

  @IsString()
  type!: string;

  /** Secrets belong into the headers, where they are kept from logs and from other hosts. */
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'], disallow_auth: true })
  url!: string;

  @IsObject()
  @AreHeaders()
  headers: Record<string, string> = {};

  @IsInt()
  @Min(1)
  @Max(100_000)
  concurrency = 1;

  /** The folder, as this process sees it, from which the instance loads LoRAs: those named by URL are put there. */
  @Optional()
  @IsString()
  @MinLength(1)
  shared_lora_dir?: string;
}

/** The top of providers.yaml: the entries are checked one by one, each by the class of its type as well. */
export class ProvidersFile {
  @Allow()
  providers: unknown = [];
}
