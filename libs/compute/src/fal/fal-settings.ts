import { IsInt, IsUrl, Max, Min } from 'class-validator';

export class FalSettings {
  /** Where fal publishes the keys that sign its callbacks. */
  @IsUrl({ protocols: ['https'], require_protocol: true, require_tld: false })
  jwks_url = 'https://rest.fal.ai/.well-known/jwks.json';

  /** fal deletes outputs after this time. It must be long enough to fetch them. */
  @IsInt()
  @Min(600)
  @Max(604_800)
  object_ttl_seconds = 3_600;
}
