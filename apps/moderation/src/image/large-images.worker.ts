import { type ImageReply, replyOrProblem } from '@kinora/images';
import { serveParent } from '@kinora/service-kit/serve-parent';
import type { ImageView } from '../judging/engine';
import { decodeImage, type LargeImage } from './decode-image';

serveParent<LargeImage, ImageReply<ImageView[]>>(({ bytes, withJpeg }) =>
  replyOrProblem(() => decodeImage({ bytes }, { withJpeg })),
);
