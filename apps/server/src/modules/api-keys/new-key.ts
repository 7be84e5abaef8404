import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

import type { Network } from '../../config/config.ts'
import { hashCredential } from '../../credentials.ts'

/** 256 random bits are 43 characters of base64url (api.md 2.1). */
const RANDOM_BYTES = 32
/** Six digits of base 62 hold the 32 bits of a CRC-32, by which scanners distinguish a key from similar text. */
const CHECK_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** `kp_live_` and four random characters: recognisable, and of no use to a thief. */
const SHOWN_PREFIX = 12

export type NewKey = {
  readonly text: string
  readonly hash: Buffer
  readonly prefix: string
  readonly last4: string
}

/** Makes a project API key; `live` in its name means that real money moves. */
export function newKey(network: Network): NewKey {
  const body = `kp_${network === 'mainnet' ? 'live' : 'test'}_${randomBytes(RANDOM_BYTES).toString('base64url')}`
  const text = body + checkCharacters(body)
  return { text, hash: hashCredential(text), prefix: text.slice(0, SHOWN_PREFIX), last4: text.slice(-4) }
}

/** Returns the check characters of a key's other characters. */
export function checkCharacters(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < CHECK_LENGTH; place += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}
