import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    end: RequestEnd;
  }
}

/** The end of a request: its response is complete, or its client has disconnected. */
class RequestEnd {
  private readonly work: (() => void)[] = [];
  private isOver = false;

  /** Runs the callback at the end of the request, or at once if the request has already ended. */
  run(work: () => void): void {
    if (this.isOver) work();
    else this.work.push(work);
  }

  fire(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const work of this.work) work();
  }
}

/**
 * Tracks the end of each request. Must be registered before any hook that calls `onRequestEnd`. All callbacks share one
 * listener per request, because a listener costs about as much as the callback.
 */
export function trackRequestEnds(server: FastifyInstance): void {
  const endsOn = new WeakMap<Socket, Set<RequestEnd>>();
  // A pipelined response that waits behind another one emits no `close` when the client disconnects, so the socket's
  // event is used.
  server.server.on('connection', (socket: Socket) => {
    const ends = new Set<RequestEnd>();
    endsOn.set(socket, ends);
    socket.once('close', () => {
      for (const end of ends) end.fire();
    });
  });
  server.decorateRequest('end');
  server.addHook('onRequest', (request, reply, done) => {
    const end = new RequestEnd();
    request.end = end;
    const open = endsOn.get(request.raw.socket);
    open?.add(end);
    // Fastify's onResponse hook does not run when the client disconnects before the response.
    reply.raw.once('close', () => {
      open?.delete(end);
      end.fire();
    });
    done();
  });
}

/** Runs the callback when the request ends, or at once if it has already ended. */
export function onRequestEnd({ end }: FastifyRequest, work: () => void): void {
  end.run(work);
}
