import { waitFor } from '@kinora/testing';
import { withAgeSafetyTerms } from '../instance-definition';
import { type ChoiceTrial, choiceTrials, sentFor, unsupportedOf } from './choice-variants.fixtures';
import { IMAGE, OTHER_IMAGE } from './files.fixtures';
import type { SubmissionScenario } from './scenario-id.fixtures';
import type { Scenario, Trial } from './trial.fixtures';

/** U+0001 to U+001F and U+007F; the API refuses only NUL. */
const CONTROL_CHARACTERS = [...Array.from({ length: 31 }, (_, index) => index + 1), 0x7f]
  .map((code) => String.fromCodePoint(code))
  .join('');

/** Texts that wire formats, templates and shells are known to change. */
export const VERBATIM_PROMPTS: Record<string, string> = {
  'plain words': 'a calm sea',
  quotes: `a "double", a 'single', a \`backtick\`, a «guillemet» and a \\ backslash\\n`,
  emoji: 'a 🦊 and a 👩‍👩‍👧‍👦 under a 🏳️‍🌈',
  'control characters': `before${CONTROL_CHARACTERS}after`,
  'a pipe': 'a cat | a dog || a fish',
  placeholders: '{{prompt}} ${prompt} {prompt} %prompt% $1 $& <lora:x:1> (fog:1.2) [a|b] __wildcard__ %date:yyyy%',
  'markup and JSON': '<b>&amp;</b> {"6": {"inputs": {"text": "x"}}} %00 %7C \\u0041',
  'edges that are trimmed elsewhere': '  \n a sea \t\n ',
  'forms that are normalised elsewhere': 'e\u0301 \u00e9 \ufb01 \u200b\u202e\ufeff \u2028 \u2029 \u0130',
  '2,000 code points': '𝕊🌊'.repeat(1_000),
};

const MAX_SEED = 2 ** 31 - 1;

