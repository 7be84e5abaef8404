import { createFakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import { answerTron, SOLIDIFIED_BEHIND, TRON_LIES } from '@kassa/chains/testing/fake-chain/tron/answers.ts'
import { sealTron } from '@kassa/chains/testing/fake-chain/tron/blocks.ts'
import {
  passOnTrx,
  sendTrc20,
  sendTrc20Batch,
  sendTrx,
  TRON_FAKES,
} from '@kassa/chains/testing/fake-chain/tron/transactions.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'

import {
  ANY_FAULTS,
  failing,
  type Family,
  type Network,
  type NodeRequest,
  type Purse,
  type SimulatedNode,
} from './family.ts'
import { ok, response } from './responses.ts'

const PAYER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

/** Chains of TRON's kind: HTTP, and a view of what 19 of 27 producers have built on. */
export function tronFamily({ networks }: Blockchain, network: Network): Family {
  const { chainId = 0, genesisHash } = networks[network]
  return {
    name: 'TRX_Family',
    open: (startTime) =>
      createFakeChain({
        chainId,
        // The end of the id of block 0 is the chain id (TIP-474).
        genesisHash: genesisHash ?? chainId.toString(16).padStart(64, '0'),
        startTime,
        hasFinality: network === 'testnet',
        seal: sealTron,
      }),
    mostFirstBlocks: 40,
    purse: PURSE,
    spell: (address) => address,
    faults: FAULTS,
    sendingFaults: FAULTS,
    names: ({ path }) => [path],
    reply,
    strangeGenesis: 'e'.repeat(64),
    // A local chain has no such view, because its finality is depth.
    ...(network === 'testnet' && { finalBehind: SOLIDIFIED_BEHIND }),
    ahead: 4,
    changed: failing,
  }
}

const FAULTS = [...ANY_FAULTS, 'missing receipts', 'foreign receipts'] as const

const PURSE: Purse = {
  send: (random, { token, ...sent }) => {
    const paid = { ...sent, from: PAYER }
    return token === null ? sendTrx(paid) : sendTrc20({ ...paid, token, before: random.between(0, 2) })
  },
  batch: ({ name, token, to, units }, other) => {
    if (token === null) return null
    return sendTrc20Batch({ name, from: PAYER, legs: [to, other()].map((one) => ({ token, to: one, units })) })
  },
  through: ({ token, ...sent }) => (token === null ? passOnTrx({ ...sent, from: PAYER }) : null),
  fake: (random, { token, ...sent }) => {
    const onlyTokens = ['failedToken', 'lookAlike', 'zero', 'collectible'] as const
    const kind = token === null ? random.pick(['failedCoin', 'frames'] as const) : random.pick(onlyTokens)
    return TRON_FAKES[kind]({ ...sent, from: PAYER, token: token ?? '' })
  },
}

function reply(node: SimulatedNode, { path, body }: NodeRequest): Response {
  const view = node.shown ?? node.chain.view()
  const honest = answerTron(view, path, JSON.parse(body ?? '{}') as Record<string, unknown>)
  if (honest === undefined) return response(404, 'not found')
  const lie = node.fault !== null && node.fault in TRON_LIES ? TRON_LIES[node.fault as keyof typeof TRON_LIES] : null
  return ok(JSON.stringify(lie ? lie(honest, path.split('/').at(-1) ?? '', view) : honest))
}
