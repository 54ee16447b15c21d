/** What a migration does, as far as it can be judged without a database. */
export interface WrittenMigration {
  /** From the repository's root. */
  file: string;
  /** All of the file: its header is read too. */
  source: string;
  /** What it sends, in order. */
  statements: string[];
}

/**
 * What would hurt a service that runs while the migration does, or the version before, which runs beside the new one until
 * all processes are replaced; a sentence each. The rule that they serve: libs/database/README.md, "Migrations".
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
    steps.length === 0 ? ['up() sends no statement: write the change there, and its way back in down().'] : [];
  return [...missing, ...empty, ...found].map((problem) => `${file}: ${problem}`);
}

const HEADER = ['Why: ', 'Lock: ', 'Way back: '];
/** Says which version was the last to need what is taken away. */
const CONTRACT = 'Contracts: ';

interface Danger {
  pattern: RegExp;
  because: string;
  /** Allowed once no process needs any more what goes, which the header then says. */
  isContraction?: true;
}

const DANGERS: Danger[] = [
  {
    pattern: /^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY )/,
    because: 'Nobody can write the table while its index is built: use buildIndex.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/,
    because: 'The version before cannot insert rows: a new column is nullable or has a default.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD COLUMN .*\bDEFAULT\b.*\b(clock_timestamp|gen_random_uuid|random|nextval)\(/,
    because: 'A default that differs by row rewrites the table.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD COLUMN .*\bGENERATED\b/,
    because: 'A generated column rewrites the table.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD (CONSTRAINT \w+ )?(CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID\b)/,
    because: 'Every row is read under the lock: add it NOT VALID, and validate it in a migration of its own.',
  },
  {
    pattern: /^ALTER TABLE .*\bADD (CONSTRAINT \w+ )?(UNIQUE|PRIMARY KEY)\b(?!.*\bUSING INDEX\b)/,
    because: 'The index is built under the lock: use buildIndex, then ADD CONSTRAINT … USING INDEX.',
  },
  {
    pattern: /^ALTER TABLE .*\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/,
    because: 'Another type rewrites the table, and the version before does not know it: add a column.',
  },
  {
    pattern: /^ALTER TABLE .*\bALTER (COLUMN )?\w+ SET NOT NULL\b/,
    because: 'The version before may still write null there.',
    isContraction: true,
  },
  {
    pattern: /^ALTER TABLE .*\bRENAME\b/,
    because: 'The version before knows the old name only: add the new one beside it.',
  },
  {
    pattern: /^(DROP TABLE|DROP VIEW|TRUNCATE|ALTER TABLE .*\bDROP COLUMN)\b/,
    because: 'The version before still reads it: say in the header, under "Contracts:", which one was the last to.',
    isContraction: true,
  },
  {
    pattern: /^(UPDATE|DELETE FROM)\b/,
    because: 'All rows are locked until the end of the migration: let the service change them page by page.',
  },
  { pattern: /^(LOCK|CLUSTER|VACUUM FULL|REINDEX (?!.*CONCURRENTLY))/, because: 'It closes the table.' },
];

/** The comment in front of the class. */
function headerOf(source: string): string {
  return /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export class/.exec(source)?.[1]?.replaceAll(/\s*\n \* ?/g, ' ') ?? '';
}

/** One statement each, and one action each of an ALTER TABLE; on one line, without comments, texts and bodies of functions. */
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

/** Splits where the separator stands in no parentheses. */
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
