import { type Answer, answering, type Received } from './fake-engine.fixtures';

/** The answers of each service for harmless content, in its own format. */
const IMAGE_CATEGORIES = [
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'violence',
  'violence/graphic',
];
const TEXT_ONLY_CATEGORIES = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'sexual/minors',
];

interface OpenAiResult {
  flagged: boolean;
  categories: Record<string, boolean | null>;
  category_scores: Record<string, number | string | null>;
  category_applied_input_types: Record<string, string[]>;
}

export interface OpenAiAnswer {
  id: string;
  model: string;
  results: OpenAiResult[];
}

export function openAiAnswer(
  kind: 'text' | 'image',
  change: (answer: OpenAiAnswer) => void = () => undefined,
): OpenAiAnswer {
  const all = [...IMAGE_CATEGORIES, ...TEXT_ONLY_CATEGORIES];
  const isApplied = (category: string) => kind === 'text' || IMAGE_CATEGORIES.includes(category);
  const answer: OpenAiAnswer = {
    id: 'modr-1',
    model: 'omni-moderation-2024-09-26',
    results: [
      {
        flagged: false,
        categories: Object.fromEntries(all.map((category) => [category, false])),
        category_scores: Object.fromEntries(all.map((category) => [category, isApplied(category) ? 0.001 : 0])),
        category_applied_input_types: Object.fromEntries(all.map((name) => [name, isApplied(name) ? [kind] : []])),
      },
    ],
  };
  change(answer);
  return answer;
}

/** The request decides the answer, so that one fake serves texts and images. */
export function openAiAnswering(change?: (answer: OpenAiAnswer) => void): Answer {
  return (response, received) => answering(openAiAnswer(shownTo(received), change))(response, received);
}

function shownTo({ body }: Received): 'text' | 'image' {
  return JSON.stringify(body['input']).startsWith('[{"type":"text"') ? 'text' : 'image';
}

export function azureAnswer(severities: Record<string, unknown> = {}): {
  categoriesAnalysis: Record<string, unknown>[];
} {
  const all = { Hate: 0, SelfHarm: 0, Sexual: 0, Violence: 0, ...severities };
  return { categoriesAnalysis: Object.entries(all).map(([category, severity]) => ({ category, severity })) };
}

export function httpAnswering(fields: Record<string, unknown> = {}): Answer {
  return (response, received) => {
    const { content_sha256 } = received.body;
    answering({ content_sha256, verdict: 'passed', scores: { risk: 0.1 }, ...fields })(response, received);
  };
}
