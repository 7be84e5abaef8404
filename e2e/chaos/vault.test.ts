/** A vault with a passphrase on two processes that answer and two that work: locked, unlocked once, killed while it is rotated. */
import { randomBytes } from 'node:crypto'

import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { vaultsRoutes } from '@kassa/contract/vaults/routes.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type App, createApp } from '../../apps/server/src/app.ts'
import { asSystem } from '../../apps/server/src/context.ts'
import { open, seal } from '../../apps/server/src/modules/vaults/service.ts'
import { testConfig, testKeys } from '../../apps/server/src/testing/config.ts'
import { type Api, apiOf, type Wire } from '../api.ts'
import { clearLayout, type Layout, newLayout } from '../instance.ts'
import { OWNER } from '../shop.ts'
import { until } from '../until.ts'
import { openSharedDatabase, type SharedDatabase } from './database.ts'
import { layoutBeside, type Slot, takeSlot } from './slot.ts'

const PASSPHRASE = 'correct horse battery'

/** Four transactions of a rotation. */
const SECRETS = 1_000
/** Each of them takes so long here, so that the kill finds the rotation in its middle. */
const BATCH_SECONDS = 0.7

/** Two minutes: another worker looks for what was left behind once a minute. */
const TAKEN_OVER_WITHIN_MS = 150_000

let layout: Layout
let database: SharedDatabase
let apis: readonly [Slot, Slot]
let workers: readonly [Slot, Slot]
/** As the owner, by each of the processes that answer. */
let first: Api
let second: Api
let vaultId: number
let secrets: readonly number[]
/** A fifth process of the install, in this test: what seals hot keys comes with money that leaves. */
let witness: App | undefined
const masterKey = randomBytes(32)

beforeAll(async () => {
  layout = await newLayout()
  database = await openSharedDatabase(layout.home.replace(/\/kassa$/, ''))
  const slot = async (name: string, role: string) => {
    const own = await layoutBeside(layout, name)
    const settings = {
      ...{ DATABASE_URL: database.url, DATABASE_DIRECT_URL: database.url, KASSA_ROLES: role },
      ...{ KASSA_MASTER_KEY: masterKey.toString('hex'), KASSA_SITE_URL: `http://localhost:${layout.port}` },
    }
    return takeSlot({ name, layout: own, settings })
  }
  apis = [await slot('api-1', 'api'), await slot('api-2', 'api')]
  workers = [await slot('worker-1', 'worker'), await slot('worker-2', 'worker')]
  // The first one migrates.
  await apis[0].start()
  await Promise.all([apis[1], ...workers].map((one) => one.start()))
  const { key } = await apiOf(apis[0].url)(authRoutes.signUp, { body: OWNER })
  ;[first, second] = [apiOf(apis[0].url, key), apiOf(apis[1].url, key)]
})

afterAll(async () => {
  await witness?.close()
  // Who stands still hears of nothing else.
  for (const one of workers ?? []) if (one.isUp()) process.kill(one.pid(), 'SIGCONT')
  await Promise.all([...(apis ?? []), ...(workers ?? [])].map((one) => one.stop()))
  await database?.stop()
  clearLayout(layout)
})

const vault = () => first(vaultsRoutes.getVault, { params: { id: vaultId } })
const unlock = () => second(vaultsRoutes.unlockVault, { params: { id: vaultId }, body: { passphrase: PASSPHRASE } })

type VaultFacts = Pick<Wire<typeof vaultsRoutes.getVault>, 'status' | 'processes' | 'rotation' | 'keyVersion'>

async function vaultThat(what: string, isSo: (facts: VaultFacts) => boolean, within?: number): Promise<VaultFacts> {
  const found = await until(`the vault to be ${what}`, vault, isSo, within)
  const { status, processes, rotation, keyVersion } = found
  return { status, processes, rotation, keyVersion }
}

const opensEverywhere = (count: number) => vaultThat('open', ({ processes }) => processes.unlocked === count, 60_000)

