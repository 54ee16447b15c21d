import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate } from './location';

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
