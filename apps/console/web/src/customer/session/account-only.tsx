import type { ComponentType } from 'react';
import { useCan } from '../../api/customer';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import type { PageProps } from '../../routes';

/** What a session lacks, in place of the refusals that its requests would get. */
export const NeedsAccount = () => (
  <Empty title="This needs a key with the scope account">Sign in with such a key to see and change it.</Empty>
);

/** A page of which a session with a lesser key shows only the heading. */
export function accountOnly(title: string, Content: ComponentType<PageProps>): ComponentType<PageProps> {
  return function AccountOnly(props) {
    if (useCan('account')) return <Content {...props} />;
    return (
      <Page title={title}>
        <Card>
          <NeedsAccount />
        </Card>
      </Page>
    );
  };
}
