import { Empty, ErrorCode, type NatsConnection, NatsError } from 'nats';
import type { BusLogger } from './bus-logger';
import { decode } from './envelope';

const CHECK_EVERY_MS = 1_500;
const ANSWER_TIMEOUT_MS = 1_000;
/** The servers of a majority need up to nine seconds to elect a leader, so fewer would make its clients leave, too. */
const MISSES_BEFORE_MOVE = 4;
/** Two rounds through a cluster of three. */
const SWIFT_MOVES = 6;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 600_000;
/** The server is up, and has no contact to a majority of the cluster. */
const NO_LEADER = 10_008;

/**
 * Leaves a server that has lost the others. Its clients stay connected to it, and all that they send to services elsewhere has no
 * subscriber. Only the leader of the cluster's metadata answers this request, so that an answer proves that the server belongs to
 * a majority. Where no server does, the client moves more and more rarely, because requests still work without JetStream.
 */
export async function watchQuorum(connection: NatsConnection, logger: BusLogger): Promise<void> {
  let misses = 0;
  let moves = 0;
  let restsUntilMs = 0;
  while (!connection.isClosed()) {
    await pause(CHECK_EVERY_MS * (0.75 + Math.random() / 2));
    if (connection.info?.cluster === undefined) continue;
    misses = (await isInMajority(connection)) ? 0 : misses + 1;
    if (misses === 0) moves = 0;
    if (misses < MISSES_BEFORE_MOVE || performance.now() < restsUntilMs) continue;
    logger.warn({ server: connection.info.server_name, moves }, 'nats_server_without_quorum');
    misses = 0;
    moves += 1;
    restsUntilMs = performance.now() + restMs(moves);
    await connection.reconnect();
  }
}

/** How long the client stays after so many moves without success. */
export function restMs(moves: number): number {
  if (moves <= SWIFT_MOVES) return 0;
  return Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (moves - SWIFT_MOVES - 1));
}

/** A server that cannot tell, such as one without JetStream, counts as part of the majority. */
async function isInMajority(connection: NatsConnection): Promise<boolean> {
  try {
    const { data } = await connection.request('$JS.API.INFO', Empty, { timeout: ANSWER_TIMEOUT_MS });
    const answer = decode(data) as { error?: { err_code?: number } } | undefined;
    return answer?.error?.err_code !== NO_LEADER;
  } catch (error) {
    return !(error instanceof NatsError && error.code === ErrorCode.Timeout.toString());
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
