import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** AES-256-GCM as money.md 5.3 asks: 96-bit random nonce, 128-bit tag, 256-bit keys. */
const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

export type Envelope = { readonly wrappedKey: Buffer; readonly sealed: Buffer }

/** Seals a value under a data key of its own, which the master key wraps; both are bound to `label` as AAD. */
export function sealEnvelope(masterKey: Buffer, value: Buffer, label: string): Envelope {
  const dataKey = randomBytes(KEY_BYTES)
  try {
    return { wrappedKey: sealBytes(masterKey, dataKey, label), sealed: sealBytes(dataKey, value, label) }
  } finally {
    dataKey.fill(0)
  }
}

/** Opens what `sealEnvelope` sealed. @throws Error when the master key, the label or a single bit differs */
export function openEnvelope(masterKey: Buffer, envelope: Envelope, label: string): Buffer {
  const dataKey = openBytes(masterKey, envelope.wrappedKey, label)
  try {
    return openBytes(dataKey, envelope.sealed, label)
  } finally {
    dataKey.fill(0)
  }
}

/** Seals bytes under a key of 32 bytes, bound to `label` as AAD: nonce, text, tag. */
export function sealBytes(key: Buffer, value: Buffer, label: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(label))
  return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `sealBytes` sealed. @throws Error when the key, the label or a single bit differs */
export function openBytes(key: Buffer, box: Buffer, label: string): Buffer {
  if (box.length < NONCE_BYTES + TAG_BYTES) throw new Error('A sealed value is too short')
  const cipher = createDecipheriv(ALGORITHM, key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(label)).setAuthTag(box.subarray(-TAG_BYTES))
  return Buffer.concat([cipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()])
}
