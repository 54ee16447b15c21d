import { ImageProblem, type ImageProblemReason } from './image-problem';

/** What a separate process replies. A problem crosses as its fields, because an error loses its class between processes. */
export type ImageReply<Result> = { result: Result } | { problem: { reason: ImageProblemReason; message: string } };

/** The result of the work, or the ImageProblem that it throws. */
export async function replyOrProblem<Result>(work: () => Promise<Result>): Promise<ImageReply<Result>> {
  try {
    return { result: await work() };
  } catch (error) {
    if (!(error instanceof ImageProblem)) throw error;
    return { problem: { reason: error.reason, message: error.message } };
  }
}

/** @throws ImageProblem */
export function resultOf<Result>(reply: ImageReply<Result>): Result {
  if ('result' in reply) return reply.result;
  throw new ImageProblem(reply.problem.reason, reply.problem.message);
}
