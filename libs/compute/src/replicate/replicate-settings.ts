import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

export class ReplicateSettings {
  /** Of the account's webhooks; without it a callback is believed for its address alone. */
  @IsOptional()
  @Matches(/^whsec_[A-Za-z0-9+/]+={0,2}$/, { message: 'must be whsec_ and base64' })
  webhook_secret?: string;

  /** Replicate stops what takes longer, also if nobody is left to cancel it. Its own limit is 30 minutes. */
  @IsInt()
  @Min(5)
  @Max(1_800)
  cancel_after_seconds = 1_800;
}
