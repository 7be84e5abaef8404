import { type AlarmParams, ALARMS } from '@kassa/contract/alarms/catalogue.ts'
import type { AlarmKind } from '@kassa/contract/alarms/schemas.ts'
import { type Catalogue, textOf } from '@kassa/contract/kit/reason.ts'
import { describe, expect, it } from 'vitest'

import { alarmText } from './alarm-texts.ts'

const at = { blockchainCode: 'BASE', height: 512 } as const
const contract = { blockchainCode: 'ETH', contract: '0x41' }
const usdc = { currencyCode: 'USDC', blockchainCode: 'BASE' } as const

/** Every case of every kind. */
const SAMPLES: { readonly [Kind in AlarmKind]: readonly AlarmParams<Kind>[] } = {
  chain_behind: [
    { blockchainCode: 'BASE', lagBlocks: 84, minutes: 12 },
    { blockchainCode: 'BASE', lagBlocks: null, minutes: 12 },
  ],
  chain_silent: [{ ...at, minutes: 12 }],
  chain_halted: [
    { ...at, halt: { case: 'too_deep', limit: 64, height: 500 } },
    { ...at, halt: { case: 'below_final', height: 501 } },
    { ...at, halt: { case: 'spent', detail: 'deposit:7 takes too much' } },
    { ...at, halt: { case: 'resume_block_gone', height: 502 } },
    { ...at, halt: { case: 'resume_spent', height: 503, detail: 'deposit:7 takes too much' } },
  ],
  block_quarantined: [
    { ...at, error: 'Unknown type 0x7e.', missing: 0, concernsUs: false },
    { ...at, error: 'Unknown type 0x7e.', missing: 3, concernsUs: true },
  ],
  node_forked: [
    { case: 'replaced_final', node: 'one.example', height: 512 },
    { case: 'outvoted', ...at, node: 'one.example', hash: '0xaa', majorityHash: '0xbb' },
    {
      case: 'no_majority',
      ...at,
      answers: [
        { node: 'one.example', hash: '0xaa' },
        { node: 'two.example', hash: '0xbb' },
      ],
    },
  ],
  node_disagreement: [
    ...(['other_block', 'no_transfer', 'no_rise'] as const).map((kind) => ({
      ...({ case: 'deposit', ...at, txHash: '0xabc', leg: '0', node: 'one.example' } as const),
      contradiction: kind === 'other_block' ? ({ case: kind, hash: '0xbb' } as const) : ({ case: kind } as const),
    })),
    {
      ...{ case: 'balance', blockchainCode: 'BASE', address: '0x5a', node: 'one.example', units: '70' },
      ...{ otherNode: 'two.example', otherUnits: '30' },
    },
  ],
  watch_missed: [
    { case: 'deposits', blockchainCode: 'BASE', count: 2, from: 7, to: 7, node: 'one.example', rescan: null },
    { case: 'deposits', blockchainCode: 'BASE', count: 2, from: 7, to: 9, node: 'one.example', rescan: 'a payer' },
    { case: 'no_traces', blockchainCode: 'BASE', from: 7, to: 9 },
  ],
  asset_changed: [
    { case: 'short_transfer', ...usdc, txHash: '0xabc' },
    { case: 'switched_off', ...usdc, change: { case: 'no_contract', address: '0x5a' } },
    { case: 'switched_off', ...usdc, change: { case: 'no_decimals', address: '0x5a' } },
    { case: 'switched_off', ...usdc, change: { case: 'other_decimals', address: '0x5a', decimals: 18, listed: 6 } },
  ],
  hot_spent_outside: [{ ...usdc, amount: '70.5', address: '0x5a', to: '0x22', txHash: '0xabc' }],
  ledger_imbalance: [
    { case: 'invariant', rule: 'No guarded account is below zero.' },
    { case: 'chain_total', ...usdc, height: 512, chain: '70.5', ledger: '30.25' },
    { case: 'sides' },
    { case: 'missing', ...usdc, height: 512, amount: '70.5', address: '0x5a' },
    { case: 'drawn', ...usdc, height: 512, amount: '70.5', address: '0x5a', txHash: '0xabc' },
    { case: 'surplus', ...usdc, height: 512, amount: '70.5', address: '0x5a' },
  ],
  address_forged: [
    { walletID: 7, what: 'address' },
    { walletID: 7, what: 'xpub' },
    { walletID: 7, what: 'vault' },
    { blockchainCode: 'BASE', contract: '0x9f', what: 'contract' },
  ],
  addresses_low: [{ walletID: 7, left: 150 }],
  collector_change_pending: [
    { case: 'collector', ...contract, current: '0x9f', proposed: '0x12', by: '0x77', readyAt: '2026-11-28T20:00:00Z' },
    { case: 'owner', ...contract, current: '0x77', proposed: '0x12', by: '0x77', readyAt: '2026-11-28T20:00:00Z' },
    { case: 'collector_changed', ...contract, expected: '0x9f', found: '0x12' },
  ],
  secrets_unreadable: [
    { case: 'rows', vaultName: 'Server', count: 1, names: ['https://node.example'] },
    { case: 'rows', vaultName: 'Server', count: 7, names: ['A', 'B', 'C', 'D', 'E'] },
    { case: 'all', vaultName: 'Server' },
  ],
  hot_wallet_locked: [
    { case: 'used_elsewhere', walletID: 7, blockchainCode: 'BASE', expected: '12', found: '13' },
    { case: 'behind', walletID: 7, blockchainCode: 'BASE', expected: '12', found: '15' },
    { case: 'below_final', walletID: 7, blockchainCode: 'BASE', height: 512 },
  ],
  hot_wallet_low: [
    { walletID: 7, blockchainCode: 'BASE', currencyCode: 'ETH', address: '0x5a', needed: '0.02', held: '0.0015' },
  ],
  send_stuck: [{ walletID: 7, blockchainCode: 'BASE', txHash: '0xfeed', minutes: 12 }],
  refund_unfunded: [{ blockchainCode: 'BASE', amount: '25', currencyCode: 'USDC', txHash: '0xfeed', payoutID: 12 }],
  send_unbooked: [{ walletID: 7, blockchainCode: 'BASE', txHash: '0xfeed' }],
  send_unproven: [
    { case: 'one_operator', walletID: 7, blockchainCode: 'BASE', txHash: '0xfeed', minutes: 15 },
    { case: 'disagreement', walletID: 7, blockchainCode: 'BASE', txHash: '0xfeed', minutes: 15 },
  ],
  permission_unproven: [
    { case: 'one_operator', blockchainCode: 'BASE', count: 1, minutes: 15 },
    { case: 'one_operator', blockchainCode: 'BASE', count: 7, minutes: 15 },
    { case: 'disagreement', blockchainCode: 'BASE', count: 1, minutes: 15 },
    { case: 'disagreement', blockchainCode: 'BASE', count: 7, minutes: 15 },
  ],
  delegations_low: [{ walletID: 7, blockchainCode: 'BASE', left: 12, signed: 1000 }],
  sweep_failed: [{ sweepID: 4, walletID: 1, blockchainCode: 'ETH', currencyCode: 'USDC' }],
  price_missing: [
    { currencyCode: 'USDC', sources: [] },
    { currencyCode: 'USDC', sources: [{ name: 'Kraken', why: null }] },
    { currencyCode: 'USDC', sources: [{ name: 'Kraken', why: 'too old' }] },
  ],
  peg_lost: [
    { currencyCode: 'USDC', priceInUSD: '0.94' },
    { currencyCode: 'USDC', priceInUSD: null },
  ],
  endpoint_failing: [{ endpoint: 'shop.example (webhook 4)', projectName: 'Acme', minutes: 15 }],
  endpoint_gone: [{ endpoint: 'shop.example (webhook 4)' }],
  mail_failing: [
    { host: 'mail.example', error: 'It does not answer.' },
    { host: 'mail.example', error: null },
  ],
  activity_log_broken: [
    { case: 'changed', entry: 812 },
    { case: 'removed', entry: 813 },
    { case: 'added', entry: 814 },
  ],
  passkey_copied: [{ memberID: 7, passkey: 'Phone' }],
}

