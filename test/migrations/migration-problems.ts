/** The properties of a migration that a check without a database can read. */
export interface WrittenMigration {
  /** From the repository's root. */
  file: string;
  /** The whole file, because its header is checked too. */
  source: string;
  /** Its statements, in order. */
  statements: string[];
}

/**
 * The problems of a migration for a running service, and for the previous version, which runs beside the new one during an
 * upgrade; one sentence each. The rules: libs/database/README.md, "Migrations".
 */
export function migrationProblems({ file, source, statements }: WrittenMigration): string[] {
  const header = headerOf(source);
  const missing = HEADER.filter((word) => !header.includes(word) || header.includes(`${word}…`)).map(
    (word) => `The header does not say "${word}".`,
  );
  const isContract = header.includes(CONTRACT);
  const steps = statements.flatMap(stepsOf);
  const created = new Set(steps.flatMap((step) => /^CREATE (?:UNLOGGED )?TABLE (\w+)/.exec(step)?.[1] ?? []));
  const found = steps.flatMap((step) => {
    const table = tableOf(step);
    if (table !== null && created.has(table)) return [];
    return DANGERS.filter(({ pattern, isContraction }) => pattern.test(step) && !(isContraction && isContract)).map(
      ({ because }) => `${because} (${step.slice(0, 80)})`,
    );
  });
  const empty =
    steps.length === 0 ? ['up() sends no statement: write the change there, and its reverse in down().'] : [];
  return [...missing, ...empty, ...found].map((problem) => `${file}: ${problem}`);
}

const HEADER = ['Why: ', 'Lock: ', 'Way back: '];
/** Names the last version that used what the migration removes. */
const CONTRACT = 'Contracts: ';

interface Danger {
  pattern: RegExp;
  because: string;
  /** Allowed once no process uses the removed object, which the header then states. */
  isContraction?: true;
}

const DANGERS: Danger[] = [
  {
    pattern: /^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY )/,
    because: 'The table cannot be written while its index is built: use buildIndex.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/,
    because: 'The version before cannot insert rows: make the new column nullable, or give it a default.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD COLUMN .*\bDEFAULT\b.*\b(clock_timestamp|gen_random_uuid|random|nextval)\(/,
    because: 'A default that differs by row rewrites the table: add the column without one, and fill it in pages.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD COLUMN .*\bGENERATED\b/,
    because: 'A generated column rewrites the table: add a plain column.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD (CONSTRAINT \w+ )?(CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID\b)/,
    because: 'Every row is checked under the lock: add it NOT VALID, and validate it in a migration of its own.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD (CONSTRAINT \w+ )?(UNIQUE|PRIMARY KEY)\b(?!.*\bUSING INDEX\b)/,
    because: 'The index is built under the lock: use buildIndex, then ADD CONSTRAINT … USING INDEX.',
  },
  {
    pattern: /^ALTER TABLE .*\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/,
    because: 'A new type rewrites the table, and the version before expects the old one: add a column.',
  },
  {
    pattern: /^ALTER TABLE .*\bALTER (COLUMN )?\w+ SET NOT NULL\b/,
    because:
      'The version before may still write null there: state in the header, under "Contracts:", the last version that did.',
    isContraction: true,
  },
  {
    pattern: /^ALTER TABLE .*\bRENAME\b/,
    because: 'The version before reads and writes the old name: add a column with the new name beside it.',
  },
  {
    pattern: /^(DROP TABLE|DROP VIEW|TRUNCATE|ALTER TABLE .*\bDROP COLUMN)\b/,
    because: 'The version before still reads it: state in the header, under "Contracts:", the last version that did.',
    isContraction: true,
  },
  {
    pattern: /^(UPDATE|DELETE FROM)\b/,
    because: 'All rows are locked until the end of the migration: let the service change them in pages.',
  },
  {
    pattern: /^(LOCK|CLUSTER|VACUUM FULL|REINDEX (?!.*CONCURRENTLY))/,
    because: 'The lock blocks the whole table: remove it.',
  },
];

/** The comment before the class. */
function headerOf(source: string): string {
  return /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export class/.exec(source)?.[1]?.replaceAll(/\s*\n \* ?/g, ' ') ?? '';
}

/**
 * Splits into single statements, and an ALTER TABLE into single actions; each on one line, without comments, strings and
 * function bodies.
 */
function stepsOf(sql: string): string[] {
  const bare = sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ');
  return splitOutside(bare, ';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .flatMap((statement) => {
      const [, alter = '', actions = ''] = /^(ALTER TABLE (?:ONLY )?(?:IF EXISTS )?\w+) (.*)$/.exec(statement) ?? [];
      return alter === '' ? [statement] : splitOutside(actions, ',').map((action) => `${alter} ${action.trim()}`);
    });
}

/** Splits at separators outside of parentheses. */
function splitOutside(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

function tableOf(step: string): string | null {
  const about =
    /^(?:ALTER TABLE|UPDATE|DELETE FROM|TRUNCATE|LOCK(?: TABLE)?) (?:ONLY )?(\w+)|^CREATE (?:UNIQUE )?INDEX (?:\w+ )?ON (\w+)/;
  const [, table, indexed] = about.exec(step) ?? [];
  return table ?? indexed ?? null;
}
