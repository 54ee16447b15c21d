import type { QuoteRequest } from '@kinora/client';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { answered, toAnswer, type ToolContext } from '../answers/tool-answer';

const READS = { readOnlyHint: true };

/** The tools that tell what can be made, at what price, and with what money. None of them has an effect. */
export function registerAccountTools(server: McpServer, { kinora }: ToolContext): void {
  server.registerTool(
    'list_models',
    {
      title: 'List models',
      description: 'The models with their prices, sizes and abilities.',
      inputSchema: { type: z.enum(['image', 'video']).optional() },
      annotations: READS,
    },
    ({ type }) =>
      answered(async () => {
        const { data } = await kinora.models.list();
        const models = data.filter((model) => type === undefined || model.type === type);
        return toAnswer({
          models: models.map(({ id, label, type, description, capabilities, price }) => ({
            ...{ id, label, type, description, capabilities },
            price: price && { usd: price.usd, per: price.per },
          })),
        });
      }),
  );
  server.registerTool(
    'quote',
    {
      title: 'Ask for a price',
      description:
        'What a request would cost, what balance it would leave, and why it would be refused. Costs nothing.',
      inputSchema: {
        operation: z.enum(['images.generations', 'images.edits', 'videos.generations']),
        request: z
          .record(z.string(), z.unknown())
          .describe(
            'The fields of create_image, edit_image or create_video, without images, max_usd and idempotency_key.',
          ),
      },
      annotations: READS,
    },
    ({ operation, request }) =>
      answered(async () => {
        return toAnswer({ ...(await kinora.quotes.create({ operation, request } as QuoteRequest)) });
      }),
  );
  server.registerTool(
    'get_balance',
    {
      title: 'Look at the balance',
      description: 'What the account can still spend, and how many jobs it may have at once.',
      annotations: READS,
    },
    () =>
      answered(async () => {
        const { balance_usd, status, max_concurrent_jobs, rate_limit_rpm } = await kinora.account.get();
        return toAnswer({ balance_usd, status, max_concurrent_jobs, rate_limit_rpm });
      }),
  );
}
