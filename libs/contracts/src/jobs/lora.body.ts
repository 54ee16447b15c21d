import { IsNumberIn, IsText, Optional } from '../shared/field-rules';

/** Interface, "LoRA item", as image models take it. That exactly one of id and url is there is the gateway's question. */
export class LoraBody {
  @Optional()
  @IsText({ min: 1, max: 128 })
  id?: string;

  @Optional()
  @IsText({ min: 1, max: 2048 })
  url?: string;

  @Optional()
  @IsNumberIn({ min: 0.1, max: 1.5 })
  strength?: number;
}

/** Interface, "LoRA item", as video models take it: a pair of files, of which the second may be left out. */
export class VideoLoraBody extends LoraBody {
  @Optional()
  @IsText({ min: 1, max: 2048 })
  low_url?: string;
}
