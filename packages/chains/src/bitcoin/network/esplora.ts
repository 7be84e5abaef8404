import type { ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callEach, type RestCall } from '../../node/client.ts'
import { mapConcurrent } from '../../node/map-concurrent.ts'
import { bytesOf, hashText, integer, malformed, object } from '../encoding/wire.ts'
import type { Protocol } from './protocol.ts'

const NOT_FOUND = 404

/** Requests to one server at once. */
const IN_FLIGHT = 4

/** Each transaction that waits is a request of its own, and public servers limit those. */
const WAITING_AT_ONCE = 10

/** The error text of the node behind the server about a transaction; every other rejection is the server's own trouble. */
const SAID_BY_NODE = /RPC error/

/**
 * Esplora: HTTP paths over the index of a node (https://github.com/Blockstream/esplora/blob/master/API.md). Nothing is read by
 * address; blocks are read as bytes, as from every node.
 */
export const esplora: Protocol = {
  about: async () => ({ client: 'Esplora', completeness: 1 }),
  async hashAt(session, height) {
    const answer = await askFor(session, text(`/block-height/${height}`))
    return answer === null ? null : hashText(answer, 'hash')
  },
  newestHash: async (session) => hashText(await ask(session, text('/blocks/tip/hash')), 'hash'),
  heightOf: async (session, hash) =>
    integer(object(await ask(session, json(`/block/${hash}`)), 'block')['height'], 'height'),
  header: async (session, hash) => bytesOf(await ask(session, text(`/block/${hash}/header`)), 'header'),
  block: (session, hash) => ask(session, bytes(`/block/${hash}/raw`)) as Promise<Buffer>,
  async transactions(session, txIds) {
    const answers = await callEach(
      session,
      txIds.map((id) => bytes(`/tx/${id}/raw`)),
    )
    return answers.map((answer) =>
      answer.status === 'fulfilled' ? (answer.value as Buffer) : nullUnlessFailed(answer.reason),
    )
  },
  async find(session, txId) {
    const raw = (await askFor(session, bytes(`/tx/${txId}/raw`))) as Buffer | null
    if (raw === null) return null
    const blockHash = await blockOf(session, txId)
    if (blockHash !== null || (await isWaiting(session, txId))) return { bytes: raw, blockHash }
    // It was mined while the waiting ones were listed, or its block left the chain: a server keeps the transactions of such
    // blocks.
    const later = await blockOf(session, txId)
    return later === null ? null : { bytes: raw, blockHash: later }
  },
  /** The newest are first, so that they are read first. */
  async waiting(session) {
    const recent = list(await ask(session, json('/mempool/recent')))
    const newest = recent.map((one) => hashText(object(one, 'transaction')['txid'], 'id'))
    const listed = new Set(await listWaiting(session))
    return [...new Set([...newest.filter((id) => listed.has(id)), ...listed])]
  },
  waitingAtOnce: WAITING_AT_ONCE,
  async feeRate(session, withinBlocks) {
    const rate = object(await ask(session, json('/fee-estimates')), 'estimates')[String(withinBlocks)]
    if (rate === undefined) return null
    if (typeof rate !== 'number') throw malformed('estimate')
    return rate
  },
  async unspent(session, outputs) {
    const ids = [...new Set(outputs.map(({ txId }) => txId))]
    const answers = await mapConcurrent(IN_FLIGHT, ids, (id) => unspentOf(session, id))
    const unspent = new Map(ids.map((id, at) => [id, valueOf(answers[at])]))
    return outputs.map(({ txId, vout }) => unspent.get(txId)?.[vout] ?? false)
  },
  async send({ node, signal }, hex) {
    try {
      return hashText(await node.call({ rpc: 'rest', path: '/tx', body: hex, answer: 'text' }, { signal }), 'id')
    } catch (error) {
      if (!(error instanceof NodeRejected) || SAID_BY_NODE.test(error.message)) throw error
      throw failureOf(error)
    }
  },
}

function json(path: string): RestCall {
  return { rpc: 'rest', path }
}

function text(path: string): RestCall {
  return { rpc: 'rest', path, answer: 'text' }
}

function bytes(path: string): RestCall {
  return { rpc: 'rest', path, answer: 'bytes' }
}

/** Asks for something that may not be there; null when it is not. @throws RetryableRpcError */
async function askFor({ node, signal }: ChainSession, call: RestCall): Promise<unknown> {
  try {
    return await node.call(call, { signal })
  } catch (error) {
    return nullUnlessFailed(error)
  }
}

async function ask(session: ChainSession, call: RestCall): Promise<unknown> {
  const answer = await askFor(session, call)
  if (answer !== null) return answer
  throw new RetryableRpcError('inconsistent', `${session.node.label} does not have ${call.path}`)
}

function nullUnlessFailed(error: unknown): null {
  if (!(error instanceof NodeRejected)) throw error
  if (error.code === NOT_FOUND) return null
  throw failureOf(error)
}

/** Our requests are well-formed: a server that says otherwise cannot reach its own node or index. */
function failureOf(error: NodeRejected): RetryableRpcError {
  return new RetryableRpcError('internal', error.message, { cause: error })
}

/** The block of the server's branch that holds a transaction; null when none does. */
async function blockOf(session: ChainSession, txId: string): Promise<string | null> {
  const status = object((await askFor(session, json(`/tx/${txId}/status`))) ?? {}, 'status')
  return status['confirmed'] === true ? hashText(status['block_hash'], 'block') : null
}

async function listWaiting(session: ChainSession): Promise<string[]> {
  return list(await ask(session, json('/mempool/txids'))).map((id) => hashText(id, 'id'))
}

async function isWaiting(session: ChainSession, txId: string): Promise<boolean> {
  return (await listWaiting(session)).includes(txId)
}

/**
 * Lists which outputs of a transaction are unspent; none when it is neither mined nor waiting. A server also calls outputs
 * unspent that it has never heard of, so the transaction is looked up first.
 */
async function unspentOf(session: ChainSession, txId: string): Promise<readonly boolean[]> {
  if ((await blockOf(session, txId)) === null && !(await isWaiting(session, txId))) return []
  const spends = list(await ask(session, json(`/tx/${txId}/outspends`)))
  return spends.map((one) => {
    const { spent } = object(one, 'spend')
    if (typeof spent !== 'boolean') throw malformed('spend')
    return !spent
  })
}

function valueOf<Value>(outcome: PromiseSettledResult<Value> | undefined): Value | undefined {
  if (outcome?.status === 'rejected') throw outcome.reason
  return outcome?.value
}

function list(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) throw malformed('list')
  return answer
}
