import { IsInt, IsUrl, Max, Min } from 'class-validator';

export class FalSettings {
  /** Where fal publishes the keys that sign its callbacks. */
  @IsUrl({ protocols: ['https'], require_protocol: true, require_tld: false })
  jwks_url = 'https://rest.fal.ai/.well-known/jwks.json';

  /** fal deletes what it has made after so long. It must be time enough to fetch it. */
  @IsInt()
  @Min(600)
  @Max(604_800)
  object_ttl_seconds = 3_600;
}
