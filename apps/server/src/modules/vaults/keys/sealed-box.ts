/** A box that only one process can open: X25519 (RFC 7748), HKDF-SHA256 (RFC 5869), AES-256-GCM. */
import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto'

import { openBytes, sealBytes } from './envelope.ts'

const KEY_BYTES = 32
const INFO = 'kassa vault grant'

export type BoxKeys = {
  /** 32 bytes. */
  readonly publicKey: Buffer
  readonly privateKey: KeyObject
}

/** Makes the keys of a box; the private one exists in this process only. */
export function makeBoxKeys(): BoxKeys {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return { publicKey: rawKey(publicKey), privateKey }
}

/** Seals a value to the owner of the private key: the public half of a key made for this box, then the sealed value. */
export function sealTo(publicKey: Buffer, value: Buffer, label: string): Buffer {
  const once = makeBoxKeys()
  const key = agree(once.privateKey, publicKey, [once.publicKey, publicKey])
  try {
    return Buffer.concat([once.publicKey, sealBytes(key, value, label)])
  } finally {
    key.fill(0)
  }
}

/** Opens a box. @throws Error when it was sealed to another key, for another label, or a single bit differs */
export function openBox({ publicKey, privateKey }: BoxKeys, box: Buffer, label: string): Buffer {
  const once = box.subarray(0, KEY_BYTES)
  if (once.length < KEY_BYTES) throw new Error('A box is too short')
  const key = agree(privateKey, once, [once, publicKey])
  try {
    return openBytes(key, box.subarray(KEY_BYTES), label)
  } finally {
    key.fill(0)
  }
}

function agree(privateKey: KeyObject, other: Buffer, both: readonly Buffer[]): Buffer {
  const jwk = { kty: 'OKP', crv: 'X25519', x: other.toString('base64url') }
  const shared = diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
  try {
    return Buffer.from(hkdfSync('sha256', shared, Buffer.concat(both), INFO, KEY_BYTES))
  } finally {
    shared.fill(0)
  }
}

function rawKey(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
}
