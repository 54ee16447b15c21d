import { createStore } from '../api/store';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'kinora-theme';
const current = createStore(read());
export const useTheme = current.use;

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
  const theme = current.get();
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
}

export function setTheme(theme: Theme): void {
  current.set(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It then lasts until the page is left.
  }
  applyTheme();
}
