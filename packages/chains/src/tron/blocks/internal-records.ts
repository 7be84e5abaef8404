import type { ChainSession } from '../../adapter.ts'
import type { NodeClient } from '../../node/client.ts'
import { toHex } from '../encoding/hex.ts'
import { list, readBlock, readInfo, type WireInfo, type WireTransaction } from '../encoding/wire.ts'
import { ask, walletCall } from '../network/calls.ts'

/**
 * Nodes that were seen to keep no records of internal calls (java-tron without `vm.saveInternalTx`), until they show one. No
 * answer of a node states it.
 */
const withoutRecords = new WeakSet<NodeClient>()

type Outcome = { readonly tx: WireTransaction; readonly info: WireInfo | null }

/**
 * Whether a node hides what contracts passed on, as far as the outcomes that it gives show it. Another contract than the one
 * that was called can log something only when it was called as well, and java-tron records every call: a log without a record
 * proves that the node keeps none.
 */
export function hidesInternal(node: NodeClient, outcomes: readonly Outcome[]): boolean {
  if (outcomes.some(({ info }) => info !== null && info.records > 0)) withoutRecords.delete(node)
  else if (outcomes.some(lacksRecord)) withoutRecords.add(node)
  return withoutRecords.has(node)
}

function lacksRecord({ tx: { raw }, info }: Outcome): boolean {
  const { message } = raw
  if (message.kind !== 'call' || info === null || !info.isSuccess || info.records > 0) return false
  const called = toHex(message.to)
  return info.logs.some(({ address }) => address !== called)
}

/** Looks into the newest block for what a node lacks; see `ChainReader.shortcoming`. */
export async function findShortcoming(session: ChainSession): Promise<'internal_transfers' | null> {
  const block = readBlock(await ask(session, walletCall('getnowblock')))
  if (block === null || block.transactions.length === 0) return null
  const answer = await ask(session, walletCall('gettransactioninfobyblocknum', { num: block.height }))
  const infos = new Map(list(answer, 'transaction infos').map((one) => [readInfo(one)?.txId, readInfo(one)]))
  const outcomes = block.transactions.map((tx) => ({ tx, info: infos.get(tx.txId) ?? null }))
  return hidesInternal(session.node, outcomes) ? 'internal_transfers' : null
}
