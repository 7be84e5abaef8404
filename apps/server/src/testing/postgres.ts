import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'

import { migrate } from '../db/migrate.ts'
import { startPostgres } from '../sandbox/postgres.ts'
import { isAlive, stopProcess } from '../sandbox/processes.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run and the migrated database that `testDatabase` clones. */
    readonly postgres: { readonly url: string; readonly template: string }
  }
}

type Server = { readonly url: string; readonly stop: () => Promise<void> }

/**
 * Runs before the database tests: one PostgreSQL for all of them, with the migrations applied once to a template.
 * `KASSA_TEST_DATABASE_URL` names a server to use instead; its role must be allowed to create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.KASSA_TEST_DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startThrowAway()
  const template = `kassa_template_${process.pid}`
  await run(server.url, `CREATE DATABASE ${template}`)
  await migrate(databaseUrl(server.url, template))
  project.provide('postgres', { url: server.url, template })
  return async () => {
    if (given) await run(server.url, `DROP DATABASE ${template} WITH (FORCE)`)
    await server.stop()
  }
}

/** The connection string of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Runs one statement on a connection of its own. */
export async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

const prefix = 'kassa-test-'

async function startThrowAway(): Promise<Server> {
  await removeAbandoned()
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'owner.pid'), String(process.pid))
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o755 })
  const postgres = await startPostgres({ home, log: pino({ level: 'warn' }), isDurable: false })
  writeFileSync(join(folder, 'postgres.pid'), String(postgres.pid))
  const stop = async (): Promise<void> => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: postgres.url, stop }
}

/** A killed run cannot stop its own server; the next one does. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name)
    if (!name.startsWith(prefix) || isAlive(pidIn(folder, 'owner.pid'))) continue
    try {
      await stopProcess(pidIn(folder, 'postgres.pid'), 'SIGINT', 5_000)
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another user's run: theirs to remove.
    }
  }
}
