import { compileChanged } from '../support/compile-snippets';

const BODY = 'libs/contracts/src/jobs/image-generation.body.ts';
const MESSAGE = 'libs/contracts/src/jobs/job.ts';
const SCREENING = 'apps/jobs/src/intake/use-cases/create-job/screened-fields.ts';
const CONTENT = 'apps/jobs/src/deletion/content-fields.ts';
const CHOICES = 'apps/jobs/src/job/task-facts.ts';
const PROVIDERS = 'libs/compute/src';
const SCREENED = 'apps/jobs/src/intake/use-cases/create-job/screened-content.ts';

const withStyle = (source: string): string =>
  source.replace('  /**\n   * How many images;', '  @Optional()\n  style?: string;\n\n  /**\n   * How many images;');
const marked =
  (mark: string) =>
  (source: string): string =>
    source.replace('    aspect_ratio: BOUNDED_WORD,', `    aspect_ratio: BOUNDED_WORD,\n    style: ${mark},`);

describe('a text field that is added to the request body', () => {
  it('does not compile until it is marked whether moderation screens it', () => {
    expect(compileChanged([SCREENING], {})).toEqual([]);
    const [complaint, ...others] = compileChanged([SCREENING], { [BODY]: withStyle });
    expect(complaint).toContain("Property 'style' is missing");
    expect(others).toEqual([]);
  });

  it('does not compile until it is mapped to a part of a task, and each adapter declares whether it supports that part', () => {
    expect(compileChanged([CHOICES], { [BODY]: withStyle }).join()).toContain("Property 'style' is missing");
    const port = `${PROVIDERS}/compute-provider.port.ts`;
    const rules = ['comfyui/find-unsupported-task.ts', 'hosted-model/find-unsupported-task.ts'];
    const declarations = ['sandbox/sandbox.provider.ts', 'openai-images/openai-images.provider.ts'];
    const kit = 'conformance/choice-variants.fixtures.ts';
    const files = [...rules, ...declarations, kit].map((file) => `${PROVIDERS}/${file}`);
    const withPart = (source: string): string => source.replace('  n: number;\n', '  n: number;\n  style?: string;\n');
    expect(compileChanged(files, {})).toEqual([]);
    const complaints = compileChanged(files, { [port]: withPart });
    expect(complaints.filter((complaint) => complaint.includes("Property 'style' is missing"))).toHaveLength(
      files.length,
    );
  });

  it('is screened once it is marked, because the message carries every field of the body', () => {
    const marks = { [BODY]: withStyle, [SCREENING]: marked(`'text'`) };
    expect(compileChanged([SCREENING, SCREENED], marks)).toEqual([]);
    const withoutStyle = (source: string): string =>
      source.replace("Omit<Body, keyof JobBody | 'image'", "Omit<Body, keyof JobBody | 'style' | 'image'");
    const complaints = compileChanged([SCREENING, SCREENED], { ...marks, [MESSAGE]: withoutStyle });
    expect(complaints.join()).toContain('style');
  });

  it('needs a reason where it is not screened', () => {
    const compile = (mark: string): string[] =>
      compileChanged([SCREENING], { [BODY]: withStyle, [SCREENING]: marked(mark) });
    expect(compile(`{ notText: 'A word of a list.' }`)).toEqual([]);
    expect(compile('{}').join()).toContain('NotText');
    expect(compile(`'image'`)).not.toEqual([]);
  });

  it('does not compile until it is decided whether it stays when a client deletes the content of a job', () => {
    const decide =
      (rule: string) =>
      (source: string): string =>
        source.replace('    aspect_ratio: BOUNDED_WORD,', `    aspect_ratio: BOUNDED_WORD,\n    style: ${rule},`);
    expect(compileChanged([CONTENT], {})).toEqual([]);
    expect(compileChanged([CONTENT], { [BODY]: withStyle }).join()).toContain("Property 'style' is missing");
    expect(compileChanged([CONTENT], { [BODY]: withStyle, [CONTENT]: decide(`'removed'`) })).toEqual([]);
    expect(compileChanged([CONTENT], { [BODY]: withStyle, [CONTENT]: decide('{}') })).not.toEqual([]);
  });
});
