import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { vaultsRoutes } from '@kassa/contract/vaults/routes.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { type App, createApp } from '../../app.ts'
import { type Context, inTransaction } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { testConfig, testKeys } from '../../testing/config.ts'
import { addOperator } from '../../testing/operators.ts'
import { openAlarms } from '../alarms/service.ts'
import { watchSecrets } from './check-secrets.ts'
import { forgetLocked, heldKeys, isOpen, vaultKey } from './keys/held-keys.ts'
import { continueRotations } from './rotate.ts'
import { open, seal } from './service.ts'

const COMMAND = join(import.meta.dirname, '../../commands/check-secrets.ts')
const PASSPHRASE = 'correct horse battery'
const masterKey = randomBytes(32)

let app: TestApp
let key: string

beforeAll(async () => {
  app = await testApp({ masterKey })
  key = await app.signUp()
})
afterAll(async () => {
  await app.stop()
})

/** Another process of the same install; it ends with the test. */
async function anotherProcess(): Promise<App> {
  const config = testConfig(app.connectionString)
  const other = await createApp(config, { keys: testKeys(masterKey), log: pino({ level: 'silent' }), isTest: true })
  onTestFinished(other.close)
  return other
}

const list = async () => (await app.call(vaultsRoutes.listVaults, {}, { key })).body
const read = async (id: number) => (await app.call(vaultsRoutes.getVault, { params: { id } }, { key })).body
const create = (body: object) => app.call(vaultsRoutes.createVault, { body: body as never }, { key })
const change = (id: number, body: object) => app.call(vaultsRoutes.changeVault, { params: { id }, body }, { key })
const unlock = (id: number, passphrase = PASSPHRASE) =>
  app.call(vaultsRoutes.unlockVault, { params: { id }, body: { passphrase } }, { key })
const lock = (id: number) => app.call(vaultsRoutes.lockVault, { params: { id } }, { key })
const rotate = (id: number) => app.call(vaultsRoutes.rotateVault, { params: { id } }, { key })
const remove = (id: number) => app.call(vaultsRoutes.deleteVault, { params: { id } }, { key })
const code = async (answer: Promise<{ refusal: { code: string } | undefined }>) => (await answer).refusal?.code

let named = 0
const newName = () => `Vault ${(named += 1)}`
async function newVault(): Promise<number> {
  return (await create({ name: newName(), provider: 'passphrase', passphrase: PASSPHRASE })).body.id
}
const hotKey = (vaultId: number, ctx: Context = app.ctx) =>
  seal(ctx, { kind: 'hot_key', label: 'Gas', value: Buffer.from('a private key'), vaultId })
const opened = async (ctx: Context, id: number) => (await open(ctx, id)).toString()

/** Moves the attempt's wait into the past. */
const endWaits = () => sql`UPDATE vault_attempts SET wait_until = '2000-01-01'`.execute(app.ctx.db)

describe('vaults.listVaults', () => {
  it('has the vault of the server from the start, which opens without a passphrase and is the default', async () => {
    expect(await list()).toMatchObject([
      { id: 1, name: 'Server', provider: 'file', status: 'unlocked', isDefault: true, keyVersion: 1, rotation: null },
    ])
  })

  it('shows secrets by name and never a value', async () => {
    const id = await seal(app.ctx, { kind: 'node', label: 'https://node.example', value: Buffer.from('node-password') })
    const { body, text } = await app.call(vaultsRoutes.getDefaultVault, {}, { key })
    expect(body.secrets).toContainEqual({
      ...{ id, kind: 'node', label: 'https://node.example', walletID: null, rotatedAt: null, unreadableSince: null },
      createdAt: expect.any(Date),
    })
    const { rows } = await sql<{ sealed: Buffer }>`SELECT sealed FROM secrets WHERE id = ${id}`.execute(app.ctx.db)
    for (const hidden of ['node-password', rows[0]?.sealed.toString('base64') ?? '']) expect(text).not.toContain(hidden)
  })

  it('is for who may read vaults; a change needs the permission and proof of presence', async () => {
    const { body: shop } = await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })
    const other = await addOperator(app, { projectId: shop.id, role: 'project_lead' })
    const { refusal } = await app.call(vaultsRoutes.listVaults, {}, { key: other.key })
    expect(refusal?.code).toBe('FORBIDDEN')
    const body = { name: 'Theirs', provider: 'file' as const }
    await sql`UPDATE sessions SET step_up_until = NULL`.execute(app.ctx.db)
    expect(await code(create(body))).toBe('STEP_UP_REQUIRED')
    await sql`UPDATE sessions SET step_up_until = now() + interval '1 hour'`.execute(app.ctx.db)
    expect((await create(body)).status).toBe(201)
  })
})

