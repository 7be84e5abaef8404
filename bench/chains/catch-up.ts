/** Reading blocks that are behind, with a million addresses to watch for, beside reading the same bytes and nothing else. */

import { chainIn, sessionAlone } from '@kassa/chains/chain.ts'
import { evmAdapter } from '@kassa/chains/evm/adapter.ts'
import { connect, type JsonCall } from '@kassa/chains/node/client.ts'
import { answer, NodeRefusal } from '@kassa/chains/testing/fake-chain/answers.ts'
import { createFakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import { sendBatch } from '@kassa/chains/testing/fake-chain/transactions.ts'
import { eth } from '@kassa/primitives/chains/definitions/eth.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'

import { createAddressFilter } from '../../apps/server/src/modules/watch/matching/address-filter.ts'
import type { Figure, Measurement } from '../harness/figure.ts'
import { medianSecondsOf } from '../harness/seconds.ts'

const ADDRESSES = 1_000_000

/** Blocks as a quiet chain has them, and as a busy one. */
const CHAINS = [
  { blocks: 400, logs: 100 },
  { blocks: 100, logs: 1_000 },
] as const

/** Blocks the watcher asks for at once when it is behind (money.md W-2). */
const SPAN = 200
const LEGS = 100
const ROUNDS = 5
/** USDC on ETH: tokens alone need no bodies. */
const USDC = 7

export const catchUp: Measurement = { name: 'catch-up', run }

async function run(): Promise<readonly Figure[]> {
  const filter = createAddressFilter()
  for (let number = 0; number < ADDRESSES; number += 1) filter.add(keyOf(number))
  const figures: Figure[] = []
  for (const shape of CHAINS) figures.push(...(await measure(shape, filter.has)))
  return figures
}

async function measure(
  { blocks, logs }: (typeof CHAINS)[number],
  matches: (key: Uint8Array) => boolean,
): Promise<Figure[]> {
  const node = recordedNode(blocks, logs)
  const session = sessionAlone(chainIn('sandbox', eth), node.client)
  const read = async () => {
    let transfers = 0
    for (let from = 1; from <= blocks; from += SPAN) {
      const range = { from, to: Math.min(blocks, from + SPAN - 1) }
      const facts = await evmAdapter.reader.blocks(session, range, { assets: new Set([USDC]), matches })
      transfers += facts.reduce((count, one) => count + one.transfers.length, 0)
    }
    return transfers
  }
  // The first time what the node says is written down; from then on it costs nothing to say it.
  const found = await read()
  if (found !== blocks) throw new Error(`${found} of ${blocks} transfers were found`)
  const seconds = await medianSecondsOf(ROUNDS, read)
  const parsing = await medianSecondsOf(ROUNDS, async () => node.parseAll())
  const limit = (value: number) => ({ name: 'parsing what the node says', value: value / parsing })
  const what = `${logs} logs each`
  return [
    { name: `blocks caught up, ${what}`, value: blocks / seconds, unit: '/s', limit: limit(blocks) },
    { name: `logs caught up, ${what}`, value: (blocks * logs) / seconds, unit: '/s', limit: limit(blocks * logs) },
  ]
}

/** A node that answers from memory with text: only its reader works. One log of each block is for an address of ours. */
function recordedNode(blocks: number, logs: number) {
  const chain = createFakeChain({ chainId: 31_337, startTime: 1_700_000_000, hasFinality: false })
  for (let height = 1; height <= blocks; height += 1) chain.mine(1_700_000_000 + height * 12, batchesAt(height, logs))
  const said = new Map<string, string>()
  const view = chain.view()
  const sayOne = (call: Asked) => {
    try {
      return { jsonrpc: '2.0', id: call.id, result: answer(view, call) }
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      return { jsonrpc: '2.0', id: call.id, error: { code: error.code, message: error.message } }
    }
  }
  const fetch = async (_url: string, { body }: { body: string | null }) => {
    if (body === null) throw new Error('Only JSON-RPC is asked here')
    const text = said.get(body) ?? JSON.stringify(answerAll(JSON.parse(body) as Asked | Asked[], sayOne))
    said.set(body, text)
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }
  return {
    client: connect({ id: 1, url: 'https://node.example', fetch }),
    parseAll: () => {
      for (const text of said.values()) JSON.parse(text)
    },
  }
}

type Asked = Pick<JsonCall, 'method' | 'params'> & { readonly id: number }

function answerAll(asked: Asked | Asked[], say: (call: Asked) => object): unknown {
  return Array.isArray(asked) ? asked.map(say) : say(asked)
}

function batchesAt(height: number, logs: number) {
  const legs = Array.from({ length: logs }, (_, at) => ({
    token: SANDBOX_TOKENS.usdc.toLowerCase(),
    to: at === 0 ? hexOf(keyOf(height)) : hexOf(keyOf(ADDRESSES + height * logs + at)),
    units: 1_000_000n,
  }))
  return Array.from({ length: logs / LEGS }, (_, at) =>
    sendBatch({ name: `${height} ${at}`, from: STRANGER, legs: legs.slice(at * LEGS, (at + 1) * LEGS) }),
  )
}

const STRANGER = '0x00000000000000000000000000000000000beef1'

/** The bytes of an address, one per number. */
function keyOf(number: number): Uint8Array {
  const key = Buffer.alloc(20)
  key.writeUInt32BE(number, 8)
  key.writeUInt32BE(Math.imul(number, 2_654_435_761) >>> 0, 0)
  return key
}

function hexOf(key: Uint8Array): string {
  return `0x${Buffer.from(key).toString('hex')}`
}
