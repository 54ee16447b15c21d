import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isDataUri } from '@kinora/images';
import type { ImageSides, ImageSource, Job, Kinora, Quote, QuoteRequest } from '@kinora/client';
import { toJobAnswer } from '../answers/job-answer';
import { answered, type ToolContext, ToolRefusal } from '../answers/tool-answer';
import { imageArgument, readSides, toImageSource } from './image-argument';

const maxUsd = z
  .number()
  .positive()
  .describe(
    'The most that this call may cost, in US dollars. A dearer request is refused and costs nothing; see `quote`.',
  );

/**
 * The id of a quote that holds the price of a request.
 * @throws ToolRefusal where the request costs more than `limitUsd`, or would be refused
 */
async function quoteWithin(kinora: Kinora, request: QuoteRequest, limitUsd: number): Promise<string> {
  const quote = await kinora.quotes.create(request);
  if (quote.id === null || quote.price === null || !quote.would_be_accepted) throw new ToolRefusal(refusalOf(quote));
  if (quote.price.usd > limitUsd)
    throw new ToolRefusal(
      `This costs ${quote.price.usd} USD, and max_usd is ${limitUsd}. Nothing was created. Ask the user for a higher max_usd, or ask for less (fewer images, a smaller size, a shorter video, another model).`,
    );
  return quote.id;
}

function refusalOf({ refusals }: Quote): string {
  const reasons = refusals.map(
    ({ code, param, message }) => `${code}${param === null ? '' : ` (${param})`}: ${message}`,
  );
  return `The request would be refused. Nothing was created. ${reasons.join(' ') || 'Its price depends on the size: name one, or give the image itself instead of its address.'}`;
}

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe('Repeats an earlier call whose answer was lost, without paying twice: the key that its error named.');
const model = z.string().optional().describe('An id from list_models; the default model without one.');
const negative = z.string().max(1000).optional().describe('What the result should not show.');
const seed = z.number().int().min(0).max(2_147_483_647).optional().describe('Repeats an earlier result.');
const outputFormat = z.enum(['png', 'jpeg', 'webp']).optional();
const size = z.string().optional().describe('WIDTHxHEIGHT, one of the sizes of the model.');
const prompt = z.string().min(1).max(2000);

const STARTS_WORK = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

/** The tools that cost money. Each answers with the id of the job at once; `wait_for_job` waits for the result. */
export function registerCreationTools(server: McpServer, context: ToolContext): void {
  registerCreateImage(server, context);
  registerEditImage(server, context);
  registerCreateVideo(server, context);
}

function registerCreateImage(server: McpServer, context: ToolContext): void {
  server.registerTool(
    'create_image',
    {
      title: 'Create images',
      description:
        'Starts making one to four images of a text and answers with the job id at once. Then call wait_for_job. A job that fails costs nothing.',
      inputSchema: {
        prompt,
        model,
        size,
        aspect_ratio: z.enum(['1:1', '4:5', '2:3', '5:4', '3:2', '16:9', '9:16']).optional(),
        n: z.number().int().min(1).max(4).optional().describe('Number of images; 1 without it.'),
        negative_prompt: negative,
        seed,
        output_format: outputFormat,
        max_usd: maxUsd,
        idempotency_key: idempotencyKey,
      },
      annotations: STARTS_WORK,
    },
    ({ max_usd, idempotency_key, ...request }) =>
      toCreated(context, async ({ kinora }) => {
        const body = given(request);
        const quote = await quoteWithin(kinora, { operation: 'images.generations', request: body }, max_usd);
        return await kinora.images.create(body, { quote, ...keyOf(idempotency_key) });
      }),
  );
}

function registerEditImage(server: McpServer, context: ToolContext): void {
  server.registerTool(
    'edit_image',
    {
      title: 'Edit an image',
      description:
        'Starts making an image from one to three images as a text instructs, and answers with the job id at once. Then call wait_for_job.',
      inputSchema: {
        prompt,
        images: z.array(imageArgument).min(1).max(3),
        model,
        size,
        negative_prompt: negative,
        seed,
        output_format: outputFormat,
        max_usd: maxUsd,
        idempotency_key: idempotencyKey,
      },
      annotations: STARTS_WORK,
    },
    ({ max_usd, idempotency_key, images, ...request }) =>
      toCreated(context, async ({ kinora }) => {
        const sources = await Promise.all(images.map((image) => toImageSource(context, image)));
        const quoted = { ...given(request), ...(await sidesOf(kinora, sources[0])) };
        const quote = await quoteWithin(kinora, { operation: 'images.edits', request: quoted }, max_usd);
        return await kinora.images.createEdit(
          { ...given(request), images: sources },
          { quote, ...keyOf(idempotency_key) },
        );
      }),
  );
}

function registerCreateVideo(server: McpServer, context: ToolContext): void {
  server.registerTool(
    'create_video',
    {
      title: 'Create a video',
      description:
        'Starts making a video that begins with an image, and answers with the job id at once. Then call wait_for_job, which takes minutes on real models.',
      inputSchema: {
        image: imageArgument,
        prompt: z.string().max(1500).optional().describe('What happens in the video.'),
        model,
        duration: z
          .union([z.literal(5), z.literal(8)])
          .optional()
          .describe('Seconds; 5 without it.'),
        negative_prompt: negative,
        seed,
        max_usd: maxUsd,
        idempotency_key: idempotencyKey,
      },
      annotations: STARTS_WORK,
    },
    ({ max_usd, idempotency_key, image, ...request }) =>
      toCreated(context, async ({ kinora }) => {
        const source = await toImageSource(context, image);
        const quoted = { ...given(request), ...(await sidesOf(kinora, source)) };
        const quote = await quoteWithin(kinora, { operation: 'videos.generations', request: quoted }, max_usd);
        return await kinora.videos.create({ ...given(request), image: source }, { quote, ...keyOf(idempotency_key) });
      }),
  );
}

function toCreated(context: ToolContext, create: (context: ToolContext) => Promise<Job>): Promise<CallToolResult> {
  return answered(async () => toJobAnswer(context.kinora, await create(context)));
}

/** The sides of an image in its place, as a quote takes them. The bytes of a stranger are not read: the API accepts the key first. */
async function sidesOf(kinora: Kinora, source: ImageSource | undefined): Promise<{ image?: ImageSides }> {
  if (typeof source === 'string' && isDataUri(source)) await kinora.account.get();
  const sides = source === undefined ? null : await readSides(source);
  return sides === null ? {} : { image: sides };
}

type Given<Arguments> = { [Name in keyof Arguments]: Exclude<Arguments[Name], undefined> };

/** Without the arguments that the agent left out. */
function given<Arguments extends object>(request: Arguments): Given<Arguments> {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as Given<Arguments>;
}

function keyOf(idempotencyKey: string | undefined): { idempotencyKey?: string } {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}