describe('vaults.createVault', () => {
  it('refuses a name that is taken: VAULT_EXISTS', async () => {
    const { refusal } = await create({ name: 'SERVER', provider: 'file' })
    expect([refusal?.code, refusal?.fields]).toEqual(['VAULT_EXISTS', { name: 'A vault of this name exists.' }])
  })

  it('offers only where the master key comes from: VAULT_PROVIDER_UNAVAILABLE', async () => {
    const { refusal } = await create({ name: newName(), provider: 'env' })
    expect([refusal?.code, refusal?.details]).toEqual(['VAULT_PROVIDER_UNAVAILABLE', 'Choose file, or a passphrase.'])
  })

  it.each([
    [{ name: 'A', provider: 'passphrase' }, { passphrase: 'Passphrase is required' }],
    [
      { name: 'A', provider: 'passphrase', passphrase: 'too short' },
      { passphrase: 'Passphrase must be at least 12 characters long' },
    ],
    [
      { name: 'A', provider: 'file', passphrase: PASSPHRASE },
      { passphrase: 'Only a vault with the provider passphrase has one' },
    ],
    [
      { name: '', provider: 'openbao' },
      { name: 'Name is required', provider: 'Provider must be one of: file, env, passphrase' },
    ],
  ])('refuses %j with each field named', async (body, fields) => {
    expect((await create(body)).refusal?.fields).toEqual(fields)
  })

  it('keeps secrets of unattended work in vault 1, which never has a passphrase', async () => {
    const vaultId = await newVault()
    const webhook = seal(app.ctx, { kind: 'webhook', label: 'Shop', value: Buffer.from('x'), vaultId })
    await expect(webhook).rejects.toThrow('secrets_of_the_server_in_vault_1')
    const { salt } = { salt: randomBytes(16) }
    await expect(
      sql`UPDATE vaults SET provider = 'passphrase', salt = ${salt}, wrapped_root = ${salt}, memory_kib = 8, passes = 1,
          lanes = 1 WHERE id = 1`.execute(app.ctx.db),
    ).rejects.toThrow('vaults_first_opens_by_itself')
  })
})

