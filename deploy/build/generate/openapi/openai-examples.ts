import type { OpenAiImageRequest, OpenAiVideoRequest } from '../../../../apps/gateway/src/openai/openai-bodies';
import type { OpenAiImages } from '../../../../apps/gateway/src/openai/images-answer';
import type { OpenAiModel } from '../../../../apps/gateway/src/openai/openai-models';
import type {
  DeletedOpenAiVideo,
  OpenAiVideo,
  OpenAiVideoList,
} from '../../../../apps/gateway/src/openai/videos/openai-video';
import { ID } from './receipt-examples';

const IMAGE_REQUEST: OpenAiImageRequest & { prompt: string } = {
  model: 'gpt-image-2',
  prompt: 'a lighthouse at dusk',
  size: '1536x1024',
};

const IMAGES: OpenAiImages = {
  created: 1_795_165_204,
  size: '1216x832',
  output_format: 'png',
  data: [{ b64_json: 'iVBORw0KGgo=' }],
};

function streamOf(type: string): string {
  const event = { type, created_at: IMAGES.created, size: IMAGES.size, ...IMAGES.data[0] };
  return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const VIDEO_REQUEST: OpenAiVideoRequest & { prompt: string } = {
  model: 'sora-2',
  prompt: 'the camera moves to the left',
  input_reference: { image_url: 'https://example.com/lighthouse.png' },
  seconds: '8',
};

const QUEUED: OpenAiVideo = {
  id: ID,
  object: 'video',
  model: 'image-to-video',
  status: 'queued',
  progress: 0,
  created_at: 1_795_165_200,
  completed_at: null,
  expires_at: null,
  size: '832x464',
  seconds: '8',
  prompt: VIDEO_REQUEST.prompt,
  remixed_from_video_id: null,
  error: null,
};

const DONE: OpenAiVideo = {
  ...QUEUED,
  status: 'completed',
  progress: 100,
  completed_at: 1_795_165_231,
  expires_at: 1_795_770_031,
};

const MODEL: OpenAiModel = { id: 'gpt-image-2', object: 'model', created: 0, owned_by: 'kinora' };

const PAGE: OpenAiVideoList = { object: 'list', data: [DONE], first_id: ID, last_id: ID, has_more: false };
const DELETED: DeletedOpenAiVideo = { id: ID, object: 'video.deleted', deleted: true };

/** By operation: the request, and the answers by status; `stream` is the text of an event stream. */
export const OPENAI_EXAMPLES: Record<string, Record<string, unknown>> = {
  createImage: { request: IMAGE_REQUEST, 200: IMAGES, stream: streamOf('image_generation.completed') },
  editImage: { 200: IMAGES, stream: streamOf('image_edit.completed') },
  createVideo: { request: VIDEO_REQUEST, 200: QUEUED },
  listVideos: { 200: PAGE },
  retrieveVideo: { 200: DONE },
  deleteVideo: { 200: DELETED },
  listModels: { 200: { object: 'list', data: [MODEL] } },
  retrieveModel: { 200: MODEL },
};
