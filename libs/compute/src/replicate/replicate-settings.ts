import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

export class ReplicateSettings {
  /** The secret of the account's webhooks; without it, the callback address alone authenticates a callback. */
  @IsOptional()
  @Matches(/^whsec_[A-Za-z0-9+/]+={0,2}$/, { message: 'must be whsec_ and base64' })
  webhook_secret?: string;

  /** Replicate stops predictions that take longer, even if no process is left to cancel them. Its own limit is 30 minutes. */
  @IsInt()
  @Min(5)
  @Max(1_800)
  cancel_after_seconds = 1_800;
}
