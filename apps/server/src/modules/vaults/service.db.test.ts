import { createPublicKey, verify } from 'node:crypto'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { testKeys } from '../../testing/config.ts'
import { openAlarms } from '../alarms/service.ts'
import { watchSecrets } from './check-secrets.ts'
import { addressProofMessage } from './rules.ts'
import { addressProofKey, forget, open, seal, signAddressProof } from './service.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(async () => {
  await app.stop()
})

const secret = { kind: 'webhook_secret', label: 'Shop', value: Buffer.from('whsec_a_secret') }

describe('vaults.seal', () => {
  it('is opened by its id and by nothing else', async () => {
    const [one, other] = [await seal(app.ctx, secret), await seal(app.ctx, { ...secret, value: Buffer.from('second') })]
    expect((await open(app.ctx, one)).toString()).toBe('whsec_a_secret')
    expect((await open(app.ctx, other)).toString()).toBe('second')
    const { rows } = await sql`SELECT encode(sealed, 'escape') AS text FROM secrets`.execute(app.ctx.db)
    expect(JSON.stringify(rows)).not.toContain('whsec_a_secret')
  })

  it('stays closed to another master key', async () => {
    const id = await seal(app.ctx, secret)
    const stranger = { ...app.ctx, keys: testKeys(), memory: new Map() }
    await expect(open(stranger, id)).rejects.toThrow(`Secret ${id} cannot be opened`)
  })

  it('notices a row that was put in the place of another', async () => {
    await watchSecrets(app.ctx)
    const [one, other] = [await seal(app.ctx, secret), await seal(app.ctx, secret)]
    await sql`UPDATE secrets a SET wrapped_key = b.wrapped_key, sealed = b.sealed FROM secrets b
              WHERE a.id = ${one} AND b.id = ${other}`.execute(app.ctx.db)
    await expect(open(app.ctx, one)).rejects.toThrow('cannot be opened')
    // The other vault secrets, such as those of webhooks, still open.
    expect((await open(app.ctx, other)).toString()).toBe('whsec_a_secret')
    const alarm = (await openAlarms(app.ctx)).find(({ kind }) => kind === 'secrets_unreadable')
    expect(alarm?.text).toContain('1 secret(s) of the vault Server cannot be opened')
    await forget(app.ctx, one)
    await watchSecrets(app.ctx)
    expect(await openAlarms(app.ctx)).toEqual([])
  })

  it('is deleted by forget', async () => {
    const id = await seal(app.ctx, secret)
    await forget(app.ctx, id)
    await expect(open(app.ctx, id)).rejects.toThrow('There is no secret')
  })
})

describe('vaults.signAddressProof', () => {
  const claim = { reference: '0190…', blockchainCode: 'BASE', address: '0xAbc' }
  const publicKey = async () => {
    const x = Buffer.from((await addressProofKey(app.ctx)).publicKey, 'base64')
    expect(x).toHaveLength(32)
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') }, format: 'jwk' })
  }

  it('makes one key, even when several ask at once', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => addressProofKey(app.ctx)))
    expect(new Set(keys.map((key) => key.publicKey)).size).toBe(1)
    const { rows } = await sql`SELECT 1 FROM secrets WHERE kind = 'address_proof'`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
  })

  it('opens its secret to sign, not to say its public half again', async () => {
    const { publicKey } = await addressProofKey(app.ctx)
    await sql`UPDATE secrets SET version = version + 1 WHERE kind = 'address_proof'`.execute(app.ctx.db)
    expect(await addressProofKey(app.ctx)).toEqual({ publicKey })
    await expect(signAddressProof(app.ctx, claim)).rejects.toThrow('cannot be opened')
    await sql`UPDATE secrets SET version = version - 1 WHERE kind = 'address_proof'`.execute(app.ctx.db)
  })

  it('proves exactly this address for this payment', async () => {
    const proof = Buffer.from(await signAddressProof(app.ctx, claim), 'base64')
    expect(verify(null, addressProofMessage(claim), await publicKey(), proof)).toBe(true)
    const lie = addressProofMessage({ ...claim, address: '0xAbd' })
    expect(verify(null, lie, await publicKey(), proof)).toBe(false)
  })
})
