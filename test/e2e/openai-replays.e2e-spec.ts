import sharp from 'sharp';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { libreChatRequests } from './replayed-clients/libre-chat';
import { openWebUiRequests } from './replayed-clients/open-webui';
import { replay } from './replayed-clients/replayed-request';

const IMAGE_SIDE_PX = 256;

describe('programs that speak to OpenAI', () => {
  let stack: LocalStack;
  let baseUrl: string;
  let image: Buffer;

  beforeAll(async () => {
    const background = { r: 90, g: 120, b: 60 };
    const create = { width: IMAGE_SIDE_PX, height: IMAGE_SIDE_PX, channels: 3 as const, background };
    image = await sharp({ create }).png().toBuffer();
    stack = await LocalStack.shared();
    baseUrl = new URL('/openai/v1', (await stack.describe()).base_url).href;
  }, 120_000);

  afterAll(() => stack.stop());

  it.each([
    ['Open WebUI', openWebUiRequests, [1, 2, 1, 1, 1, 1]],
    ['LibreChat', libreChatRequests, [1, 1, 1, 1]],
  ] as const)(
    '%s finds in every answer what it reads',
    async (_, requestsOf, imageCounts) => {
      const { apiKey } = await openAccount(stack);
      const read: (Buffer | string)[][] = [];
      for (const request of requestsOf(image)) read.push(await request.read(await replay(baseUrl, apiKey, request)));
      const [names, ...images] = read;
      expect(names).toEqual(expect.arrayContaining(['general-image', 'gpt-image-1', 'dall-e-3']));
      expect(images.map(({ length }) => length)).toEqual(imageCounts);
      for (const bytes of images.flat()) expect((await sharp(bytes).metadata()).format).toBe('png');
    },
    120_000,
  );
});
