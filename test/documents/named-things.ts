import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';

interface Schema {
  properties?: Record<string, Schema>;
}

const CODE = /`([^`\n]+)`/g;
const SETTING = /^(?:KINORA|JOBS|DATABASE|NATS|SANDBOX|WEBHOOK|LOG|OTEL)_[A-Z0-9_]+$/;
/** A path of values, not a file name. */
const VALUE = /^[a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+)+(?<!\.(?:ts|md|yaml|json))$/;

/** The subject of a contract: `billing.v1.admit`. */
const SUBJECT = /^(?<context>[a-z]+)\.v\d+\./;

/**
 * Settings, subjects and values that a page names as code and that exist neither in the sources, nor in the contracts, nor as a
 * path in the chart's schema.
 */
export function unknownNames(page: string, ...sources: string[]): string[] {
  const texts = sources.map(read).join('\n');
  const schema = JSON.parse(read(sources.at(-1) ?? '')) as Schema;
  const words = [...read(page).matchAll(CODE)].map(([, code = '']) => code.replace(/[:=] ?.*$/, ''));
  return words.filter((word) => {
    if (SETTING.test(word)) return !new RegExp(`\\b${word.replace(/_FILE$/, '')}\\b`).test(texts);
    const context = SUBJECT.exec(word)?.groups?.['context'];
    if (context !== undefined) return !read(`test/contract/golden/${context}.json`).includes(`"${word}"`);
    const [top = ''] = word.split('.');
    return VALUE.test(word) && schema.properties?.[top] !== undefined && !isValue(schema, word.split('.'));
  });
}

function isValue(schema: Schema | undefined, [key, ...rest]: string[]): boolean {
  if (key === undefined) return true;
  // The chart passes this value on unchanged, so any key below it is valid.
  if (schema?.properties === undefined) return schema !== undefined;
  return isValue(schema.properties[key], rest);
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
