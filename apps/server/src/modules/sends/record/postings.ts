/**
 * What sends write to the ledger (money.md 4.3): the hot wallet's side. The module that asked for the send books whose money it
 * was.
 */
import type { SendPurpose } from '@kassa/contract/sends/machine.ts'

import type { AccountKind, Entry, Line } from '../../ledger/service.ts'
import type { Send } from './send.ts'

type Account = Line['debit']

type Held = Pick<
  Send,
  'id' | 'walletId' | 'blockchainId' | 'purpose' | 'projectId' | 'assetId' | 'units' | 'feeAssetId'
>

/** Reserves the amount in the float when the bytes are signed; no entry where only a fee leaves the wallet. */
export function amountEntries(send: Held): Entry[] {
  const { assetId, units } = send
  if (assetId === null) return []
  const lines = [line(accountOf(send, 'chain:hot-held', assetId), accountOf(send, 'chain:hot', assetId), units)]
  return [{ ...entryOf(send, 'reserve'), source: `send:${send.id}:reserve`, lines }]
}

/** Reserves the fee ceiling in the float when the bytes are signed. */
export function ceilingEntry(send: Held & Pick<Send, 'feeCeiling'>): Entry {
  return feeEntry(send, `send:${send.id}:reserve-fee`, send.feeCeiling)
}

/** Reserves what a raised ceiling adds to the old one. */
export function raiseEntry(send: Held & Pick<Send, 'ceilings'>, added: bigint): Entry {
  return feeEntry(send, `send:${send.id}:raise-fee:${send.ceilings}`, added)
}

function feeEntry(send: Held, source: string, units: bigint): Entry {
  const { feeAssetId } = send
  const lines = [line(accountOf(send, 'chain:hot-held', feeAssetId), accountOf(send, 'chain:hot', feeAssetId), units)]
  return { ...entryOf(send, 'reserve'), source, lines }
}

/**
 * Books what the chain decided: the fee is spent, and the rest of the ceiling returns to the float, as does the amount of a
 * failed send. The module that asked for the send takes the amount of a processed one out of what is held.
 */
export function decisionEntry(
  send: Held & Pick<Send, 'feeCeiling' | 'decisions'>,
  decided: { readonly feeUnits: bigint; readonly height: number; readonly isProcessed: boolean },
): Entry {
  const { feeAssetId, feeCeiling, assetId, units } = send
  const held = (unitId: number) => accountOf(send, 'chain:hot-held', unitId)
  const float = (unitId: number) => accountOf(send, 'chain:hot', unitId)
  const fees = feesOf(send)
  const { feeUnits, height, isProcessed } = decided
  const ofCeiling = feeUnits < feeCeiling ? feeUnits : feeCeiling
  const lines = [
    line(fees, held(feeAssetId), ofCeiling),
    // A fee without a cap, such as an OP-stack chain's for its first layer, may exceed the ceiling.
    line(fees, float(feeAssetId), feeUnits - ofCeiling),
    line(float(feeAssetId), held(feeAssetId), feeCeiling - ofCeiling),
    ...(assetId === null || isProcessed ? [] : [line(float(assetId), held(assetId), units)]),
  ]
  return {
    ...entryOf(send, 'decide'),
    source: `${decisionSource(send.id)}decide:${send.decisions}`,
    at: { blockchainId: send.blockchainId, height },
    lines: linesOf(send, lines),
  }
}

/** How the sources of what was decided about a send start. */
function decisionSource(sendId: bigint): string {
  return `send-decision:${sendId}:`
}

/**
 * Books that a reorganisation undid the decision: the fee is held again and is the ceiling from now on. What the old ceiling
 * released stays in the float, where it may have been spent since.
 */
export function reopenEntry(send: Held & Pick<Send, 'decisions' | 'feeUnits'>): Entry {
  const { feeAssetId, feeUnits } = send
  return {
    ...entryOf(send, 'reopen'),
    source: `${decisionSource(send.id)}reopen:${send.decisions}`,
    lines: linesOf(send, [line(accountOf(send, 'chain:hot-held', feeAssetId), feesOf(send), feeUnits ?? 0n)]),
  }
}

/**
 * The lines that move something. Where nothing moves, because the chain took no fee, a unit goes there and back: an entry has
 * lines, and each decision and each reopening has its entry.
 */
function linesOf(send: Held, lines: readonly Line[]): Line[] {
  const moving = lines.filter(({ units }) => units > 0n)
  if (moving.length > 0) return moving
  const [held, fees] = [accountOf(send, 'chain:hot-held', send.feeAssetId), feesOf(send)]
  return [line(held, fees, 1n), line(fees, held, 1n)]
}

function feesOf({ projectId, feeAssetId }: Held): Account {
  return { kind: 'fees:network', owner: projectId === null ? 'install:0' : `project:${projectId}`, unitId: feeAssetId }
}

const POSTINGS = {
  payout: { reserve: 'payout.reserve', decide: 'payout.fee', reopen: 'payout.reopen' },
  sweep: { reserve: 'gas.reserve', decide: 'sweep.fee', reopen: 'gas.reopen' },
  topup: { reserve: 'gas.reserve', decide: 'gas.release', reopen: 'gas.reopen' },
  deploy: { reserve: 'gas.reserve', decide: 'gas.release', reopen: 'gas.reopen' },
} as const satisfies Record<SendPurpose, Record<'reserve' | 'decide' | 'reopen', string>>

function entryOf({ purpose, projectId }: Held, event: 'reserve' | 'decide' | 'reopen') {
  return { posting: POSTINGS[purpose][event], projectId, at: null }
}

function accountOf({ walletId }: Held, kind: AccountKind, unitId: number): Account {
  return { kind, owner: `wallet:${walletId}`, unitId }
}

function line(debit: Account, credit: Account, units: bigint): Line {
  return { debit, credit, units }
}
