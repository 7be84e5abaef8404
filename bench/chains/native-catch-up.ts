/** Catching up where native coins are wanted: a local node whose blocks all ran code, with some payments among them. */

import type { ChainSession, TransferFilter } from '@kassa/chains/adapter.ts'
import { evmAdapter } from '@kassa/chains/evm/adapter.ts'
import { callAll, jsonCall } from '@kassa/chains/node/client.ts'
import { type AnvilChain, openAnvilChain, probeData } from '@kassa/chains/testing/anvil-chain.ts'

import { createAddressFilter } from '../../apps/server/src/modules/watch/matching/address-filter.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { medianSecondsOf } from '../harness/seconds.ts'

const BLOCKS = 200
const ADDRESSES = 1_000

/** Every block holds so many transactions of other people, each of which calls so often: a trace lists all of it. */
const TRANSACTIONS = 48
const CALLS = 20

/** Of so many blocks one pays an address of ours, and one forwards to it through a contract. */
const PAID_EVERY = 10
const FORWARDED_EVERY = 100

/** Blocks the watcher asks for at once when it is behind (money.md W-2). */
const SPAN = 200
const ROUNDS = 3
/** Blocks of one request, as many as the reader asks for: in larger ones the node keeps its bytes back. */
const PER_REQUEST = 10
/** Tracing all of them is slow: so many tell how slow. */
const TRACED = 40
const ETH = 1

/** Enough for one of them, and all of them fit a block. */
const GAS = 500_000n

const STRANGER = '0x00000000000000000000000000000000000beef1'

export const nativeCatchUp: Measurement = { name: 'catch-up-native', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const anvil = await openAnvilChain()
  cleanup(() => anvil.stop())
  const from = (await anvil.height()) + 1
  await mineBlocks(anvil)
  const addresses = createAddressFilter()
  for (let number = 0; number < ADDRESSES; number += 1) addresses.add(Buffer.from(addressOf(number).slice(2), 'hex'))
  const filter = { assets: new Set([ETH]), matches: addresses.has }
  const listed = { ...filter, keys: addresses.keys }
  const expected = BLOCKS / PAID_EVERY
  const found = await read(anvil.session, listed, { from, to: from + BLOCKS - 1 })
  if (found !== expected) throw new Error(`${found} of ${expected} transfers were found`)
  const seconds = await medianSecondsOf(ROUNDS, () => read(anvil.session, listed, { from, to: from + BLOCKS - 1 }))
  const traced = await medianSecondsOf(ROUNDS, () => read(anvil.session, filter, { from, to: from + TRACED - 1 }))
  const heights = Array.from({ length: BLOCKS }, (_, at) => `0x${(from + at).toString(16)}`)
  const fetching = await medianSecondsOf(ROUNDS, () =>
    callAll(
      anvil.session,
      heights.map((height) => jsonCall('eth_getBlockByNumber', height, true)),
      { perRequest: PER_REQUEST },
    ),
  )
  const limit = { name: 'blocks fetched from the same node', value: BLOCKS / fetching }
  const name = `blocks caught up with native coins, ${ADDRESSES.toLocaleString('en-US')} addresses`
  return [
    { name, value: BLOCKS / seconds, unit: '/s', limit },
    { name: `${name}, every block traced`, value: TRACED / traced, unit: '/s', limit },
  ]
}

async function mineBlocks(anvil: AnvilChain): Promise<void> {
  // One of them sends one transaction a block: many of one sender would get in each other's way.
  const senders = Array.from({ length: TRANSACTIONS }, (_, at) => addressOf(ADDRESSES + at))
  for (const sender of senders) await anvil.call('anvil_setBalance', sender, '0xffffffffffffffffffff')
  await anvil.call('evm_setAutomine', false)
  const others = probeData('execute', [Array.from({ length: CALLS }, () => callOf(STRANGER, 0n))])
  for (let at = 1; at <= BLOCKS; at += 1) {
    const to = addressOf(at)
    const forward = { to: anvil.probe, value: 1n, data: probeData('execute', [[callOf(to, 1n)]]) }
    const sent = senders.map((from) => anvil.submit({ from, to: anvil.probe, data: others, gas: GAS }))
    if (at % FORWARDED_EVERY === 0) sent.push(anvil.submit({ ...forward, gas: GAS }))
    else if (at % PAID_EVERY === 0) sent.push(anvil.submit({ to, value: 1n, gas: GAS }))
    await Promise.all(sent)
    await anvil.mine()
  }
}

function callOf(target: `0x${string}`, value: bigint) {
  return { target, value, data: '0x', mayFail: false }
}

function addressOf(number: number): `0x${string}` {
  return `0x${(number + 1).toString(16).padStart(8, '0').repeat(5)}`
}

/** Reads the range as the watcher does, and counts the transfers. */
async function read(
  session: ChainSession,
  filter: TransferFilter,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> {
  let transfers = 0
  for (let at = from; at <= to; at += SPAN) {
    const facts = await evmAdapter.reader.blocks(session, { from: at, to: Math.min(to, at + SPAN - 1) }, filter)
    transfers += facts.reduce((count, one) => count + one.transfers.length, 0)
  }
  return transfers
}
