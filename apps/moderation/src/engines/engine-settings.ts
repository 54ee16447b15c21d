import {
  Allow,
  IsArray,
  ArrayMinSize,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { AreHeaders } from '@kinora/service-kit';

const URL_RULES = { require_tld: false, require_protocol: true, protocols: ['http', 'https'], disallow_auth: true };
/** Visible characters only: no other character is allowed in a header. */
const KEY = /^[\x21-\x7e]{1,1024}$/;
const KEY_RULE = { message: 'must be a key of visible characters; ${NAME} takes it from the environment' };

/** Settings that every entry of `engines:` has. */
class CommonSettings {
  @IsString()
  type!: string;

  /** The name of the engine in decisions and logs. */
  @Matches(/^[a-z0-9][a-z0-9._-]{0,63}$/)
  id!: string;

  /** Shorter than the gate's own timeout, so that the log names the engine's fault instead of the timeout. */
  @IsInt()
  @Min(100)
  @Max(4_500)
  timeout_ms = 4_000;

  @IsInt()
  @Min(1)
  @Max(256)
  concurrency = 16;

  /** Validated by the rules of the engine's type. */
  @Allow()
  thresholds: unknown;
}

export class OpenAiSettings extends CommonSettings {
  @IsUrl(URL_RULES)
  url = 'https://api.openai.com/v1';

  @Matches(KEY, KEY_RULE)
  api_key!: string;

  @Matches(/^[\w.:/-]{1,100}$/)
  model = 'omni-moderation-latest';
}

export class AzureSettings extends CommonSettings {
  /** The URL of the resource, without a path. */
  @IsUrl(URL_RULES)
  url!: string;

  @Matches(KEY, KEY_RULE)
  api_key!: string;
}

export class HttpSettings extends CommonSettings {
  /** The full URL of the endpoint. */
  @IsUrl(URL_RULES)
  url!: string;

  @IsObject()
  @AreHeaders()
  headers: Record<string, string> = {};

  @IsArray()
  @ArrayMinSize(1)
  @IsIn(['text', 'image'], { each: true })
  judges: ('text' | 'image')[] = ['text', 'image'];
}
