import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type TaskBody, taskBodySchema } from '../tasks/task-body';
import { InvalidTaskError, toTaskOrder } from '../tasks/task-order';
import { CapacityError, type TaskRegistry } from '../tasks/task-registry';

/** Must be raised whenever the same order gives different pixels. */
const RENDERER_VERSION = '3.0';

/** The limits that a client needs in order not to overload the sandbox. */
interface Capacity {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** The images of different tasks are drawn in turn, so that a task does not wait for the end of those before it. */
  readonly interleaves: boolean;
}

/** The identity and the abilities of this worker; `sandbox` means that no model and no GPU is involved. */
const CAPABILITIES = {
  name: 'sandbox',
  sandbox: true,
  version: RENDERER_VERSION,
  operations: ['image.generation', 'image.edit', 'video.generation'],
  formats: ['image/png', 'video/mp4'],
  directives: true,
} as const;

/**
 * Three RGBA images of 2048×2048 that compression did not make smaller, in base64, and space for the rest of the body.
 */
const BODY_LIMIT_BYTES = 72 * 1024 * 1024;
const MAX_IDS = 200;
const TASK_ID = /^[A-Za-z0-9_-]{1,64}$/;

interface TaskRoute {
  Params: { id: string };
}

/** The sandbox's protocol: apps/sandbox/README.md documents it. */
export function createSandboxServer(
  registry: TaskRegistry,
  isHealthy: () => boolean,
  capacity: Capacity,
): FastifyInstance {
  const server = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    // Long ids pass the router, so that such an id is refused as malformed and not as an unknown address.
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: true,
    // The schema is a constant: to validate it as well would compile that of JSON Schema, a sixth of the start.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, validateSchema: false } },
  });
  server.setErrorHandler(answerError);
  server.setNotFoundHandler((_request, reply) =>
    answerNotFound(reply, 'No endpoint exists at this address; apps/sandbox/README.md lists them.'),
  );
  server.get('/healthz', (_request, reply) => (isHealthy() ? { ok: true } : answerUnhealthy(reply)));
  server.get('/v1/capabilities', () => ({ ...CAPABILITIES, ...capacity }));
  server.get('/v1/tasks', (request: FastifyRequest<{ Querystring: { ids?: string | string[] } }>) =>
    listTasks(registry, request.query.ids),
  );
  server.put<TaskRoute & { Body: TaskBody }>(
    '/v1/tasks/:id',
    { schema: { body: taskBodySchema } },
    (request, reply) => {
      if (!TASK_ID.test(request.params.id))
        throw new InvalidTaskError('A task id has 1 to 64 letters, digits, _ or -.');
      return reply.code(202).send(registry.submit(request.params.id, toTaskOrder(request.body)));
    },
  );
  server.get<TaskRoute>('/v1/tasks/:id', (request, reply) => registry.find(request.params.id) ?? answerNotFound(reply));
  server.delete<TaskRoute>(
    '/v1/tasks/:id',
    (request, reply) => registry.cancel(request.params.id) ?? answerNotFound(reply),
  );
  server.get<TaskRoute & { Params: { index: string } }>('/v1/tasks/:id/outputs/:index', (request, reply) => {
    const output = registry.output(request.params.id, Number(request.params.index));
    if (!output) return answerNotFound(reply);
    const { bytes, mime } = output;
    return reply.type(mime).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
  return server;
}

/** Many tasks with one request, so that polling thousands of them is cheap on both sides. */
function listTasks(registry: TaskRegistry, query: string | string[] | undefined): object {
  const ids = [query ?? []].flat().join(',').split(',').filter(Boolean);
  if (ids.length > MAX_IDS) throw new InvalidTaskError(`At most ${MAX_IDS} ids in one request.`);
  const found = ids.map((id) => registry.find(id));
  return {
    tasks: found.filter((task) => task !== undefined),
    not_found: ids.filter((_id, i) => found[i] === undefined),
  };
}

function answerError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof CapacityError)
    return reply
      .code(503)
      .header('retry-after', '1')
      .send({ error: { code: 'capacity', message: error.message } });
  const status = error instanceof InvalidTaskError ? 400 : (error.statusCode ?? 500);
  if (status >= 500) return reply.code(500).send({ error: { code: 'error', message: 'The sandbox failed.' } });
  return reply.code(status === 413 ? 413 : 400).send({ error: { code: 'invalid_task', message: error.message } });
}

function answerUnhealthy(reply: FastifyReply): FastifyReply {
  return reply.code(503).send({ error: { code: 'error', message: 'The drawing threads die before they answer.' } });
}

function answerNotFound(
  reply: FastifyReply,
  message = 'This task is not known here: it never existed, or was dropped after its end.',
): FastifyReply {
  return reply.code(404).send({ error: { code: 'not_found', message } });
}