describe('vaults.unlockVault', () => {
  it('reaches every process that runs, and none that starts later', async () => {
    const others = [await anotherProcess(), await anotherProcess(), await anotherProcess()]
    const vaultId = await newVault()
    const secret = await hotKey(vaultId)
    await lock(vaultId)
    for (const { ctx } of [app, ...others]) await expect(opened(ctx, secret)).rejects.toThrow('The vault is locked')
    expect(await read(vaultId)).toMatchObject({ status: 'locked', processes: { total: 4, unlocked: 0 } })

    expect((await unlock(vaultId)).body.status).toBe('unlocked')
    for (const { ctx } of [app, ...others]) expect(await opened(ctx, secret)).toBe('a private key')
    expect((await sql`SELECT 1 FROM vault_grants`.execute(app.ctx.db)).rows).toEqual([])

    const restarted = await anotherProcess()
    await expect(opened(restarted.ctx, secret)).rejects.toThrow('The vault is locked')
    await vi.waitFor(async () =>
      expect(await read(vaultId)).toMatchObject({ status: 'locked', processes: { total: 5, unlocked: 4 } }),
    )
    await unlock(vaultId)
    expect(await opened(restarted.ctx, secret)).toBe('a private key')
  }, 30_000)

  it('wakes processes, which keep nothing in the open in the database', async () => {
    const other = await anotherProcess()
    const vaultId = await newVault()
    const count = async () =>
      (await sql`SELECT 1 FROM vault_processes WHERE ${vaultId} = ANY (open_vaults)`.execute(app.ctx.db)).rows.length
    await vi.waitFor(async () => expect(await count()).toBe(2), { timeout: 5000 })
    await lock(vaultId)
    expect(await count()).toBe(0)
    await expect(hotKey(vaultId, other.ctx)).rejects.toThrow('The vault is locked')
    const { rows } = await sql`SELECT wrapped_root, salt FROM vaults WHERE id = ${vaultId}`.execute(app.ctx.db)
    expect(JSON.stringify(rows)).not.toContain(PASSPHRASE)
  })

  it('leaves no key in a process that was reading one while the vault was locked', async () => {
    const vaultId = await newVault()
    const vault = { id: vaultId, provider: 'passphrase', lock_count: 0 } as const
    expect(await isOpen(app.ctx, vault)).toBe(true)
    const reading = vaultKey(app.ctx, vault, 1)
    // It has its root key now and asks the database for the key of the vault.
    await Promise.resolve()
    forgetLocked(app.ctx, new Map([[vaultId, 1]]))
    await reading
    expect(heldKeys(app.ctx).keys.has(vaultId)).toBe(false)
  })

  it('sends no key to a row that was written without the master key', async () => {
    const vaultId = await newVault()
    const id = '11111111-1111-4111-8111-111111111111'
    await sql`INSERT INTO vault_processes (id, public_key, proof, lease_until)
              VALUES (${id}, ${randomBytes(32)}, ${randomBytes(32)}, now() + interval '1 hour')`.execute(app.ctx.db)
    await unlock(vaultId)
    expect((await sql`SELECT 1 FROM vault_grants WHERE process_id = ${id}`.execute(app.ctx.db)).rows).toEqual([])
    await sql`DELETE FROM vault_processes WHERE id = ${id}`.execute(app.ctx.db)
  })

  it('refuses a wrong passphrase, and lets who guesses wait: VAULT_PASSPHRASE_WRONG, VAULT_PASSPHRASE_THROTTLED', async () => {
    const [one, other] = [await newVault(), await newVault()]
    for (let guess = 1; guess <= 5; guess += 1) {
      expect(await code(unlock(one, 'a wrong passphrase'))).toBe('VAULT_PASSPHRASE_WRONG')
    }
    const { status, refusal, headers } = await unlock(one)
    expect([status, refusal?.code, headers['retry-after']]).toEqual([429, 'VAULT_PASSPHRASE_THROTTLED', '1'])
    expect(await code(change(one, { passphrase: 'another passphrase', currentPassphrase: PASSPHRASE }))).toBe(
      'VAULT_PASSPHRASE_THROTTLED',
    )
    expect((await unlock(other)).status).toBe(200)
    await endWaits()
    expect((await unlock(one)).status).toBe(200)
  })

  it('has nothing to unlock or lock where there is no passphrase: VAULT_HAS_NO_PASSPHRASE', async () => {
    expect(await code(unlock(1))).toBe('VAULT_HAS_NO_PASSPHRASE')
    expect(await code(lock(1))).toBe('VAULT_HAS_NO_PASSPHRASE')
    const passphrases = { passphrase: PASSPHRASE, currentPassphrase: PASSPHRASE }
    expect(await code(change(1, passphrases))).toBe('VAULT_HAS_NO_PASSPHRASE')
  })
})

describe('vaults.changeVault', () => {
  it('changes the passphrase of a vault that is locked; the former one opens nothing', async () => {
    const vaultId = await newVault()
    const secret = await hotKey(vaultId)
    await lock(vaultId)
    const next = 'another passphrase'
    expect(await code(change(vaultId, { passphrase: next, currentPassphrase: 'not this one' }))).toBe(
      'VAULT_PASSPHRASE_WRONG',
    )
    expect((await change(vaultId, { passphrase: next, currentPassphrase: PASSPHRASE })).body.status).toBe('locked')
    expect(await code(unlock(vaultId))).toBe('VAULT_PASSPHRASE_WRONG')
    expect((await unlock(vaultId, next)).status).toBe(200)
    expect(await opened(app.ctx, secret)).toBe('a private key')
  })

  it('renames and makes the default, of which there is always one', async () => {
    const vaultId = await newVault()
    const name = newName()
    expect((await change(vaultId, { name, isDefault: true })).body).toMatchObject({ name, isDefault: true })
    expect((await app.call(vaultsRoutes.getDefaultVault, {}, { key })).body.id).toBe(vaultId)
    expect((await list()).filter(({ isDefault }) => isDefault)).toHaveLength(1)
    expect(await code(change(vaultId, { name: 'server' }))).toBe('VAULT_EXISTS')
    const { refusal } = await change(vaultId, { isDefault: false })
    expect(refusal?.fields).toEqual({ isDefault: 'Make another vault the default instead' })
    expect(await code(remove(vaultId))).toBe('VAULT_IS_DEFAULT')
    await change(1, { isDefault: true })
    expect((await remove(vaultId)).status).toBe(200)
  })
})

