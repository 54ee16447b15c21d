import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'kinora-theme';
const listeners = new Set<() => void>();
let current: Theme = read();

function read(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    // The browser may refuse storage altogether.
    return 'system';
  }
}

/** Shows the stored theme; the system's preference decides if none is stored. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (current === 'system') delete dataset['theme'];
  else dataset['theme'] = current;
}

export function setTheme(theme: Theme): void {
  current = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It then lasts until the page is left.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
