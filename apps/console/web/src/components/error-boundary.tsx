import { Component, type ReactNode } from 'react';
import { Button } from './button';
import { Entrance } from './entrance';
import { Failure } from './states';

/** Shows an error of the application itself; React would leave an empty page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Entrance
        title="This page has failed"
        intro="Load it again. If that does not help, the console was probably updated in between, or has a fault."
      >
        <Failure error={this.state.error} />
        <p>
          <Button kind="primary" onClick={() => window.location.reload()}>
            Load again
          </Button>
        </p>
      </Entrance>
    );
  }
}
