import { AzureProtocol, AZURE_THRESHOLDS } from './azure-protocol';
import { azureAnswer, openAiAnswer } from '../../test/engine-answers.fixtures';
import { HttpProtocol } from './http-protocol';
import { OpenAiProtocol, OPENAI_THRESHOLDS } from './openai-protocol';
import { findExceeded } from '../judging/engine-policy';

describe('objections', () => {
  it.each([
    ['text', 'sexual/minors', 0.2],
    ['image', 'sexual', 0.5],
  ] as const)('of openai against a %s begin at the threshold of %s', (kind, category, threshold) => {
    const objection = (score: number, flag = false) => {
      const answer = openAiAnswer(kind, ({ results: [result] }) => {
        if (!result) return;
        result.category_scores[category] = score;
        result.categories[category] = flag;
        result.flagged = flag;
      });
      const { scores } = new OpenAiProtocol('omni-moderation-latest').read(answer, kind);
      return findExceeded(scores, OPENAI_THRESHOLDS.defaults[kind]);
    };

    expect([objection(threshold - 0.01), objection(threshold)]).toEqual([null, category]);
    // A category that the service flags itself is an objection, however low its score.
    expect(objection(0.01, true)).toBe(category);
  });

  it('of azure begin at the severity', () => {
    const objection = (severity: number, kind: 'text' | 'image') =>
      findExceeded(new AzureProtocol().read(azureAnswer({ Sexual: severity })).scores, AZURE_THRESHOLDS.defaults[kind]);

    expect([objection(2, 'image'), objection(4, 'image')]).toEqual([null, 'Sexual']);
    expect([objection(4, 'text'), objection(6, 'text')]).toEqual([null, 'Sexual']);
  });

  it("of the operator's classifier carry its reason", () => {
    const protocol = new HttpProtocol({ text: [], image: [] });
    const question = protocol.textRequest({ param: 'prompt', text: 'a' });
    const { content_sha256 } = question.body as { content_sha256: string };
    const objection = (reason: unknown) =>
      protocol.read({ content_sha256, verdict: 'blocked', reason }, 'text', question).objection;

    expect([objection('risky_scene'), objection('has <b>markup</b>'), objection(7)]).toEqual([
      'risky_scene',
      'blocked',
      'blocked',
    ]);
  });
});
