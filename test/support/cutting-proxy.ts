import type { IncomingMessage, ServerResponse } from 'node:http';
import { ForwardingProxy } from './forwarding-proxy';

/**
 * Whether the proxy drops both connections of this request after it has passed it on, or only that of the client, so that the
 * server never learns of the hang-up. `answer`: drops the client after the server has sent its whole answer.
 */
type Cuts = (headers: IncomingMessage['headers']) => boolean | 'client' | 'answer';

/**
 * An HTTP proxy in front of one server that drops connections of a request after its last byte was sent, as a broken network does.
 * The client gets no answer.
 */
export class CuttingProxy extends ForwardingProxy {
  /** How many requests were dropped. */
  cutCount = 0;
  /** Decides for each request; none is dropped at first. */
  cuts: Cuts = () => false;

  static start(targetUrl: string): Promise<CuttingProxy> {
    return new CuttingProxy(new URL(targetUrl)).listen();
  }

  protected override pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const cut = this.cuts(incoming.headers);
    const passed = this.forward(incoming, outgoing, (answer) => {
      if (outgoing.destroyed) return void answer.resume();
      if (cut === 'answer') return this.loseAnswer(answer, outgoing);
      this.answer(answer, outgoing);
    });
    if (cut !== 'client') outgoing.on('close', () => passed.destroy());
    // Emitted when the last byte has been handed to the operating system.
    passed.on('finish', () => {
      if (cut === false || cut === 'answer') return;
      this.cutCount += 1;
      // The kernel sends what was written before the end of the connection.
      if (cut !== 'client') passed.socket?.end();
      outgoing.destroy();
    });
  }

  private loseAnswer(answer: IncomingMessage, outgoing: ServerResponse): void {
    this.cutCount += 1;
    answer.resume().on('close', () => outgoing.destroy());
  }
}
