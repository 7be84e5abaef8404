import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'
import { type CodeOf, reason, sentence } from '../kit/reason.ts'

const text = z.string()
/** When it ends, RFC 3339; null where that is not known. */
const until = z.nullable(z.string())

/** Approvals of a payout; `able`: people who may approve it and have not. */
type Approvals = { readonly given: number; readonly needed: number; readonly able: number }

/** Whether fewer people are left than approvals are missing: the payout waits for a member with the permission. */
export function lacksApprovers({ given, needed, able }: Approvals): boolean {
  return able < needed - given
}

function approvalText(approvals: Approvals & { readonly permission: string }): string {
  const { given, needed, able, permission } = approvals
  const needs = `It needs ${needed} ${needed === 1 ? 'approval' : 'approvals'} and has ${given}.`
  if (!lacksApprovers(approvals)) return needs
  const left = able === 0 ? 'Nobody is left' : `Only ${able} ${able === 1 ? 'person is' : 'people are'} left`
  return `${needs} ${left} who may approve it: give a member a role with ${permission}, or cancel it.`
}

/** Why a payout waits (money.md 7.1); `waitReason` is the code. */
export const PAYOUT_WAITS = {
  APPROVAL: reason({
    params: z.object({ given: int, needed: int, able: int, permission: text }),
    text: approvalText,
  }),
  PAUSED: sentence('Sending is paused, for this project or for all of them. It goes on once somebody resumes it.'),
  LIMIT: reason({
    params: z.object({ until }),
    text: ({ until: end }) => `It is over a limit of the payout policy${end === null ? '.' : ` until ${end}.`}`,
    ends: 'When the hour or the day that the limit counts is over.',
  }),
  EMAIL_CHANGED: reason({
    params: z.object({ until: z.string() }),
    text: ({ until: end }) =>
      `The promoter’s e-mail address was changed: payable from ${end}. Ask them whether it was them.`,
    ends: 'When the promoter has had the address for long enough.',
  }),
  INSUFFICIENT_FUNDS: reason({
    params: z.object({ currency: text, chain: text }),
    text: ({ currency, chain }) => `The hot wallet on ${chain} does not hold enough ${currency}. Fill it up.`,
    ends: 'When enough has arrived at the hot wallet.',
  }),
  GAS: reason({
    params: z.object({ currency: text, chain: text }),
    text: ({ currency, chain }) => `The hot wallet on ${chain} does not hold enough ${currency} for the network fee.`,
    ends: 'When enough has arrived at the hot wallet.',
  }),
  FEE_TOO_HIGH: reason({
    params: z.object({ chain: text }),
    text: ({ chain }) => `The network fee on ${chain} is above the most that is paid for such a transfer.`,
    ends: 'When the fee falls.',
  }),
  NO_WALLET: reason({
    params: z.object({ chain: text }),
    text: ({ chain }) => `No hot wallet sends payouts on ${chain}. Add one under Wallet management.`,
  }),
  NO_PRICE: reason({
    params: z.object({ currency: text }),
    text: ({ currency }) => `There is no trustworthy price of ${currency} now, by which the network fee is bounded.`,
    ends: 'When the price sources agree again.',
  }),
  WOULD_FAIL: reason({
    params: z.object({ reason: text }),
    text: ({ reason: why }) => `The network would refuse it: ${why}. Cancel it, or wait until that has changed.`,
  }),
  WALLET_LOCKED: sentence('The hot wallet waits for a person: its key was used elsewhere.'),
  BUSY: sentence('The hot wallet has as many transactions under way as nodes keep. It follows in its turn.'),
  CHAIN_DOWN: reason({
    params: z.object({ chain: text }),
    text: ({ chain }) =>
      `No node of ${chain} answers, its newest blocks are not read yet, or the network is switched off.`,
    ends: 'When a node answers again and its blocks are read.',
  }),
  ASSET_OFF: reason({
    params: z.object({ currency: text, chain: text }),
    text: ({ currency, chain }) =>
      `Payouts in ${currency} on ${chain} are switched off. Switch them on under Blockchains, or cancel it.`,
    ends: 'When payouts in it are switched on again.',
  }),
  VAULT_LOCKED: sentence('The vault that holds the key of the hot wallet is locked. Unlock it.'),
  CONFIRMATIONS: reason({
    params: z.object({ current: int, required: int }),
    text: ({ current, required }) => `It has ${current} of ${required} confirmations.`,
    ends: 'When enough blocks have been built on it.',
  }),
  STUCK: sentence('No block takes it: the network fee is above its ceiling. Raise the ceiling, or wait.'),
} as const

export type PayoutWaits = typeof PAYOUT_WAITS
export type PayoutWait = CodeOf<PayoutWaits>
