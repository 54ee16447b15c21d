import type { Delivery } from '../../api/customer';
import type { Pages } from '../../api/pages';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { PagedTable } from '../../components/table';
import { DELIVERY_COLUMNS } from './delivery-columns';

/** The webhook of a job: where it went, and whether it arrived. */
export const DeliveriesOfJob = ({ pages }: { pages: Pages<Delivery> }) => (
  <Card title="Webhook" isFlush>
    <PagedTable
      caption="Deliveries of this job"
      columns={DELIVERY_COLUMNS}
      pages={pages}
      keyOf={({ id }) => id}
      empty={<Empty title="No delivery">Give a webhook_url with the request to be notified of its end.</Empty>}
    />
  </Card>
);
