import { readFeeTransaction } from '@kassa/keys/evm/fee-transaction.ts'
import { answer } from '@kassa/chains/testing/fake-chain/answers.ts'
import { createFakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import {
  FAKES,
  sendBatch,
  sendCoin,
  sendThroughContract,
  sendToken,
} from '@kassa/chains/testing/fake-chain/transactions.ts'
import { createContracts } from '@kassa/chains/testing/fake-chain/vault.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'

import { createSignedPool } from '../money-out/pools/signed-pool.ts'
import { ANY_FAULTS, failing, type Family, type Network, type Purse, type SimulatedNode } from './family.ts'
import { methodsIn, replyJsonRpc } from './responses.ts'

const PAYER = '0x00000000000000000000000000000000000000f1'

/** Chains of Ethereum's kind. */
export function evmFamily({ networks }: Blockchain, network: Network): Family {
  const { chainId = 0, genesisHash } = networks[network]
  const genesis = genesisHash !== undefined && { genesisHash }
  return {
    name: 'ETH_Family',
    open: (startTime) => createFakeChain({ chainId, ...genesis, startTime, hasFinality: network === 'testnet' }),
    mostFirstBlocks: 80,
    purse: PURSE,
    spell: (address) => address.toLowerCase(),
    faults: FAULTS,
    sendingFaults: [...FAULTS, 'forgets', 'skips places', 'says it failed', 'hides balances'],
    names: methodsIn,
    broadcast: BROADCAST,
    openPool: (vault) =>
      createSignedPool({
        contracts: createContracts(vault),
        isDoomed: (nonce) => nonce % DOOMED_EACH === DOOMED_EACH - 1n,
      }),
    reply: (node, request) => replyJsonRpc(request, ({ method, params }) => reply(node, method, params)),
    permissionLifeMs: PERMISSION_LIFE_MS,
    ahead: 4,
    changed: failing,
  }
}

/**
 * A deposit address whose transaction waits for others that were never sent, because a node lied about its place, is asked again
 * after an hour.
 */
const PERMISSION_LIFE_MS = 2 * 60 * 60_000

/** One of so many signed transactions fails on the chain. */
const DOOMED_EACH = 9n

const FAULTS = [...ANY_FAULTS, 'missing receipts', 'foreign receipts', 'invented logs', 'missing logs'] as const

/** Who fills hot wallets. */
const FUNDER = '0x00000000000000000000000000000000000000f2'

const PURSE: Purse = {
  give: ({ token, ...sent }) =>
    token === null ? sendCoin({ ...sent, from: FUNDER }) : sendToken({ ...sent, from: FUNDER, token }),
  send: (random, { token, ...sent }) => {
    const before = random.between(0, 2)
    return token === null ? sendCoin({ ...sent, from: PAYER }) : sendToken({ ...sent, from: PAYER, token, before })
  },
  batch: ({ name, token, to, units }, other) => {
    if (token === null) return null
    return sendBatch({ name, from: PAYER, legs: [to, other()].map((one) => ({ token, to: one, units })) })
  },
  through: ({ token, ...sent }) => (token === null ? sendThroughContract({ ...sent, from: PAYER }) : null),
  fake: (random, { token, ...sent }) => {
    const onlyTokens = ['failedToken', 'lookAlike', 'zero', 'collectible'] as const
    const kind = token === null ? random.pick(['failedCoin', 'frames'] as const) : random.pick(onlyTokens)
    return FAKES[kind]({ ...sent, from: PAYER, token: token ?? '' })
  },
}

const BROADCAST = 'eth_sendRawTransaction'

function reply(node: SimulatedNode, method: string, params: readonly unknown[]): unknown {
  const view = node.shown ?? node.chain.view()
  const isForgotten = method === BROADCAST && node.fault === 'forgets'
  const honest =
    (isForgotten ? forgotten(params) : node.signed.answer(view, method, params)) ?? answer(view, { method, params })
  return LIES[node.fault ?? '']?.(honest, method, node) ?? honest
}

/** The id of a transaction that a node says it took, and did not. */
function forgotten([raw]: readonly unknown[]): string | undefined {
  return readFeeTransaction(Buffer.from(String(raw).slice(2), 'hex'))?.txId
}

type Lie = (honest: unknown, method: string, node: SimulatedNode) => unknown

const RECEIPTS = 'eth_getBlockReceipts'
const RECEIPT = 'eth_getTransactionReceipt'

/** The false answer of a faulty node. */
const LIES: Readonly<Record<string, Lie>> = {
  'missing receipts': (honest, method) => (method === RECEIPTS ? (honest as unknown[]).slice(0, -1) : honest),
  'foreign receipts': (honest, method, node) => {
    const other = node.chain.view().blocks.findLast(({ receipts }) => receipts.length > 0)
    return method === RECEIPTS && other ? other.receipts : honest
  },
  'invented logs': (honest, method) => (method === RECEIPTS ? (honest as Receipt[]).map(withTwice) : honest),
  'skips places': (honest, method) =>
    method === 'eth_getTransactionCount' ? `0x${(BigInt(String(honest)) + 3n).toString(16)}` : honest,
  'says it failed': (honest, method) => {
    if (method === RECEIPT) return honest && { ...(honest as Receipt), status: '0x0', logs: [] }
    return method === RECEIPTS ? (honest as Receipt[]).map((receipt) => ({ ...receipt, status: '0x0' })) : honest
  },
  'hides balances': (honest, method) => (method === 'eth_getBalance' ? '0x0' : honest),
  'missing logs': (honest, method) => {
    if (method === 'eth_getLogs') return []
    return method === RECEIPTS ? (honest as Receipt[]).map((receipt) => ({ ...receipt, logs: [] })) : honest
  },
}

type Receipt = { readonly logs: readonly { readonly logIndex: string }[] }

function withTwice(receipt: Receipt): Receipt {
  const last = receipt.logs.at(-1)
  if (!last) return receipt
  const logIndex = `0x${(Number(last.logIndex) + 1).toString(16)}`
  return { ...receipt, logs: [...receipt.logs, { ...last, logIndex }] }
}