const cases = Object.entries(SAMPLES).flatMap(([kind, samples]) =>
  samples.map((params) => ({ kind: kind as AlarmKind, params: params as Record<string, unknown> })),
)

/** What must stand in the sentence: every number and text among the parameters, but the name of the case. */
function values(params: unknown): string[] {
  if (typeof params === 'number' || typeof params === 'string') return [String(params)]
  if (typeof params !== 'object' || params === null) return []
  return Object.entries(params).flatMap(([name, value]) => (name === 'case' ? [] : values(value)))
}

describe('alarmText', () => {
  it.each(cases)('says all of $kind $params', ({ kind, params }) => {
    const said = alarmText({ kind, params, text: 'an older text' })
    expect(said).not.toContain('an older text')
    for (const value of values(params)) expect(said.toLowerCase()).toContain(value.toLowerCase())
  })

  it.each(cases)('says all of $kind $params in the English of the server', ({ kind, params }) => {
    const catalogue: Catalogue = ALARMS
    const said = textOf(catalogue, { code: kind, params: params as never })
    for (const value of values(params)) expect(said).toContain(value)
  })

  it.each(SAMPLES.ledger_imbalance)('names the ledger in one word: $case', (params) => {
    const kind = 'ledger_imbalance'
    const catalogue: Catalogue = ALARMS
    for (const said of [
      alarmText({ kind, params, text: '' }),
      textOf(catalogue, { code: kind, params: params as never }),
    ]) {
      expect(said).not.toMatch(/(?<!-)\bbooks\b/)
    }
  })

  it('keeps the sentence of the server for what it does not know', () => {
    const text = 'BASE is behind.'
    expect(alarmText({ kind: 'chain_behind', params: null, text })).toBe(text)
    expect(alarmText({ kind: 'chain_behind', params: { blocks: 3 }, text })).toBe(text)
  })
})
