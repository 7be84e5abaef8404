import type { ChainSession } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { chainIn } from '@kassa/chains/chain.ts'

import type { Context } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { genuineSource } from '../../wallets/service.ts'
import { listReserved, type OutputRow } from '../record/outputs-store.ts'
import { isNodesFault, sessionOf } from './nodes.ts'
import { listBrought } from './outputs-store.ts'
import { type AssetPlan, type Entry, leftOutBy, leftOutOf, type PlannedBatch } from './plan-method.ts'
import { affordable, type Batch, planBatches, type Terms } from './rules.ts'
import { coldEndOf, type OutputChain } from './sources.ts'
import { termsOf } from './terms.ts'

/** Outputs that one transaction spends at most: 136,000 units of weight, a third of what nodes relay (money.md 6.11). */
const MOST_INPUTS = 500

/** Recent prices of a virtual byte, by blockchain: a page that is open asks again and again. */
const recent = remembered((): Map<number, { readonly at: number; readonly rate: bigint }> => new Map())

const RECENT_MS = 10_000

/** Returns what a virtual byte costs now. @throws what the node fails with */
export async function feeRateOf(ctx: Context, { row, psbts }: OutputChain, session: ChainSession): Promise<bigint> {
  const rates = recent(ctx)
  const known = rates.get(row.id)
  const now = ctx.now().getTime()
  if (known && Math.abs(now - known.at) < RECENT_MS) return known.rate
  const rate = await psbts.feeRate(session)
  rates.set(row.id, { at: now, rate })
  return rate
}

type Asked = {
  readonly asset: Asset
  readonly walletId: number
  readonly entries: readonly Entry[]
  readonly mostBatches: number
}

/**
 * Plans what addresses of a wallet hold in outputs, each address whole, at the current price of a virtual byte. As many batches
 * as the caller asks for are compared with a node, and the next plan takes the rest; with none, the ledger alone answers.
 */
export async function planOutputs(ctx: Context, chain: OutputChain, asked: Asked): Promise<AssetPlan> {
  const { asset, walletId, entries, mostBatches } = asked
  const { row, psbts } = chain
  const end = await coldEndOf(ctx, chain)
  if ('wait' in end) return leftOutOf(walletId, end.wait, entries)
  const session = await sessionOf(ctx, row.id)
  const noNode = { code: 'NODE_CONNECTION_FAILED', params: { chain: row.code } } as const
  if (!session) return leftOutOf(walletId, noNode, entries)
  try {
    const gasPrice = await feeRateOf(ctx, chain, session)
    const found = await termsOf(ctx, asset, { method: 'psbt', gasPrice })
    if ('wait' in found) return leftOutOf(walletId, found.wait, entries)
    const source = await genuineSource(ctx, walletId, findFamily(row.definition.family)?.id ?? 0)
    if (source.kind !== 'xpub') return leftOutOf(walletId, { code: 'WOULD_FAIL', params: { reason: NO_KEY } }, entries)
    const sizes = psbts.sizes(chainIn(ctx.config.network, row.definition), { source, to: end.address })
    const terms = termsIn(found.terms, sizes)
    const lying = await withOutputs(ctx, chain, { asset, entries, size: sizes.input })
    const first = planBatches(lying, terms)
    const { sound, unsound } = await compared(chain, session, first.batches.slice(0, mostBatches), sizes.input)
    const last = mostBatches === 0 ? first : planBatches(sound, terms)
    const skipped = mostBatches === 0 ? first.skipped : [...first.skipped, ...last.skipped]
    const strange = { code: 'WOULD_FAIL', params: { reason: STRANGE } } as const
    return {
      batches: last.batches.map((batch) => batchOf(batch, terms, { walletId, collector: end.address })),
      leftOut: [...leftOutBy(walletId, { asset, terms }, skipped), ...leftOutOf(walletId, strange, unsound).leftOut],
    }
  } catch (error) {
    if (!isNodesFault(error)) throw error
    ctx.log.warn({ err: error }, 'a node did not report the value of outputs')
    return leftOutOf(walletId, noNode, entries)
  }
}

const NO_KEY = 'its wallet has no extended public key there'
const STRANGE = 'its outputs do not hold what the ledger says; somebody else has spent one of them'

