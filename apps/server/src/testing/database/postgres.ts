import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { pino } from 'pino'
import type { TestProject } from 'vitest/node'

import { JOBS } from '../../app.ts'
import { migrate } from '../../db/migrate.ts'
import { startPostgres } from '../../db/embedded/start-postgres.ts'
import { openJobQueue } from '../../jobs/queue.ts'
import { commandOf, isAlive, stopProcess } from '../../process/processes.ts'
import { databaseUrl, run } from './run-statement.ts'
import { TEMPORARY } from './temporary.ts'

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
 * @public vitest calls it by its name.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.KASSA_TEST_DATABASE_URL
  const server = external ? { url: external, stop: async () => {} } : await startThrowAway()
  const template = `kassa_template_${process.pid}`
  await run(server.url, `CREATE DATABASE ${template}`)
  await migrate(databaseUrl(server.url, template))
  const queue = await openJobQueue(databaseUrl(server.url, template), pino({ level: 'silent' }), JOBS)
  await queue.stop()
  project.provide('postgres', { url: server.url, template })
  return async () => {
    if (external) await run(server.url, `DROP DATABASE ${template} WITH (FORCE)`)
    await server.stop()
  }
}

const prefix = 'kassa-test-'

async function startThrowAway(): Promise<Server> {
  await removeAbandoned()
  const folder = mkdtempSync(join(TEMPORARY, prefix))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'owner.pid'), String(process.pid))
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o755 })
  const postgres = await startPostgres({ home, log: pino({ level: 'warn' }), isDurable: false })
  const stop = async (): Promise<void> => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: postgres.url, stop }
}

/** A killed run cannot stop its own server; the next run of the same user does. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(TEMPORARY)) {
    const folder = join(TEMPORARY, name)
    if (!name.startsWith(prefix) || lstatSync(folder).uid !== process.getuid?.()) continue
    const owner = pidIn(join(folder, 'owner.pid'))
    if (owner === undefined || isAlive(owner)) continue
    const server = pidIn(join(folder, 'home/postgres/data/postmaster.pid'))
    if (server !== undefined && commandOf(server).includes(folder)) await stopProcess(server, 'SIGINT', 5_000)
    rmSync(folder, { recursive: true, force: true })
  }
}

function pidIn(file: string): number | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return Number.parseInt(text, 10) || undefined
}
