import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { ScreenedImage, ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';

/** Everything of a request that moderation must see: each prompt, each negative prompt, each input image. */
export function screenedContent(request: CreateJobRequest): { texts: ScreenedText[]; images: ScreenedImage[] } {
  const { prompt, negative_prompt: negativePrompt } = request.input;
  const texts: ScreenedText[] = [{ param: 'prompt', text: prompt }];
  if (negativePrompt !== undefined) texts.push({ param: 'negative_prompt', text: negativePrompt });
  const images = request.kind === 'image.edit' ? request.images : [];
  return { texts, images: images.map(({ object_key, param }) => ({ object_key, param })) };
}
