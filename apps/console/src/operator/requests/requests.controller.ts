import { Controller } from '@nestjs/common';
import { OnSignal } from '@kinora/bus';
import { type EndedRequest, requestLogSignals } from '@kinora/contracts/console/request-log.events';
import { StoreRequests } from './store-requests';

/**
 * Subscribes to the ended requests of gateways, which are of all accounts. The customers' half reads the stored log instead: its
 * broker user may see nothing of other accounts.
 */
@Controller()
export class RequestsController {
  constructor(private readonly storeRequests: StoreRequests) {}

  @OnSignal(requestLogSignals.ended)
  store({ requests }: { requests: EndedRequest[] }): Promise<void> {
    this.storeRequests.add(requests);
    return Promise.resolve();
  }
}