describe('vaults.deleteVault', () => {
  it('deletes only what is empty: VAULT_NOT_EMPTY', async () => {
    const vaultId = await newVault()
    const secret = await hotKey(vaultId)
    expect(await code(remove(vaultId))).toBe('VAULT_NOT_EMPTY')
    expect(await code(remove(1))).toBe('VAULT_NOT_EMPTY')
    await sql`DELETE FROM secrets WHERE id = ${secret}`.execute(app.ctx.db)
    expect((await remove(vaultId)).body.message).toBe('The vault was deleted.')
  })

  it('finds a deleted vault on no route: VAULT_NOT_FOUND', async () => {
    expect((await app.call(vaultsRoutes.getVault, { params: { id: 999 } }, { key })).refusal?.code).toBe(
      'VAULT_NOT_FOUND',
    )
    const all = [change(999, { name: 'x' }), unlock(999), lock(999), rotate(999), remove(999)]
    for (const one of all) expect(await code(one)).toBe('VAULT_NOT_FOUND')
  })
})

describe('vaults.rotateVault', () => {
  const rowsOf = async (id: number) =>
    (
      await sql<{ wrapped_key: Buffer; sealed: Buffer; version: number }>`
      SELECT wrapped_key, sealed, version FROM secrets WHERE id = ${id}`.execute(app.ctx.db)
    ).rows[0]

  it('seals each secret anew under a new key, deletes the old one, and loses nothing', async () => {
    const ids = []
    for (let n = 0; n < 20; n += 1) {
      ids.push(await seal(app.ctx, { kind: 'webhook', label: `Shop ${n}`, value: Buffer.from(`secret ${n}`) }))
    }
    const [first = 0] = ids
    const former = await rowsOf(first)
    const { keyVersion } = (await rotate(1)).body
    expect(keyVersion).toBe(2)
    await continueRotations(app.ctx)
    const next = await rowsOf(first)
    expect(next?.wrapped_key.equals(former?.wrapped_key ?? Buffer.alloc(0))).toBe(false)
    expect(next?.sealed.equals(former?.sealed ?? Buffer.alloc(0))).toBe(false)
    expect(next?.version).toBe(2)
    for (const [n, id] of ids.entries()) expect(await opened(app.ctx, id)).toBe(`secret ${n}`)
    const fresh = await anotherProcess()
    expect(await opened(fresh.ctx, first)).toBe('secret 0')
    expect(await read(1)).toMatchObject({ rotation: null, keyVersion: 2 })
    const { rows } = await sql`SELECT version FROM vault_keys WHERE vault_id = 1`.execute(app.ctx.db)
    expect(rows).toEqual([{ version: 2 }])
    await sql`UPDATE secrets SET wrapped_key = ${former?.wrapped_key}, sealed = ${former?.sealed} WHERE id = ${first}`.execute(
      app.ctx.db,
    )
    // An old row in the place of the new one opens nothing either.
    await expect(open(app.ctx, first)).rejects.toThrow('cannot be opened')
    await sql`DELETE FROM secrets WHERE id = ${first}`.execute(app.ctx.db)
  })

  it('is resumed where it stopped; asked again meanwhile it makes no further key', async () => {
    const id = await seal(app.ctx, { kind: 'webhook', label: 'Shop', value: Buffer.from('before') })
    const { keyVersion, rotation } = (await rotate(1)).body
    expect(rotation).toMatchObject({ done: 0 })
    // A secret that came meanwhile is under the new key; what a transaction had in hand when it died is as it was.
    const during = await seal(app.ctx, { kind: 'webhook', label: 'Shop', value: Buffer.from('during') })
    const died = inTransaction(app.ctx, async (tx) => {
      await continueRotations(tx)
      throw new Error('died')
    })
    await expect(died).rejects.toThrow('died')
    expect((await read(1)).rotation).toMatchObject({ done: 1 })
    expect(await opened(app.ctx, id)).toBe('before')
    expect((await rotate(1)).body.keyVersion).toBe(keyVersion)
    await continueRotations(app.ctx)
    expect((await read(1)).rotation).toBeNull()
    expect([await opened(app.ctx, id), await opened(app.ctx, during)]).toEqual(['before', 'during'])
  })

  it('keeps the key of a secret that it cannot open, and says which', async () => {
    const [id, other] = [await hotKey(1), await hotKey(1)]
    await sql`UPDATE secrets SET version = version + 7 WHERE id = ${id}`.execute(app.ctx.db)
    await rotate(1)
    await continueRotations(app.ctx)
    await watchSecrets(app.ctx)
    const vault = await read(1)
    expect(vault).toMatchObject({ unreadableCount: 1, rotation: { done: vault.secretCount - 1 } })
    expect(vault.secrets.find((one) => one.id === id)?.unreadableSince).toBeInstanceOf(Date)
    expect((await openAlarms(app.ctx)).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['secrets_unreadable', 'vault:1'],
    ])
    expect(await opened(app.ctx, other)).toBe('a private key')
    await sql`UPDATE secrets SET version = version - 7 WHERE id = ${id}`.execute(app.ctx.db)
    await continueRotations(app.ctx)
    expect(await opened(app.ctx, id)).toBe('a private key')
    expect(await read(1)).toMatchObject({ unreadableCount: 0, rotation: null })
    await watchSecrets(app.ctx)
    expect(await openAlarms(app.ctx)).toEqual([])
  })

  it('waits for a vault that is locked: VAULT_LOCKED', async () => {
    const vaultId = await newVault()
    const secret = await hotKey(vaultId)
    expect((await rotate(vaultId)).body).toMatchObject({ keyVersion: 2, rotation: { done: 0, total: 1 } })
    await lock(vaultId)
    expect(await code(rotate(vaultId))).toBe('VAULT_LOCKED')
    await continueRotations(app.ctx)
    expect((await read(vaultId)).rotation).toEqual({ done: 0, total: 1 })
    await unlock(vaultId)
    await continueRotations(app.ctx)
    expect((await read(vaultId)).rotation).toBeNull()
    expect(await opened(app.ctx, secret)).toBe('a private key')
  })
})

