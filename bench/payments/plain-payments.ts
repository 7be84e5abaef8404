/** The least server that stores payments: Fastify and pg, four statements in one transaction, in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import type { Cleanup } from '../harness/figure.ts'
import type { Pool } from '../harness/limits.ts'

const PROGRAM = join(import.meta.dirname, '../../apps/server/src/testing/plain-server.ts')

/** Makes its tables and starts it; returns where payments are posted to. */
export async function startPlainServer(pool: Pool, cleanup: Cleanup): Promise<string> {
  await pool.query(`
    CREATE TABLE bench.callers (key text PRIMARY KEY, project int NOT NULL);
    CREATE TABLE bench.customers (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, project int NOT NULL, name text NOT NULL, UNIQUE (project, name)
    );
    CREATE TABLE bench.payments (
      id uuid PRIMARY KEY, customer bigint NOT NULL REFERENCES bench.customers, usd numeric NOT NULL, made_at timestamptz NOT NULL
    );
    CREATE TABLE bench.events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payment uuid NOT NULL, payload jsonb NOT NULL);
    INSERT INTO bench.callers VALUES ('plain', 1)`)
  const child = spawn(process.execPath, [PROGRAM, pool.options.connectionString ?? ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanup(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string]
  return `${address}/payments`
}
