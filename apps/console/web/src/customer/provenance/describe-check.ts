import type { components } from '../../api/console-api';

export type ProvenanceCheck = components['schemas']['ProvenanceCheck'];
/** Takes a file as its body. */
export const CHECK_ROUTE = '/admin/v1/provenance/check';
type Credential = NonNullable<ProvenanceCheck['credential']>;
type Match = NonNullable<ProvenanceCheck['match']>;

/** A finding in the words of people who have never heard of content credentials. */
export interface Finding {
  title: string;
  text: string;
  tone: 'good' | 'warn' | 'calm';
}

const NOTHING: Finding = {
  title: 'Nothing is known about this file',
  text: 'It carries no mark, and this service has not made it or anything that looks like it. It may still come from another system: not all of them mark what they make.',
  tone: 'calm',
};

export function describeCheck({ credential, match }: ProvenanceCheck): Finding[] {
  const findings = [...(credential ? [describeCredential(credential)] : []), ...(match ? [describeMatch(match)] : [])];
  return findings.length > 0 ? findings : [NOTHING];
}

function describeCredential({ valid, ours, trusted, signer }: Credential): Finding {
  if (!valid)
    return {
      title: 'The mark in this file is broken',
      text: 'The file says where it comes from, but it was changed afterwards, or the statement cannot be read. Do not rely on it.',
      tone: 'warn',
    };
  if (ours)
    return {
      title: 'This service has signed this file',
      text: 'The file carries a signed statement of its origin, and was not changed since.',
      tone: 'good',
    };
  return {
    title: `The file carries a statement of ${signer ?? 'an unknown signer'}`,
    text: trusted
      ? 'The statement is signed, and the file was not changed since.'
      : 'The file was not changed since the statement was signed. This service does not know the signer, so anybody may have written it.',
    tone: trusted ? 'good' : 'warn',
  };
}

function describeMatch({ exact }: Match): Finding {
  return exact
    ? { title: 'This service has made this file', text: 'It is the same file, byte by byte.', tone: 'good' }
    : {
        title: 'This service has made a picture that looks the same',
        text: 'The file was probably copied from it: scaled, cropped a little, or saved in another format.',
        tone: 'good',
      };
}