describe('npm run check-secrets', () => {
  const run = (key: Buffer): Promise<{ code: number; output: string }> => {
    const home = mkdtempSync(join(tmpdir(), 'kassa-secrets-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    const settings = { KASSA_NETWORK: 'sandbox', KASSA_HOME: home, KASSA_MASTER_KEY: key.toString('hex') }
    const env = { ...process.env, ...settings, DATABASE_URL: app.connectionString }
    return new Promise((resolve) => {
      execFile(process.execPath, [COMMAND], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      )
    })
  }

  it('says whether the master key opens every secret, by name', async () => {
    await sql`DELETE FROM secrets WHERE vault_id > 1`.execute(app.ctx.db)
    await seal(app.ctx, { kind: 'node', label: 'https://of-a-node.example', value: Buffer.from('hidden') })
    expect(await run(masterKey)).toEqual({
      code: 0,
      output: expect.stringContaining('The master key opens every secret.') as string,
    })
    const { code: exit, output } = await run(randomBytes(32))
    expect(exit).toBe(1)
    expect(output).toContain('CLOSED  Server: https://of-a-node.example (node, secret')
    expect(output).not.toContain('hidden')
    // It changes nothing.
    expect(await read(1)).toMatchObject({ unreadableCount: 0 })

    const vaultId = await newVault()
    await hotKey(vaultId)
    const locked = await run(masterKey)
    expect([locked.code, locked.output]).toEqual([1, expect.stringContaining('1 secret(s) were not opened.')])
  }, 60_000)
})
