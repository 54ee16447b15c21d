import type { Receipt } from '../../api/customer';
import { Card } from '../../components/page';
import { Copy, Facts, Id, Money } from '../../components/values';
import { formatQuantity } from '../../formatting/quantity';

/** The signed statement about an ended job: what it cost, and why. */
export function ReceiptCard({ receipt }: { receipt: Receipt }) {
  const { price, settlement, hold, request_sha256, attempts } = receipt.payload;
  return (
    <Card
      title="Receipt"
      intro="Signed with Ed25519. The API publishes the keys at /.well-known/jwks.json."
      actions={<Copy text={receipt.jws} label="the signed receipt" />}
    >
      <Facts
        facts={[
          ['Price', <Money key="price" micros={price.micros} />],
          [
            'Made of',
            price.unit_micros === null || price.quantity === null || price.per === null ? (
              '–'
            ) : (
              <>
                {formatQuantity(price.quantity, price.per)} at <Money micros={price.unit_micros} />
              </>
            ),
          ],
          ['Reserved by', <Id key="hold" id={hold.ledger_entry_id} label="ledger entry" />],
          [`Settled by ${settlement.kind}`, <Id key="end" id={settlement.ledger_entry_id} label="ledger entry" />],
          ['Attempts', attempts],
          [
            'Request',
            request_sha256 === null ? '–' : <Id key="hash" id={request_sha256} label="SHA-256 of the request" />,
          ],
        ]}
      />
    </Card>
  );
}