export const SUBMISSION_SCENARIOS: Record<SubmissionScenario, Scenario> = {
  prompt_verbatim: {
    title: 'sends each prompt byte for byte, or refuses it before the submission',
    run: async (trial) => {
      expect(unsupported(trial, 'a calm sea')).toBeNull();
      for (const [name, prompt] of Object.entries(VERBATIM_PROMPTS)) {
        if (unsupported(trial, prompt) !== null) continue;
        await trial.send(trial.imageTask({ prompt }));
        expect({ name, prompt: trial.backend.received.at(-1)?.prompt }).toEqual({ name, prompt });
      }
    },
  },
  age_safety_terms: {
    title: 'sends the negative prompt byte for byte, with the age-safety terms at its end',
    run: async (trial) => {
      for (const expectedInput of [undefined, 'fog | "rain", 🦊 {{negative}}']) {
        const negativePrompt = withAgeSafetyTerms(expectedInput);
        await trial.send(trial.imageTask({ negativePrompt }));
        expect(trial.backend.received.at(-1)?.negativePrompt).toBe(negativePrompt);
        expect(negativePrompt).toMatch(/child, minor, teenager, underage/);
      }
    },
  },
  parameters: {
    title: 'sends the size and the seed, also where the backend has defaults',
    run: async (trial) => {
      for (const seed of [0, 7, MAX_SEED]) {
        await trial.send(trial.imageTask({ seed }));
        expect(trial.backend.received.at(-1)).toMatchObject({ seed, width: 128, height: 100 });
      }
    },
  },
  pictures_sent: {
    title: 'sends the images of an edit, all of them and in order',
    run: async (trial) => {
      await trial.send(trial.editTask([IMAGE, OTHER_IMAGE]));
      expect(trial.backend.received.at(-1)?.images).toEqual([IMAGE, OTHER_IMAGE]);
    },
  },
  choices_carried: {
    title: 'sends every choice of a client to the model, or refuses it before the submission',
    run: async (trial) => {
      const { steersNothing = {} } = trial.harness;
      const isDeclared = ({ operation, choice }: ChoiceTrial): boolean =>
        steersNothing[operation]?.[choice] !== undefined;
      const trials = choiceTrials(trial);
      const lost: ChoiceTrial[] = [];
      for (const each of trials) {
        const { choice, operation, base, changed } = each;
        // The instance does not support the operation.
        if (unsupportedOf(trial, base) !== null) continue;
        if (unsupportedOf(trial, changed) === null) {
          if ((await sentFor(trial, base)) === (await sentFor(trial, changed))) lost.push(each);
        } else {
          const supports = trial.provider.supports[choice];
          expect({ operation, choice, supports }).toEqual({ operation, choice, supports: 'or_refused' });
        }
      }
      const named = (each: ChoiceTrial): string => `${each.choice} of ${each.operation}`;
      expect(lost.map(named)).toEqual(trials.filter(isDeclared).map(named));
    },
  },
  answer_lost: {
    title: 'reports a submission without an answer as unknown, and sends it once',
    run: async (trial) => {
      trial.backend.inject({ kind: 'lose_answers' });
      const sent = await trial.send();
      expect((await sent.outcome).kind).toBe('unknown');
      expect(trial.backend.received).toHaveLength(1);
      const status = await trial.poll(sent);
      expect(status.state).not.toBe('failed');
      if (trial.provider.hosting === 'own' || status.state !== 'not_found') return;
      // A paid backend that cannot look up a task by an id of Kinora must not report not_found.
      throw new Error('A paid backend reported not_found, which proves nothing there');
    },
  },
  sent_twice: {
    title: 'starts no second task when a task is submitted again',
    run: async (trial) => {
      const sent = await trial.send();
      await trial.provider.submit(sent.task, { signal: AbortSignal.timeout(10_000), onRunning: () => undefined });
      expect(trial.backend.workingCount).toBe(1);
    },
  },
  refused: {
    title: 'reports a full backend as a refusal, with its Retry-After',
    run: async (trial) => {
      for (const status of trial.harness.refusals ?? [429, 503]) {
        trial.backend.inject({ kind: 'refuse', status });
        expect(await trial.submit()).toMatchObject({ kind: 'refused', retryAfterMs: null });
        trial.backend.inject({ kind: 'refuse', status, retryAfterSeconds: 7 });
        expect(await trial.submit()).toMatchObject({ kind: 'refused', retryAfterMs: 7_000 });
      }
    },
  },
  rejected: {
    title: 'reports a request that the backend rejects as invalid_input',
    run: async (trial) => {
      for (const status of trial.harness.rejections ?? [400, 422]) {
        trial.backend.inject({ kind: 'reject', status });
        const outcome = await trial.submit();
        expect(outcome).toMatchObject({ kind: 'failed', failure: { kind: 'invalid_input' } });
        expectDiscreet(outcome);
      }
    },
  },
  locked_out: {
    title: 'reports a refusal where its key is invalid, and a problem to the operator',
    run: async (trial) => {
      trial.backend.inject({ kind: 'lock_out' });
      const outcome = await trial.submit();
      expect(['refused', 'failed']).toContain(outcome.kind);
      expectDiscreet(outcome);
      const { state, problems } = await trial.provider.probe();
      expect(state).not.toBe('up');
      expect(problems).not.toEqual([]);
    },
  },
  accepted_with_errors: {
    title: 'reports a submission that was accepted with errors as failed, and leaves no work behind',
    run: async (trial) => {
      trial.backend.inject({ kind: 'accept_with_errors' });
      expect(await trial.submit()).toMatchObject({ kind: 'failed', failure: { kind: 'invalid_input' } });
      await waitFor(() => trial.backend.workingCount === 0);
    },
  },
  broken_down: {
    title: 'reports a submission that was answered with 500 as unknown',
    run: async (trial) => {
      trial.backend.inject({ kind: 'break_down' });
      expect(await trial.submit()).toMatchObject({ kind: 'unknown' });
    },
  },
  aborted_before: {
    title: 'does not send a canceled submission',
    run: async (trial) => {
      const { outcome } = await trial.send(trial.imageTask(), AbortSignal.abort());
      expect(['refused', 'unknown']).toContain((await outcome).kind);
      expect(trial.backend.received).toEqual([]);
    },
  },
  aborted_at_work: {
    title: 'stops the work of an open request when it is canceled',
    run: async (trial) => {
      const abort = new AbortController();
      const { outcome } = await trial.send(trial.imageTask(), abort.signal);
      expect(trial.backend.workingCount).toBe(1);
      abort.abort();
      expect(['unknown', 'failed']).toContain((await outcome).kind);
      await waitFor(() => trial.backend.workingCount === 0);
    },
  },
};

function unsupported(trial: Trial, prompt: string): string | null {
  const { images, ...task } = trial.imageTask({ prompt });
  return trial.provider.findUnsupported({ ...task, imageCount: images.length });
}

/** Reasons are logged, so they must hold neither the prompt nor a secret. */
function expectDiscreet(outcome: object): void {
  expect(JSON.stringify(outcome)).not.toMatch(/calm sea|conformance-secret|https?:/);
}
