import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Component, type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client';
import { Button } from './components/button';
import { Entrance } from './components/entrance';
import { Failure } from './components/states';
import { applyTheme } from './theme/theme';
import './theme/theme.css';

/** Shows an error of the application itself; React would leave an empty page. */
class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
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

const RETRIES = 2;

/** Only a lost connection or an overload is worth another try. */
const isTemporary = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status === 503);

export function startApplication(application: ReactNode): void {
  applyTheme();
  // The default, a timer, leaves time between a click and the locked dialog, in which Escape closes it and loses a new key's secret.
  notifyManager.setScheduler(queueMicrotask);
  const client = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: (count, error) => count < RETRIES && isTemporary(error) },
      mutations: { retry: false },
    },
  });
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no element #root.');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <ErrorBoundary>{application}</ErrorBoundary>
      </QueryClientProvider>
    </StrictMode>,
  );
}
