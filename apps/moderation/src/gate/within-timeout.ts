/** The answer, or an error once the time is up; what it waited for goes on unheard. Who has answered is waited for no more. */
export function withinTimeout<Answer>(answer: Answer | Promise<Answer>, timeoutMs: number): Answer | Promise<Answer> {
  return answer instanceof Promise ? raceTimeout(answer, timeoutMs) : answer;
}

async function raceTimeout<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
