import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    end: RequestEnd;
  }
}

/** The end of a request: its answer is over, or its client has left. */
class RequestEnd {
  private readonly work: (() => void)[] = [];
  private isOver = false;

  /** Runs the work then; at once, where the end has come already. */
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
 * Tells of the end of each request; to be put into the server before any hook that asks for it. One listener stands for all
 * who ask, since each costs a request as much as what it is there for.
 */
export function trackRequestEnds(server: FastifyInstance): void {
  const endsOn = new WeakMap<Socket, Set<RequestEnd>>();
  // A response that waits behind another's is not told that its client has left: the connection tells it.
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
    // Fastify's own hook is not told of a client that leaves before its answer.
    reply.raw.once('close', () => {
      open?.delete(end);
      end.fire();
    });
    done();
  });
}

/** Runs the work when the request is over; at once, where it is already. */
export function onRequestEnd({ end }: FastifyRequest, work: () => void): void {
  end.run(work);
}
