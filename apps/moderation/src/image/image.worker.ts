import { type ImageReply, replyOrProblem } from '@kinora/images';
import { serveParent } from '@kinora/service-kit/serve-parent';
import type { ImageView } from '../judging/engine';
import type { ImageWork } from './image-process';
import { decodeAndScore, scoreSexualContent } from './sexual-content.model';

serveParent<ImageWork, ImageReply<ImageView[] | number[]>>((work) =>
  replyOrProblem<ImageView[] | number[]>(() =>
    'samples' in work ? scoreSexualContent(work.samples) : decodeAndScore(work.bytes, work),
  ),
);
