import { randomBytes } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { openEnvelope, sealEnvelope } from './envelope.ts'
import { envelopeLabel } from '../rules.ts'

const masterKey = randomBytes(32)
const label = envelopeLabel({ vaultId: 1, id: 7, kind: 'webhook_secret', version: 1 })

describe('vaults.sealEnvelope', () => {
  it('gives back any value to who has master key and label', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const value = Buffer.from(bytes)
        expect(openEnvelope(masterKey, sealEnvelope(masterKey, value, label), label)).toEqual(value)
      }),
    )
  })

  it('seals equal values differently and shows nothing of them', () => {
    const value = Buffer.from('a secret that is easy to find')
    const one = sealEnvelope(masterKey, value, label)
    const other = sealEnvelope(masterKey, value, label)
    expect(one.sealed.equals(other.sealed)).toBe(false)
    expect(one.wrappedKey.equals(other.wrappedKey)).toBe(false)
    expect(one.sealed.includes(value)).toBe(false)
  })

  it('refuses another master key, another label and another secret in its place', () => {
    const envelope = sealEnvelope(masterKey, Buffer.from('value'), label)
    const stranger = sealEnvelope(masterKey, Buffer.from('value'), label)
    expect(() => openEnvelope(randomBytes(32), envelope, label)).toThrow('unable to authenticate')
    expect(() =>
      openEnvelope(masterKey, envelope, envelopeLabel({ vaultId: 1, id: 8, kind: 'webhook_secret', version: 1 })),
    ).toThrow('unable to authenticate')
    expect(() => openEnvelope(masterKey, { ...envelope, sealed: stranger.sealed }, label)).toThrow(
      'unable to authenticate',
    )
  })

  it('notices every changed bit', () => {
    const envelope = sealEnvelope(masterKey, Buffer.from('value'), label)
    for (const part of ['wrappedKey', 'sealed'] as const) {
      for (let at = 0; at < envelope[part].length; at += 1) {
        const changed = Buffer.from(envelope[part])
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
        expect(() => openEnvelope(masterKey, { ...envelope, [part]: changed }, label)).toThrow('unable to authenticate')
      }
    }
    expect(() => openEnvelope(masterKey, { ...envelope, sealed: Buffer.alloc(5) }, label)).toThrow('too short')
  })
})

describe('vaults.envelopeLabel', () => {
  it('has the form of the key ceremony', () => {
    expect(label).toBe('kassa|1|7|webhook_secret|1')
    expect(envelopeLabel({ vaultId: 2, id: 7, kind: 'hot_key', version: 3 })).toBe('kassa|2|7|hot_key|3')
  })
})
