import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client';
import { ErrorBoundary } from './components/error-boundary';
import './theme/theme.css';
import { applyTheme } from './theme/theme';

const RETRIES = 2;

/** Only a lost connection or an overload is worth another try. */
const isTemporary = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status === 503);

export function startApplication(application: ReactNode): void {
  applyTheme();
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
