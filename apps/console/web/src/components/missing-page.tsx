import { Empty } from './states';
import { Card, Page } from './page';

export function MissingPage() {
  return (
    <Page title="Not found">
      <Card>
        <Empty title="There is no page at this address">Choose one from the menu.</Empty>
      </Card>
    </Page>
  );
}