/** The hot keys that open, and hold what was put in. */
async function openedOf(ids: readonly number[]): Promise<number> {
  if (witness === undefined) return 0
  let right = 0
  for (const [n, id] of ids.entries()) {
    if ((await open(asSystem(witness.ctx), id)).toString() === `hot key ${n}`) right += 1
  }
  return right
}

describe('a passphrase vault on two api and two worker processes', () => {
  it('is locked where a process starts, and unlocked once for all of them', async () => {
    const body = { name: 'Hot', provider: 'passphrase', passphrase: PASSPHRASE } as const
    vaultId = (await first(vaultsRoutes.createVault, { body })).id
    const config = testConfig(database.url, { siteUrl: `http://localhost:${layout.port}` })
    witness = await createApp(config, { keys: testKeys(masterKey), log: pino({ level: 'silent' }) })
    await vaultThat('locked in the process that came later', (one) => one.processes.total === 5)
    await expect(
      seal(asSystem(witness.ctx), { kind: 'hot_key', label: 'Gas', value: Buffer.from('x'), vaultId }),
    ).rejects.toThrow('The vault is locked')
    await unlock()
    expect(await opensEverywhere(5)).toMatchObject({ status: 'unlocked', processes: { total: 5, unlocked: 5 } })
    const ctx = asSystem(witness.ctx)
    const made: number[] = []
    for (let n = 0; n < SECRETS; n += 1) {
      made.push(await seal(ctx, { kind: 'hot_key', label: `Gas ${n}`, value: Buffer.from(`hot key ${n}`), vaultId }))
    }
    secrets = made
    expect(await openedOf(secrets.slice(0, 10))).toBe(10)
  })

  it('loses nothing when the worker that rotates it is killed in the middle', async () => {
    await database.query(`CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_sleep(${BATCH_SECONDS}); RETURN NULL; END'`)
    await database.query('CREATE TRIGGER slowly AFTER UPDATE ON secrets FOR EACH STATEMENT EXECUTE FUNCTION slowly()')
    // The other worker waits, so that the one that is killed is the one that rotates.
    process.kill(workers[1].pid(), 'SIGSTOP')
    // The second api makes the new key: it can open the vault as well.
    const { keyVersion } = await second(vaultsRoutes.rotateVault, { params: { id: vaultId } })
    const isMiddle = ({ rotation }: VaultFacts) => rotation !== null && rotation.done > 0
    const middle = await vaultThat('in the middle', isMiddle, 60_000)
    await workers[0].kill()
    process.kill(workers[1].pid(), 'SIGCONT')
    console.log(`worker-1 was killed at ${middle.rotation?.done} of ${middle.rotation?.total} secrets.`)
    expect(middle.rotation?.done).toBeLessThan(SECRETS)
    await database.query('DROP FUNCTION slowly CASCADE')
    const ended = await vaultThat('rotated', ({ rotation }) => rotation === null, TAKEN_OVER_WITHIN_MS)
    expect(ended.keyVersion).toBe(keyVersion)
    expect(await openedOf(secrets)).toBe(SECRETS)
    const rows = await database.query<{ version: number }>(
      `SELECT DISTINCT key_version AS version FROM secrets WHERE vault_id = ${vaultId}
       UNION SELECT version FROM vault_keys WHERE vault_id = ${vaultId}`,
    )
    expect(rows).toEqual([{ version: keyVersion }])
  })

  it('is locked again in whatever was restarted, until it is unlocked once more', async () => {
    await witness?.close()
    witness = undefined
    await Promise.all([...apis, workers[1]].map((one) => one.stop()))
    await Promise.all([...apis, ...workers].map((one) => one.start()))
    const closed = await vaultThat('locked', ({ processes }) => processes.total === 4, 90_000)
    expect(closed).toMatchObject({ status: 'locked', processes: { total: 4, unlocked: 0 } })
    const refused = second(vaultsRoutes.rotateVault, { params: { id: vaultId } })
    await expect(refused).rejects.toThrow('VAULT_LOCKED')
    await unlock()
    expect(await opensEverywhere(4)).toMatchObject({ status: 'unlocked' })
  })
})
