import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contractUsers } from '../../deploy/build/generate/broker/contract-users';
import { declaredContracts } from '../../deploy/build/generate/contracts/declared-contracts';
import { handlers } from '../../deploy/build/generate/contracts/handlers';
import type { JsonSchema } from '../../deploy/build/generate/contracts/json-schema';
import { ROOT } from '../../deploy/build/source-files';
import { TRUSTED, TRUSTED_PROGRAMS } from './trusted-ids';

/** What a message is about; `after_…` and `before_…` are places in a list. */
const ID = /^(?!(after|before)[_.])(.*[._])?(ids?|email)$/;
/** What belongs to an account. */
const ACCOUNT = /^(.*[._])?ids?$/;
/** The hash of a secret that the receiver looks up, or what is derived from a password. */
const PROOFS = ['key_sha256', 'token_sha256', 'derived'];

interface Golden {
  subjects: Record<string, JsonSchema>;
  $defs: Record<string, JsonSchema>;
}

/** `program subject` of each message that names an id and proves nothing. */
async function bareIds(pattern = ID): Promise<string[]> {
  const programs = contractUsers(await declaredContracts(), await handlers());
  return programs.flatMap(({ app, used }) =>
    used
      .map(({ context, contract }) => ({ context, subject: contract.subject }))
      .filter(({ context, subject }) => trustsAnId(fieldsOfMessage(context, subject), pattern))
      .map(({ subject }) => `${app} ${subject}`),
  );
}

function trustsAnId(fields: string[], pattern: RegExp): boolean {
  const named = fields.filter((field) => pattern.test(field));
  return named.length > 0 && !PROOFS.some((proof) => fields.includes(proof));
}

function fieldsOfMessage(context: string, subject: string): string[] {
  const golden = JSON.parse(readFileSync(path.join(ROOT, `test/contract/golden/${context}.json`), 'utf8')) as Golden;
  const { request, payload } = golden.subjects[subject] as { request?: JsonSchema; payload?: JsonSchema };
  return fieldsOf((request ?? payload) as JsonSchema, golden.$defs);
}

/** The paths of all fields; those of an array's items are its own. */
function fieldsOf(schema: JsonSchema, defs: Golden['$defs'], within: string[] = []): string[] {
  const reference = schema['$ref'] as string | undefined;
  if (reference !== undefined) {
    const name = reference.replace('#/$defs/', '');
    return within.includes(name) ? [] : fieldsOf(defs[name] ?? {}, defs, [...within, name]);
  }
  const parts = [schema['items'], ...((schema['anyOf'] as JsonSchema[] | undefined) ?? [])];
  const inside = parts.flatMap((part) => (part ? fieldsOf(part as JsonSchema, defs, within) : []));
  const properties = Object.entries((schema['properties'] as Record<string, JsonSchema> | undefined) ?? {});
  return [
    ...inside,
    ...properties.flatMap(([name, field]) => [
      name,
      ...fieldsOf(field, defs, within).map((below) => `${name}.${below}`),
    ]),
  ];
}

describe('a message that names an id without a proof', () => {
  const listed = Object.entries(TRUSTED).flatMap(([app, trusts]) =>
    trusts.flatMap(({ subjects }) => subjects.map((subject) => `${app} ${subject}`)),
  );

  it('is listed with a reason outside of the programs that are trusted as a whole, and nothing else is', async () => {
    const bare = (await bareIds()).filter((each) => !((each.split(' ')[0] as string) in TRUSTED_PROGRAMS));
    expect(bare.toSorted()).toEqual(listed.toSorted());
  });

  it('names an account in none from the half of the console that strangers reach, and that half subscribes to nothing', async () => {
    expect((await bareIds(ACCOUNT)).filter((each) => each.startsWith('console-customer '))).toEqual([]);
    const programs = contractUsers(await declaredContracts(), await handlers());
    expect(programs.find(({ app }) => app === 'console-customer')?.served).toEqual([]);
  });
});
