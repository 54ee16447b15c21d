import { Facts, Time } from '../../components/values';
import { describeCheck, type ProvenanceCheck } from './describe-check';

/** What is known about the origin of a file. */
export function CheckResult({ check, heading: Heading }: { check: ProvenanceCheck; heading: 'h2' | 'h3' }) {
  const { credential, match } = check;
  const facts = [
    ['Made', match?.created_at ?? credential?.created_at ?? null],
    ['Model', match?.model ?? credential?.model ?? null],
    ['Signed by', credential?.signer ?? null],
  ] as const;
  const known = facts.filter(([, value]) => value !== null);
  return (
    <>
      {describeCheck(check).map(({ title, text }) => (
        <section key={title}>
          <Heading>{title}</Heading>
          <p>{text}</p>
        </section>
      ))}
      {known.length > 0 && (
        <Facts facts={known.map(([name, value]) => [name, name === 'Made' ? <Time at={value} exact /> : value])} />
      )}
      {credential && credential.ingredients.length > 0 && (
        <section>
          <Heading>Made from</Heading>
          <ul>
            {credential.ingredients.map(({ title, signer }, place) => (
              <li key={place}>{[title ?? 'a file without a name', signer].filter(Boolean).join(', signed by ')}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
