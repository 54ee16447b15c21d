interface Instruction {
  name: string;
  text: string;
}

/** The tag says to readers what the digest is. */
const PINNED = /:\d+\.\d+\.\d+[\w.-]*@sha256:[a-f0-9]{64}$/;
const LABELS = ['title', 'description', 'version', 'revision', 'created', 'base.name'];

/** The problems of a Dockerfile, one sentence each, as an image scanner reports them. */
export function dockerfileProblems(text: string): string[] {
  const instructions = parse(text);
  const lastFrom = instructions.findLastIndex(({ name }) => name === 'FROM');
  const image = instructions.slice(lastFrom);
  const labels = image.filter(({ name }) => name === 'LABEL').map(({ text: what }) => what);
  const user = image.findLast(({ name }) => name === 'USER')?.text.split(':')[0];
  return [
    ...fromProblems(instructions),
    ...instructions
      .filter(({ name }) => name === 'ADD')
      .map(({ text: what }) => `ADD ${what} fetches or unpacks files: use COPY.`),
    ...instructions
      .filter(({ name, text: what }) => name === 'RUN' && /\b(sudo|curl|wget)\b/.test(what))
      .map(({ text: what }) => `RUN ${what} fetches files that are not pinned, or becomes root.`),
    ...instructions
      .filter(({ name, text: what }) => name === 'RUN' && /\bnpm (ci|i|install)\b(?!.*--ignore-scripts)/.test(what))
      .map(({ text: what }) => `RUN ${what} runs install scripts of packages: add --ignore-scripts.`),
    ...instructions
      .filter(({ name, text: what }) => /^(ENV|ARG)$/.test(name) && /(PASSWORD|SECRET|TOKEN|_KEY)\b/.test(what))
      .map(({ text: what }) => `${what.split('=')[0]} stays readable in the image: pass it at run time.`),
    ...(user === undefined ? ['The image has no USER.'] : []),
    ...(user !== undefined && !/^[1-9]\d*$/.test(user)
      ? [`USER ${user} is root, or a name whose id Kubernetes cannot check: use a number.`]
      : []),
    ...(image.some(({ name }) => name === 'HEALTHCHECK') ? [] : ['The image has no HEALTHCHECK.']),
    ...LABELS.filter((label) => !labels.some((what) => what.includes(`org.opencontainers.image.${label}=`))).map(
      (label) => `The image has no label org.opencontainers.image.${label}.`,
    ),
    ...image
      .filter(({ name, text: what }) => /^(CMD|ENTRYPOINT)$/.test(name) && !what.startsWith('['))
      .map(({ name }) => `${name} runs a shell, which does not forward signals to the service: use the JSON form.`),
  ];
}

function fromProblems(instructions: Instruction[]): string[] {
  const defaults = new Map(
    instructions
      .flatMap(({ name, text }) => (name === 'ARG' ? [text.split('=', 2) as [string, string]] : []))
      .toReversed(),
  );
  const bases = instructions
    .filter(({ name }) => name === 'FROM')
    .map(({ text }) => text.replace(/\$\{(\w+)\}/g, (_, arg: string) => defaults.get(arg) ?? '').split(/\s+/));
  const stages = bases.map(([, , stage]) => stage);
  return bases
    .map(([base = '']) => base)
    .filter((base) => !stages.includes(base) && !PINNED.test(base))
    .map((base) => `FROM ${base} can change: name a full version and its digest.`);
}

/** Instructions with their continuation lines, without comments. */
function parse(text: string): Instruction[] {
  const joined = text.replace(/^\s*#.*\n/gm, '').replace(/\\\n\s*/g, '');
  return joined
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...rest] = line.trim().split(/\s+/);
      return { name: name.toUpperCase(), text: rest.join(' ') };
    });
}
