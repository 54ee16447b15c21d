import { type KeyboardEvent, useId, useRef, useState } from 'react';
import styles from './code-tabs.module.css';
import { Copy } from './values';

interface CodeTabsProps {
  label: string;
  samples: Readonly<Record<string, string>>;
}

/** The same request in several languages. The arrow keys move between the tabs. */
export function CodeTabs({ label, samples }: CodeTabsProps) {
  const names = Object.keys(samples);
  const [picked, setPicked] = useState('');
  // A language that the next request lacks gives way to the first one.
  const chosen = names.find((name) => name === picked) ?? names[0] ?? '';
  const tabs = useRef<HTMLDivElement>(null);
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const index = (names.indexOf(chosen) + step + names.length) % names.length;
    setPicked(names[index] ?? chosen);
    (tabs.current?.children[index] as HTMLElement | undefined)?.focus();
  };
  const code = samples[chosen] ?? '';
  return (
    <div className={styles['tabs']}>
      <div className={styles['bar']}>
        <div ref={tabs} role="tablist" aria-label={label} onKeyDown={move}>
          {names.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              aria-selected={name === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => setPicked(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <Copy text={code} label="code" />
      </div>
      <pre id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  );
}

/** Text as it is, such as a payload. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles['tabs']}>
      <div className={styles['bar']}>
        <span className={styles['name']}>{label}</span>
        <Copy text={text} label={label.toLowerCase()} />
      </div>
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
