import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';

/** A bare Fastify, in a process of its own. */
async function serve(): Promise<FastifyInstance> {
  const app = fastify();
  app.post('/', (request) => Promise.resolve({ received: Object.keys(request.body as object).length }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

void serve().then((app) => process.send?.({ port: (app.server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
