/** What vaults cost: reaching four processes with a key, and sealing ten thousand secrets anew. */
import { createCipheriv, randomBytes } from 'node:crypto'

import { createApp } from '../../apps/server/src/app.ts'
import { asSystem, type Context } from '../../apps/server/src/context.ts'
import { type DatabasePool, openDatabase } from '../../apps/server/src/db/database.ts'
import { startPostgres } from '../../apps/server/src/db/embedded/start-postgres.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { createLog } from '../../apps/server/src/log/log.ts'
import {
  createVault,
  lockVault,
  prepareUnlock,
  prepareVault,
  unlockVault,
} from '../../apps/server/src/modules/vaults/manage-vaults.ts'
import { beginRotation, continueRotations } from '../../apps/server/src/modules/vaults/rotate.ts'
import { open, seal } from '../../apps/server/src/modules/vaults/service.ts'
import { testConfig, testKeys } from '../../apps/server/src/testing/config.ts'
import { clearLayout, newLayout } from '../../e2e/instance.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { median } from '../harness/quantile.ts'

const PROCESSES = 4
const SECRETS = 10_000
const ROUNDS = 20
const PASSPHRASE = 'correct horse battery'

export const vaults: Measurement = { name: 'vaults', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const layout = await newLayout()
  cleanup(() => clearLayout(layout))
  const log = createLog('silent')
  const postgres = await startPostgres({ home: layout.home, log })
  cleanup(postgres.stop)
  await migrate(postgres.url)
  const keys = testKeys(randomBytes(32))
  const contexts: Context[] = []
  for (let at = 0; at < PROCESSES; at += 1) {
    const app = await createApp(testConfig(postgres.url), { keys, log })
    cleanup(app.close)
    contexts.push(asSystem(app.ctx))
  }
  const { pool, close } = openDatabase(postgres.url)
  cleanup(close)
  return [await unlocking(contexts, pool), ...(await rotating(contexts, pool))]
}

async function unlocking(contexts: readonly Context[], pool: DatabasePool['pool']): Promise<Figure> {
  const ctx = firstOf(contexts)
  const input = { name: 'Hot', provider: 'passphrase', passphrase: PASSPHRASE } as const
  const id = await createVault(ctx, await prepareVault(ctx, input, 'bench'))
  const secret = await seal(ctx, { kind: 'hot_key', label: 'Gas', value: randomBytes(32), vaultId: id })
  const unlocks: number[] = []
  const commits: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await lockVault(ctx, id)
    // What the passphrase costs is a setting, not a figure.
    const prepared = await prepareUnlock(ctx, id, PASSPHRASE, 'bench')
    const unlock = async () => {
      await unlockVault(ctx, prepared)
      await Promise.all(contexts.map(async (one) => (await open(one, secret)).fill(0)))
    }
    unlocks.push(await timed(unlock))
    commits.push(await timed(() => pool.query('UPDATE vaults SET updated_at = now() WHERE id = 1')))
  }
  return {
    name: `a vault unlocked until ${PROCESSES} processes have opened a secret`,
    value: median(unlocks),
    unit: 'ms',
    limit: { name: 'one commit', value: median(commits) },
  }
}

async function rotating(contexts: readonly Context[], pool: DatabasePool['pool']): Promise<readonly Figure[]> {
  const ctx = firstOf(contexts)
  for (let at = 0; at < SECRETS; at += 1) {
    await seal(ctx, { kind: 'webhook', label: `Shop ${at}`, value: randomBytes(32) })
  }
  await beginRotation(ctx, 1)
  const rotation = await timed(() => continueRotations(ctx))
  const rewrite = await timed(() => pool.query('UPDATE secrets SET version = version'))
  const encryption = await timed(async () => encrypt(SECRETS * 4))
  const beside = (name: string, value: number): Figure => ({
    name: `${SECRETS} secrets sealed anew`,
    value: rotation,
    unit: 'ms',
    limit: { name, value },
  })
  return [
    beside('their rows rewritten in one statement', rewrite),
    beside('four AES-256-GCM operations each', encryption),
  ]
}

function firstOf([ctx]: readonly Context[]): Context {
  if (!ctx) throw new Error('No process was started')
  return ctx
}

function encrypt(times: number): void {
  const key = randomBytes(32)
  for (let at = 0; at < times; at += 1) {
    const cipher = createCipheriv('aes-256-gcm', key, randomBytes(12))
    cipher.update(key)
    cipher.final()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
