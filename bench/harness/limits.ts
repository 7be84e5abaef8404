/** What the machine, its database and its libraries can do at most: the least work that would do, measured. */
import { performance } from 'node:perf_hooks'

import { secp256k1 } from '@noble/curves/secp256k1.js'

import type { DatabasePool } from '../../apps/server/src/db/database.ts'
import { callNode } from '../../apps/server/src/sandbox/node-call.ts'
import { type Load, repeat } from './load.ts'

export type Pool = DatabasePool['pool']

/** Makes the tables of the raw transaction below. */
export async function prepareTransactions(pool: Pool, clients: number): Promise<void> {
  await pool.query(`
    DROP SCHEMA IF EXISTS bench CASCADE;
    CREATE SCHEMA bench;
    CREATE TABLE bench.accounts (id int PRIMARY KEY, balance bigint NOT NULL) WITH (fillfactor = 50);
    CREATE TABLE bench.entries (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, debit int NOT NULL, credit int NOT NULL, units bigint NOT NULL
    );`)
  await pool.query('INSERT INTO bench.accounts SELECT id, 0 FROM generate_series(1, $1) AS id', [2 * clients])
}

/**
 * Durable double-entry transactions as fast as this database commits them: one entry and both accounts in one round
 * trip, and clients that never wait for each other's rows.
 */
export function rawTransactions(pool: Pool, { clients, forMs }: { clients: number; forMs: number }): Promise<Load> {
  return repeat({ clients, forMs }, async (client) => {
    const [debit, credit] = [2 * client + 1, 2 * client + 2]
    await pool.query(`
      INSERT INTO bench.entries (debit, credit, units) VALUES (${debit}, ${credit}, 1);
      UPDATE bench.accounts SET balance = balance - 1 WHERE id = ${debit};
      UPDATE bench.accounts SET balance = balance + 1 WHERE id = ${credit};`)
  })
}

/**
 * Makes every flush of the database take so much longer, as on a network volume: the one who flushes waits first
 * (`commit_delay`), and transactions that commit meanwhile share the flush.
 */
export async function setFlushMs(pool: Pool, ms: number): Promise<void> {
  await pool.query(`ALTER SYSTEM SET commit_delay = ${ms * 1000}`)
  await pool.query('ALTER SYSTEM SET commit_siblings = 0')
  await pool.query('SELECT pg_reload_conf()')
}

/**
 * Rows of deposits with one entry and one line each, as fast as this database writes them: one statement, one commit, no
 * foreign keys, and the totals of both accounts moved once.
 */
export async function rowsWithEntries(pool: Pool, rows: number): Promise<void> {
  await pool.query(`
    CREATE SCHEMA IF NOT EXISTS bench_rows;
    CREATE TABLE IF NOT EXISTS bench_rows.deposits (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tx_id text NOT NULL UNIQUE, address text NOT NULL, units numeric NOT NULL
    );
    CREATE TABLE IF NOT EXISTS bench_rows.entries (id bigint PRIMARY KEY, source_key text NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS bench_rows.lines (entry_id bigint PRIMARY KEY, debit int, credit int, units numeric);
    CREATE TABLE IF NOT EXISTS bench_rows.accounts (id int PRIMARY KEY, balance numeric NOT NULL);
    INSERT INTO bench_rows.accounts VALUES (1, 0), (2, 0) ON CONFLICT DO NOTHING`)
  await pool.query(`
    WITH deposit AS (
      INSERT INTO bench_rows.deposits (tx_id, address, units)
      SELECT gen_random_uuid()::text || gen_random_uuid(), md5(n::text), 100000000 FROM generate_series(1, ${rows}) AS n
      RETURNING id, units
    ), entry AS (
      INSERT INTO bench_rows.entries SELECT id, 'deposit:' || id || ':seen' FROM deposit RETURNING id
    ), line AS (
      INSERT INTO bench_rows.lines SELECT id, 1, 2, units FROM deposit RETURNING units
    )
    UPDATE bench_rows.accounts SET balance = balance + (SELECT sum(units) FROM line)`)
}

/** Milliseconds of one question to the node and one commit, one after the other, `times` times. */
export async function roundTripsAndCommits(pool: Pool, nodeUrl: string, times: number): Promise<number[]> {
  const samples: number[] = []
  for (let time = 0; time < times; time += 1) {
    const begun = performance.now()
    await callNode(nodeUrl, 'eth_blockNumber')
    await pool.query('INSERT INTO bench.entries (debit, credit, units) VALUES (1, 2, 1)')
    samples.push(performance.now() - begun)
  }
  return samples
}

/** One commit and one POST to a server on this machine, one after the other: the least that telling a merchant costs. */
export async function commitAndPost(pool: Pool, url: string): Promise<void> {
  await pool.query('INSERT INTO bench.entries (debit, credit, units) VALUES (1, 2, 1)')
  const answer = await fetch(url, { method: 'POST', body: '{}' })
  await answer.text()
}

/** Times the work is done per second, in rounds of `forMs`, none of which lets anything else run. */
export function perSecond(work: (time: number) => void, forMs: number): number {
  const begun = performance.now()
  let times = 0
  while (performance.now() - begun < forMs) for (const end = times + 20; times < end; times += 1) work(times)
  return (times * 1000) / (performance.now() - begun)
}

/** Additions of two points of secp256k1 per second. */
export function pointAdditions(forMs: number): number {
  const step = secp256k1.Point.BASE.double().add(secp256k1.Point.BASE)
  let sum = secp256k1.Point.BASE
  return perSecond(() => void (sum = sum.add(step)), forMs)
}

/** Multiplications of the generator of secp256k1 by a number of 256 bits per second: one is part of each child key (BIP-32). */
export function generatorMultiplications(forMs: number): number {
  const { BASE, Fn } = secp256k1.Point
  let factor = Fn.ORDER / 3n
  return perSecond(() => void BASE.multiplyUnsafe((factor = (factor * 5n) % Fn.ORDER)), forMs)
}
