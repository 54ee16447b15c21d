import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';
import { queryString } from '../formatting/format';

const CHANGED = 'kinora:location';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('popstate', onChange);
  window.addEventListener(CHANGED, onChange);
  return () => {
    window.removeEventListener('popstate', onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}

export function navigate(to: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(null, '', to);
  else window.history.pushState(null, '', to);
  window.dispatchEvent(new Event(CHANGED));
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname);
}

/** The query parameters of the address, and a function that changes some of them in place. */
export function useSearch(): [URLSearchParams, (changes: Record<string, string | null>) => void] {
  const search = useSyncExternalStore(subscribe, () => window.location.search);
  const change = (changes: Record<string, string | null>) => {
    const params = Object.fromEntries(new URLSearchParams(window.location.search));
    navigate(window.location.pathname + queryString({ ...params, ...changes }), { replace: true });
  };
  return [new URLSearchParams(search), change];
}

/** The fragment of the address, with its `#`. No request carries it, so it may hold what a customer writes. */
export const useFragment = () => useSyncExternalStore(subscribe, () => window.location.hash);

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string;
}

/** A link within the application; with a modifier key the browser opens it as any other. */
export function Link({ to, onClick, ...attributes }: LinkProps) {
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
    window.scrollTo(0, 0);
  };
  return <a href={to} onClick={open} {...attributes} />;
}
