/** What an approval covers and the sender signs, computed from the row alone. */
import { createHash } from 'node:crypto'
import { wordlist } from '@scure/bip39/wordlists/english.js'

import { canonicalJson } from '../../../http/step-up/canonical-json.ts'
import type { WithdrawalRow } from './tables.ts'

type Approved = Pick<
  WithdrawalRow,
  | 'id'
  | 'project_id'
  | 'blockchain_id'
  | 'asset_id'
  | 'contract'
  | 'units'
  | 'to_address'
  | 'policy_version'
  | 'referrer_id'
  | 'reward_unit_id'
  | 'reward_units'
>

/** The decoded payload of a payout: everything that decides what is sent, to whom, and under which policy. */
export function payloadOf(row: Approved): Readonly<Record<string, string | number>> {
  return {
    id: String(row.id),
    project: row.project_id,
    chain: row.blockchain_id,
    asset: row.asset_id,
    contract: row.contract,
    units: row.units,
    address: row.to_address,
    policyVersion: row.policy_version,
    ...(row.referrer_id !== null && {
      referrer: row.referrer_id,
      rewardUnit: row.reward_unit_id ?? 0,
      rewardUnits: row.reward_units ?? '0',
    }),
  }
}

/** SHA-256 of the canonical JSON of the payload. */
export function digestOfPayout(row: Approved): Buffer {
  return createHash('sha256')
    .update(canonicalJson(payloadOf(row)))
    .digest()
}

/** Words per word check: 44 bits of the digest. A second payload with the same words cannot be found in the time of an approval. */
const WORDS = 4
/** A word of the list of 2,048 encodes 11 bits. */
const BITS = 11n

/** Four words of a digest, by which people compare two screens. */
export function wordsOf(digest: Buffer): string {
  const bits = BigInt(`0x${digest.subarray(0, 6).toString('hex')}`) >> 4n
  return Array.from({ length: WORDS }, (_, n) => {
    const index = Number((bits >> (BITS * BigInt(WORDS - 1 - n))) & 2047n)
    return wordlist[index] ?? ''
  }).join(' ')
}
