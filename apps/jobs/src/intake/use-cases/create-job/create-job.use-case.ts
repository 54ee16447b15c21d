import { Injectable } from '@nestjs/common';
import { type Answered, Bus, type Caller, type IncomingCall } from '@kinora/bus';
import { crashPoint } from '@kinora/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { type Reservation, type ReserveRequest, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { CreateJobReply, CreateJobRequest, Idempotency } from '@kinora/contracts/jobs/jobs.rpc';
import type { PassedContent } from '@kinora/contracts/moderation/decision';
import { ApiError } from '@kinora/contracts/shared/errors';
import { CreatedJobs } from '../../../dispatch/created-jobs';
import { IdempotencyKeys } from '../../idempotency-keys';
import type { JobRow, NewJob } from '../../../job/job.entity';
import { jobCreation, jobsCreated } from '../../../jobs.metrics';
import { meterQuote } from '../../quote-meter';
import { CertainInsert } from './certain-insert';
import { InputScreening } from './input-screening';
import { ModelAdmission } from '../../model-admission';
import { imagesOf } from '../../new-job';
import { SyncWait } from './sync-wait';

type CreateCall = IncomingCall<CreateJobRequest, CreateJobReply>;
type KeyedCall = IncomingCall<CreateJobRequest & { idempotency: Idempotency }, CreateJobReply>;

/** A create with the id of its job, for which its Idempotency-Key is claimed, if it has one. */
interface Creation {
  call: CreateCall;
  caller: Caller;
  jobId: string;
  /** On the monotonic clock. */
  createdAtMs: number;
}

interface PreparedJob extends Creation {
  job: NewJob;
  model: ResolvedModel;
  /** The run of the server that will store the job. */
  serverRun: string;
}

interface PassedJob extends PreparedJob {
  passed: PassedContent;
}

/** Creates jobs: nothing is charged, stored or sent twice for one Idempotency-Key. */
@Injectable()
export class CreateJob {
  constructor(
    private readonly bus: Bus,
    private readonly keys: IdempotencyKeys,
    private readonly models: ModelAdmission,
    private readonly inputs: InputScreening,
    private readonly jobs: CertainInsert,
    private readonly createdJobs: CreatedJobs,
    private readonly syncWait: SyncWait,
  ) {}

  /**
   * A batch stays together: one screening, one reserve and one INSERT for all of it. Creates with a key first wait for its
   * claim, together. A create with images is a batch of its own, because it waits for their screening.
   */
  async execute(calls: CreateCall[]): Promise<void> {
    const textOnly = calls.filter(({ request }) => !hasImages(request));
    const batches = [
      textOnly.filter(hasKey),
      textOnly.filter((call) => !hasKey(call)),
      ...calls.filter(({ request }) => hasImages(request)).map((call) => [call]),
    ].filter((batch) => batch.length > 0);
    await Promise.all(
      batches.map((batch) =>
        batch.every(hasKey)
          ? this.claimAndCreate(batch)
          : this.createBatch(batch.map((call) => toCreation(call, call.request.job_id ?? uuidv7()))),
      ),
    );
  }

  private async claimAndCreate(calls: KeyedCall[]): Promise<void> {
    const claims = await Promise.allSettled(calls.map((call) => call.run(() => this.keys.claim(...claimOf(call)))));
    const creations: Creation[] = [];
    const others: Promise<void>[] = [];
    calls.forEach((call, place) => {
      const claim = claims[place];
      if (claim?.status !== 'fulfilled') call.fail(claim?.reason);
      else if (claim.value === null) others.push(call.run(() => this.replayOrCreate(call)));
      else {
        crashPoint('jobs.accept.key_claimed');
        creations.push(toCreation(call, claim.value));
      }
    });
    await Promise.all([this.createBatch(creations), ...others]);
  }

  /** Another request has bound or claimed the key. This one waits for it by itself. */
  private async replayOrCreate(call: KeyedCall): Promise<void> {
    try {
      const claim = await this.keys.findOrClaim(...claimOf(call));
      if ('replayed' in claim) call.answer({ job: claim.replayed, replayed: true });
      else await this.createBatch([toCreation(call, claim.jobId)]);
    } catch (error) {
      call.fail(error);
    }
  }

  /** The checks that may refuse a request are in the order of the decisions (Order of checks). */
  private async createBatch(creations: Creation[]): Promise<void> {
    await this.createdJobs.runWithPriority(creations.length, async () => {
      const prepared = await this.forEach(creations, (creation) => this.prepare(creation));
      await this.inputs.screen(prepared, (screened) => this.reserve(screened));
    });
  }

