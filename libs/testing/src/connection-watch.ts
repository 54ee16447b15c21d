import { Socket } from 'node:net';

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Records each TCP connection that this process begins, as `host:port`: proof that no connection was attempted. */
export class ConnectionWatch {
  readonly attempts: string[] = [];
  private readonly connect: Connect;

  constructor() {
    // The one method with which plain and TLS sockets begin. No event or diagnostics channel covers both.
    const prototype = Socket.prototype as unknown as { connect: Connect };
    const { attempts } = this;
    const original = (this.connect = prototype.connect);
    prototype.connect = function (...args) {
      attempts.push(describeTarget(args[0]));
      return original.apply(this, args);
    };
  }

  close(): void {
    (Socket.prototype as unknown as { connect: Connect }).connect = this.connect;
  }
}

/** `net.connect` passes its arguments on as one list. */
function describeTarget(argument: unknown): string {
  const [target] = [argument].flat() as [{ host?: string; port?: number; path?: string }];
  return target.path ?? `${target.host ?? 'localhost'}:${target.port}`;
}