function termsIn(terms: Terms, { base, input }: { readonly base: bigint; readonly input: bigint }): Terms {
  const costs = { ...terms.costs, base: { gas: base, beside: 0n } }
  return { ...terms, costs, maxItems: MOST_INPUTS, maxGas: base + input * BigInt(MOST_INPUTS) }
}

/** Adds to each address its largest outputs that belong to no other batch, as the ledger knows them. */
async function withOutputs(
  ctx: Context,
  { row, psbts }: OutputChain,
  { asset, entries, size }: { readonly asset: Asset; readonly entries: readonly Entry[]; readonly size: bigint },
): Promise<Entry[]> {
  const addressIds = entries.map(({ addressId }) => addressId)
  const reserved = new Set((await listReserved(ctx, row.id, addressIds)).map(nameOf))
  const outputs = new Map<string, OutputRow>()
  for (const { leg, ...brought } of await listBrought(ctx, { assetId: asset.id, addressIds })) {
    const vout = psbts.outputOf(leg)
    if (vout === null) continue
    const output = { ...brought, vout }
    // Several senders may share one output of ours: each of them is a transfer of its own.
    const known = outputs.get(nameOf(output))
    const units = String(BigInt(brought.units) + BigInt(known?.units ?? '0'))
    if (!reserved.has(nameOf(output))) outputs.set(nameOf(output), { ...output, units })
  }
  const byAddress = Map.groupBy(outputs.values(), ({ address_id }) => address_id)
  return entries.map((entry) => {
    const largest = (byAddress.get(entry.addressId) ?? []).toSorted((a, b) => Number(BigInt(b.units) - BigInt(a.units)))
    return { ...entry, ...holding(largest.slice(0, MOST_INPUTS), size, entry.units) }
  })
}

/** What an address gives to a batch by these outputs, and what it adds to the batch. */
function holding(outputs: readonly OutputRow[], size: bigint, most: bigint) {
  const units = outputs.reduce((sum, output) => sum + BigInt(output.units), 0n)
  // Until a node was asked, spent outputs may be among them.
  return { outputs, units: units < most ? units : most, cost: { gas: size * BigInt(outputs.length), beside: 0n } }
}

type Compared = { readonly sound: readonly Entry[]; readonly unsound: readonly Entry[] }

/** Asks a node which outputs of batches are spent, and removes those; an address may not give more than the ledger knows. */
async function compared(
  { psbts }: OutputChain,
  session: ChainSession,
  batches: readonly Batch<Entry>[],
  size: bigint,
): Promise<Compared> {
  const entries = batches.flatMap(({ items }) => items)
  const asked = entries.flatMap(({ outputs = [] }) => outputs.map(({ tx_id, vout }) => ({ txId: tx_id, vout })))
  const unspent = new Set<string>()
  for (const [at, isUnspent] of (await psbts.unspent(session, asked)).entries()) {
    const { txId = '', vout = 0 } = asked[at] ?? {}
    if (isUnspent) unspent.add(nameOf({ tx_id: txId, vout }))
  }
  const sound: Entry[] = []
  const unsound: Entry[] = []
  for (const entry of entries) {
    const outputs = (entry.outputs ?? []).filter((output) => unspent.has(nameOf(output)))
    const units = outputs.reduce((sum, output) => sum + BigInt(output.units), 0n)
    const isSound = units > 0n && units <= entry.units
    if (isSound) sound.push({ ...entry, ...holding(outputs, size, units) })
    else unsound.push(entry)
  }
  return { sound, unsound }
}

function nameOf({ tx_id, vout }: Pick<OutputRow, 'tx_id' | 'vout'>): string {
  return `${tx_id}:${vout}`
}

function batchOf(
  batch: Batch<Entry>,
  terms: Terms,
  ends: { readonly walletId: number; readonly collector: string },
): PlannedBatch {
  // The fee is part of what is signed, so the current cost and the ceiling are the same.
  const { fee, gas: gasLimit } = batch
  return {
    ...ends,
    method: 'psbt',
    vault: '',
    batch,
    gasLimit,
    fee,
    ceiling: fee,
    affordable: affordable(batch.usd, terms),
  }
}
