import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callAll, callEach, jsonCall } from '../../node/client.ts'
import { bytesOf, hashText, integer, malformed, object } from '../encoding/wire.ts'
import { ask, askFor } from './calls.ts'
import type { Protocol } from './protocol.ts'

/** Units of a whole coin, and the virtual bytes that a price is for. */
const UNITS = 100_000_000
const PRICED_BYTES = 1_000

/** The JSON-RPC of Bitcoin Core (https://developer.bitcoin.org/reference/rpc). */
export const bitcoind: Protocol = {
  async about(session) {
    const [about, indexes] = await Promise.allSettled([ask(session, 'getnetworkinfo'), ask(session, 'getindexinfo')])
    return {
      client: about.status === 'fulfilled' ? clientOf(about.value) : '',
      completeness: indexes.status === 'fulfilled' && 'txindex' in object(indexes.value, 'indexes') ? 1 : 0.5,
    }
  },
  async hashAt(session, height) {
    const answer = await askFor(session, 'getblockhash', height)
    return answer === null ? null : hashText(answer, 'hash')
  },
  newestHash: async (session) => hashText(await ask(session, 'getbestblockhash'), 'hash'),
  heightOf: async (session, hash) =>
    integer(object(await ask(session, 'getblockheader', hash, true), 'header')['height'], 'height'),
  header: async (session, hash) => bytesOf(await ask(session, 'getblockheader', hash, false), 'header'),
  block: async (session, hash) => bytesOf(await ask(session, 'getblock', hash, 0), 'block'),
  async transactions(session, txIds) {
    const calls = txIds.map((id) => jsonCall('getrawtransaction', id, false))
    const answers = calls.length === 0 ? [] : await callEach(session, calls)
    return answers.map((answer) => {
      if (answer.status === 'fulfilled') return bytesOf(answer.value, 'transaction')
      if (answer.reason instanceof NodeRejected) return null
      throw answer.reason
    })
  },
  async find(session, txId) {
    const answer = await askFor(session, 'getrawtransaction', txId, true)
    if (answer === null) return null
    const { hex, blockhash, confirmations } = object(answer, 'transaction')
    if (blockhash === undefined) return { bytes: bytesOf(hex, 'hex'), blockHash: null }
    // The index keeps transactions of blocks that the chain left, without confirmations; one that waits again names no block.
    if (integer(confirmations ?? 0, 'confirmations') <= 0) return null
    return { bytes: bytesOf(hex, 'hex'), blockHash: hashText(blockhash, 'blockhash') }
  },
  async waiting(session) {
    const answer = await ask(session, 'getrawmempool')
    if (!Array.isArray(answer)) throw malformed('mempool')
    return answer.map((id) => hashText(id, 'id'))
  },
  async feeRate(session, withinBlocks) {
    const { feerate } = object(await ask(session, 'estimatesmartfee', withinBlocks), 'estimate')
    if (feerate === undefined || feerate === -1) return null
    if (typeof feerate !== 'number') throw malformed('estimate')
    // Whole units for so many bytes: the product alone is a little more or less than they are.
    return Math.round(feerate * UNITS) / PRICED_BYTES
  },
  async unspent(session, outputs) {
    const calls = outputs.map(({ txId, vout }) => jsonCall('gettxout', txId, vout, true))
    return (await callAll(session, calls)).map((answer) => answer !== null)
  },
  async send(session, hex) {
    const answer = await ask(session, 'sendrawtransaction', hex)
    if (typeof answer === 'string') return answer
    throw new RetryableRpcError('malformed', `${session.node.label} answers a transaction without its id`)
  },
}

function clientOf(answer: unknown): string {
  const { subversion } = object(answer, 'network info')
  return typeof subversion === 'string' ? subversion.replaceAll('/', '').replace(':', '/') : ''
}
