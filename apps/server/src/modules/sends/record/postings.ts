/** What sends write to the ledger (money.md 4.3): the side of the hot wallet. Whose money it was is said by the business. */
import type { SendPurpose } from '@kassa/contract/sends/machine.ts'

import type { AccountKind, Entry, Line } from '../../ledger/service.ts'
import type { Send } from './send.ts'

type Account = Line['debit']

type Held = Pick<
  Send,
  'id' | 'walletId' | 'blockchainId' | 'purpose' | 'projectId' | 'assetId' | 'units' | 'feeAssetId'
>

/** Reserves the amount in the float, when the bytes are signed; nothing where only a fee leaves the wallet. */
export function amountEntries(send: Held): Entry[] {
  const { assetId, units } = send
  if (assetId === null) return []
  const lines = [line(accountOf(send, 'chain:hot-held', assetId), accountOf(send, 'chain:hot', assetId), units)]
  return [{ ...entryOf(send, 'reserve'), source: `send:${send.id}:reserve`, lines }]
}

/** Reserves the fee ceiling in the float, when the bytes are signed. */
export function ceilingEntry(send: Held & Pick<Send, 'feeCeiling'>): Entry {
  return feeEntry(send, `send:${send.id}:reserve-fee`, send.feeCeiling)
}

function feeEntry(send: Held, source: string, units: bigint): Entry {
  const { feeAssetId } = send
  const lines = [line(accountOf(send, 'chain:hot-held', feeAssetId), accountOf(send, 'chain:hot', feeAssetId), units)]
  return { ...entryOf(send, 'reserve'), source, lines }
}

const POSTINGS = {
  payout: { reserve: 'payout.reserve', decide: 'payout.fee' },
  sweep: { reserve: 'gas.reserve', decide: 'gas.release' },
  topup: { reserve: 'gas.reserve', decide: 'gas.release' },
  deploy: { reserve: 'gas.reserve', decide: 'gas.release' },
} as const satisfies Record<SendPurpose, Record<'reserve' | 'decide', string>>

function entryOf({ purpose, projectId }: Held, event: 'reserve' | 'decide') {
  return { posting: POSTINGS[purpose][event], projectId, at: null }
}

function accountOf({ walletId }: Held, kind: AccountKind, unitId: number): Account {
  return { kind, owner: `wallet:${walletId}`, unitId }
}

function line(debit: Account, credit: Account, units: bigint): Line {
  return { debit, credit, units }
}
