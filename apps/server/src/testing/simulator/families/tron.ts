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
import { createTronContracts } from '@kassa/chains/testing/fake-chain/tron/vault.ts'
import { LIFE_MS } from '@kassa/chains/tron/sender/plan.ts'
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
import { createTronPool, TRON_BROADCAST, tronIdOf } from '../money-out/pools/tron-pool.ts'
import { ok, response } from './responses.ts'

/** As in permissions/compose.ts of the adapter. */
const PERMISSION_LIFE_MS = 12 * 3_600_000

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
    sendingFaults: [
      ...FAULTS,
      ...(['forgets', 'says it failed', 'hides balances', 'denies what was mined', 'hurries finality'] as const),
    ],
    names: ({ path }) => [nameIn(path)],
    broadcast: TRON_BROADCAST,
    openPool: (vault) => createTronPool(createTronContracts(vault)),
    reply,
    strangeGenesis: 'e'.repeat(64),
    // A local chain has no such view, because its finality is depth.
    ...(network === 'testnet' && { finalBehind: SOLIDIFIED_BEHIND }),
    provenBehind: SOLIDIFIED_BEHIND,
    lifeMs: LIFE_MS,
    permissionLifeMs: PERMISSION_LIFE_MS,
    ahead: 4,
    changed: failing,
  }
}

const FAULTS = [...ANY_FAULTS, 'missing receipts', 'foreign receipts'] as const

const PURSE: Purse = {
  give: ({ token, ...sent }) =>
    token === null ? sendTrx({ ...sent, from: PAYER }) : sendTrc20({ ...sent, from: PAYER, token }),
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
  const honest = honestAnswer(node, path, JSON.parse(body ?? '{}') as Record<string, unknown>)
  if (honest === undefined) return response(404, 'not found')
  const lie = node.fault !== null && node.fault in TRON_LIES ? TRON_LIES[node.fault as keyof typeof TRON_LIES] : null
  return ok(JSON.stringify(lie ? lie(honest, nameIn(path), view) : honest))
}

function honestAnswer(node: SimulatedNode, path: string, body: Readonly<Record<string, unknown>>): unknown {
  const view = node.shown ?? node.chain.view()
  const name = nameIn(path)
  if (name === TRON_BROADCAST && node.fault === 'forgets')
    return { result: true, txid: tronIdOf(String(body['transaction'])) }
  const shown = node.fault === 'hurries finality' ? path.replace('walletsolidity', 'wallet') : path
  return node.signed.answer(view, name, [body]) ?? answerTron(view, shown, body)
}

/** The last part of a path. */
function nameIn(path: string): string {
  return path.split('/').at(-1) ?? ''
}
