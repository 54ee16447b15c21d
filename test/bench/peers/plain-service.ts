// The simplest implementation: NestJS on Express, one process, entities and `save()`. `fork(file, [databaseUrl])`
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Body, Controller, Headers, HttpCode, HttpException, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import { Column, CreateDateColumn, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

const PRICE_MICROS = 20_000;
const ACCOUNTS = 1_000;

@Entity('plain_idempotency_key')
class IdempotencyKey {
  @PrimaryColumn('integer') accountId!: number;
  @PrimaryColumn('text') key!: string;
  @Column('uuid') jobId!: string;
}

@Entity('plain_wallet')
class Wallet {
  @PrimaryColumn('integer') accountId!: number;
  @Column('bigint') availableMicros!: string;
  @Column('bigint') heldMicros!: string;
}

@Entity('plain_ledger_entry')
class LedgerEntry {
  @PrimaryColumn('uuid') jobId!: string;
  @Column('integer') accountId!: number;
  @Column('bigint') amountMicros!: string;
}

@Entity('plain_job')
class Job {
  @PrimaryColumn('uuid') id!: string;
  @Column('integer') accountId!: number;
  @Column('text') status!: string;
  @Column('json') input!: object;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
}

@Entity('plain_outbox_event')
class OutboxEvent {
  @PrimaryColumn('uuid') id!: string;
  @Column('json') payload!: object;
}

class CreateImage {
  @IsString() @MaxLength(2_000) prompt!: string;
  @IsString() size!: string;
  @IsInt() @Min(1) n!: number;
}

const ENTITIES = [IdempotencyKey, Wallet, LedgerEntry, Job, OutboxEvent];

@Controller()
class JobsController {
  constructor(private readonly dataSource: DataSource) {}

  @Post('images/generations')
  @HttpCode(202)
  create(@Body() input: CreateImage, @Headers('idempotency-key') key: string, @Headers('account-id') account: string) {
    const accountId = Number(account);
    return this.dataSource.transaction(async (entities) => {
      const replayed = await entities.findOneBy(IdempotencyKey, { accountId, key });
      if (replayed) return entities.findOneByOrFail(Job, { id: replayed.jobId });
      const wallet = await entities.findOneOrFail(Wallet, {
        where: { accountId },
        lock: { mode: 'pessimistic_write' },
      });
      if (Number(wallet.availableMicros) < PRICE_MICROS) throw new HttpException('insufficient_balance', 402);
      wallet.availableMicros = String(Number(wallet.availableMicros) - PRICE_MICROS);
      wallet.heldMicros = String(Number(wallet.heldMicros) + PRICE_MICROS);
      await entities.save(wallet);
      const id = uuidv7();
      await entities.save(entities.create(IdempotencyKey, { accountId, key, jobId: id }));
      await entities.save(entities.create(LedgerEntry, { jobId: id, accountId, amountMicros: String(PRICE_MICROS) }));
      await entities.save(entities.create(OutboxEvent, { id: uuidv7(), payload: input }));
      return entities.save(entities.create(Job, { id, accountId, status: 'queued', input }));
    });
  }
}

async function main(): Promise<void> {
  const database = { type: 'postgres' as const, url: process.argv[2] ?? '', extra: { max: 8 } };
  const dataSource = new DataSource({ ...database, entities: ENTITIES, synchronize: true });
  await dataSource.initialize();
  const wallets = Array.from({ length: ACCOUNTS }, (_, accountId) => ({
    accountId,
    availableMicros: '1000000000000',
    heldMicros: '0',
  }));
  await dataSource.getRepository(Wallet).save(wallets);

  @Module({ controllers: [JobsController], providers: [{ provide: DataSource, useValue: dataSource }] })
  class PlainModule {}

  const app = await NestFactory.create(PlainModule, new ExpressAdapter(), { logger: ['error'] });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true }));
  const server = (await app.listen(0, '127.0.0.1')) as { address(): AddressInfo };
  process.on('disconnect', () => process.exit());
  process.send?.({ port: server.address().port });
}

void main();
