import { readTransaction } from '@kassa/chains/bitcoin/encoding/wire.ts'
import { NodeRejected } from '@kassa/chains/errors.ts'
import { answerEsplora } from '@kassa/chains/testing/bitcoin-node/esplora.ts'
import { NodeRefusal } from '@kassa/chains/testing/fake-chain/answers.ts'
import { answerBitcoin, BITCOIN_LIES, type Shown } from '@kassa/chains/testing/fake-chain/bitcoin/answers.ts'
import { bitcoinGenesis, sealBitcoin } from '@kassa/chains/testing/fake-chain/bitcoin/blocks.ts'
import {
  BITCOIN_FAKES,
  payBitcoin,
  replacementOf,
  withoutDoubleSpends,
} from '@kassa/chains/testing/fake-chain/bitcoin/transactions.ts'
import { createFakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'

import { ANY_FAULTS, type Family, type Network, type NodeRequest, type Purse, type SimulatedNode } from './family.ts'
import { BITCOIN_BROADCAST, createBitcoinPool } from '../money-out/pools/bitcoin-pool.ts'
import { isJsonRpc, methodsIn, ok, replyJsonRpc, response } from './responses.ts'

/** Chains of Bitcoin's kind: coins that are spent once, what waits to be mined, and depth instead of finality. */
export function bitcoinFamily(network: Network): Family {
  const { hash: genesisHash, bytes: genesisBytes } = bitcoinGenesis(network)
  return {
    name: 'BTC_Family',
    open: (startTime) =>
      createFakeChain({ chainId: 0, genesisHash, genesisBytes, startTime, hasFinality: false, seal: sealBitcoin }),
    mostFirstBlocks: 12,
    purse: purseOf(network),
    spell: (address) => address,
    faults: FAULTS,
    sendingFaults: [...FAULTS, 'forgets', 'hides balances', 'denies what was mined'],
    names: (request) => (isBroadcast(request) ? [BITCOIN_BROADCAST] : methodsIn(request)),
    broadcast: BITCOIN_BROADCAST,
    openPool: (_vault, others) => createBitcoinPool(network, others),
    isPaidByCoins: true,
    // One node of each chain is asked as its program is, the other through an index of it (decision 0058).
    reply: (node, request) => (node.isFirst ? replyAsProgram(node, request) : replyAsIndex(node, request)),
    strangeGenesis: 'e'.repeat(64),
    ahead: 4,
    changed: replacementOf,
    mineable: withoutDoubleSpends,
  }
}

const FAULTS = [...ANY_FAULTS, 'foreign blocks', 'changed blocks', 'forgets what waits'] as const

function purseOf(network: Network): Purse {
  const pay = (coin: string, ...legs: readonly { readonly to: string; readonly units: bigint }[]) =>
    payBitcoin(network, { coin, legs })
  return {
    send: (_random, { name, ...leg }) => pay(name, leg),
    give: ({ name, to, units }) => pay(name, { to, units }),
    batch: ({ name, to, units }, other) => pay(name, { to, units }, { to: other(), units }),
    through: () => null,
    fake: (random, sent) => BITCOIN_FAKES[random.pick(['otherScript', 'namedInData'] as const)](network, sent),
    replace: (waiting, payment) => (payment ? pay(waiting.coin ?? '', payment) : replacementOf(waiting)),
  }
}

/** An index is given a transaction by its path. */
function isBroadcast({ path, body }: NodeRequest): boolean {
  return path === '/tx' && body !== null
}

function replyAsProgram(node: SimulatedNode, request: NodeRequest): Response {
  if (!isJsonRpc(request)) return response(404, '')
  return replyJsonRpc(request, ({ method, params }) => answerOf(node, method, params))
}

async function replyAsIndex(node: SimulatedNode, { path, body }: NodeRequest): Promise<Response> {
  const ask = async (method: string, ...params: readonly unknown[]) => {
    try {
      return answerOf(node, method, params)
    } catch (error) {
      throw error instanceof NodeRefusal ? new NodeRejected(error.message, error.code) : error
    }
  }
  const { status, body: said } = await answerEsplora(ask, path, body)
  return status === 200 ? ok(said) : response(status, said)
}

function answerOf(node: SimulatedNode, method: string, params: readonly unknown[]): unknown {
  const view = node.shown ?? node.chain.view()
  const shown: Shown = { view, waiting: [...node.waiting(), ...(node.signed.waiting?.(view) ?? [])] }
  const isForgotten = method === BITCOIN_BROADCAST && node.fault === 'forgets'
  const given = isForgotten ? readTransaction(Buffer.from(String(params[0]), 'hex')).txId : null
  const honest = given ?? node.signed.answer(view, method, params) ?? answerBitcoin(shown, method, params)
  const { fault } = node
  const lie = fault !== null && fault in BITCOIN_LIES ? BITCOIN_LIES[fault as keyof typeof BITCOIN_LIES] : null
  return lie ? lie(honest, method, shown) : honest
}
