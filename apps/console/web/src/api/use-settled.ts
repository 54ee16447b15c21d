import { useEffect, useState } from 'react';

/** A request for each keystroke would use up the account's rate limit. */
const SETTLE_MS = 300;

/** The text as soon as it has not changed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