  private async prepare(creation: Creation): Promise<PreparedJob> {
    const { request } = creation.call;
    const model = await this.models.resolve(request);
    const job = this.models.toJob(creation.jobId, request, model);
    this.models.assertRunnable(job, model);
    this.models.prefetchBacklog(model);
    await this.inputs.assertReservable(request, job);
    return { ...creation, job, model, serverRun: await this.jobs.serverRun() };
  }

  private async reserve(screened: Answered<PreparedJob, PassedContent>[]): Promise<void> {
    const passed = this.keep(screened, (prepared, content) => ({ ...prepared, passed: content }));
    const admitted = await this.forEach(passed, async (one) => {
      crashPoint('jobs.accept.inputs_screened');
      await this.models.assertRoom(one.model);
      return one;
    });
    await this.bus.requestBatch(billingRpc.reserve, admitted, {
      toRequest: toReserveRequest,
      onAnswers: (reserved) => this.store(reserved),
    });
  }

  private async store(reserved: Answered<PassedJob, Reservation>[]): Promise<void> {
    const insertions = this.keep(reserved, (passed, hold) => {
      crashPoint('jobs.accept.hold_reserved');
      return { ...passed, hold, idempotencyKey: passed.call.request.idempotency?.key ?? null };
    });
    const outcomes = await this.jobs.insert(insertions);
    // The sweep of orphan holds refunds a hold whose job was never stored. A server's run that has ended stores no job.
    for (const { item, outcome } of pair(insertions, outcomes)) {
      if (outcome.status === 'rejected') this.refuse(item, outcome.reason, { keepsImages: true });
      else if (outcome.value) this.reply(item, outcome.value);
      else this.refuse(item, ApiError.unavailable('The service'), { keepsImages: true });
    }
  }

  private reply({ call, createdAtMs, job }: PreparedJob, stored: JobRow): void {
    jobCreation.of({ kind: stored.kind }).observe((performance.now() - createdAtMs) / 1_000);
    jobsCreated.inc({ kind: stored.kind, model: stored.model });
    if (job.quote && job.price_micros === stored.price_micros) meterQuote(job.quote, stored);
    this.createdJobs.wakeDispatcherFor(stored);
    call.answer(call.run(() => this.present(stored)));
  }

  private async present(stored: JobRow): Promise<CreateJobReply> {
    const job = await this.syncWait.present(stored);
    crashPoint('jobs.accept.before_answer');
    return { job, replayed: false };
  }

  /** Runs a step for each create, in its call. A create whose step fails is refused and leaves the batch. */
  private async forEach<Item extends Creation, Result>(
    items: Item[],
    step: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const outcomes = await Promise.allSettled(items.map((item) => item.call.run(() => step(item))));
    return this.keep(pair(items, outcomes), (_, result) => result);
  }

  /** The creates that passed a step; the others are refused. */
  private keep<Item extends Creation, Value, Kept>(
    answered: Answered<Item, Value>[],
    toKept: (item: Item, value: Value) => Kept,
  ): Kept[] {
    return answered.flatMap(({ item, outcome }) => {
      if (outcome.status === 'fulfilled') return [toKept(item, outcome.value)];
      this.refuse(item, outcome.reason);
      return [];
    });
  }

  /** Answers with the error, after the images are deleted and the key is released for the next request. */
  private refuse({ call, jobId }: Creation, error: unknown, { keepsImages } = { keepsImages: false }): void {
    const end = async (): Promise<never> => {
      if (!keepsImages) await this.inputs.discardImages(call.request);
      const { account_id, idempotency } = call.request;
      if (idempotency) await this.keys.release(account_id, idempotency.key, jobId, error);
      throw error;
    };
    call.answer(call.run(end));
  }
}

function hasImages(request: CreateJobRequest): boolean {
  return imagesOf(request).length > 0;
}

function hasKey(call: CreateCall): call is KeyedCall {
  return call.request.idempotency !== undefined;
}

/** The arguments of a claim of the call's key for a new job. */
function claimOf(call: KeyedCall): Parameters<IdempotencyKeys['claim']> {
  const { account_id, idempotency } = call.request;
  return [account_id, idempotency, { job_id: call.request.job_id ?? uuidv7(), has_images: hasImages(call.request) }];
}

function toCreation(call: CreateCall, jobId: string): Creation {
  return { call, caller: call.caller, jobId, createdAtMs: performance.now() };
}

function toReserveRequest({ call: { request }, job, serverRun }: PassedJob): ReserveRequest {
  const { account_id, api_key_id } = request;
  const key = api_key_id === undefined ? {} : { api_key_id };
  return { account_id, job_id: job.id, amount_micros: job.price_micros, server_run: serverRun, ...key };
}

function pair<Item, Value>(items: Item[], outcomes: PromiseSettledResult<Value>[]): Answered<Item, Value>[] {
  return items.map((item, place) => ({ item, outcome: outcomes[place] as PromiseSettledResult<Value> }));
}
