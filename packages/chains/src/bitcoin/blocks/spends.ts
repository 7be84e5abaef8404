import type { Address, BlockRef, ChainSession, Transfer } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { addressOfScript } from '../addresses/scripts.ts'
import { malformed, readTransaction, type WireOutput, type WireTransaction } from '../encoding/wire.ts'
import { protocolOf } from '../network/recognize.ts'
import { outputLeg, shareLeg, spentLeg } from './legs.ts'
import { isFrom, type ReadScope } from './transfers.ts'

type Native = ReadScope & { readonly native: number }

/**
 * Lists what the transactions of a block took from matched scripts, one transfer per address. An input names the output that it
 * spends but not its amount, so that is read from the transaction which made it, whose id proves its bytes.
 * @throws RetryableRpcError where the node cannot find one of those
 */
export async function spendsIn(
  session: ChainSession,
  scope: Native,
  block: BlockRef,
  transactions: readonly WireTransaction[],
): Promise<Transfer[]> {
  const ours = transactions.filter((tx) => isFrom(scope, tx))
  if (ours.length === 0) return []
  const made = await readMade(session, transactions, ours)
  return ours.flatMap((tx) => movesOf(scope, block, tx, made))
}

/** Outputs by the transaction that made them. */
type Made = ReadonlyMap<string, readonly WireOutput[]>

async function readMade(
  session: ChainSession,
  block: readonly WireTransaction[],
  spending: readonly WireTransaction[],
): Promise<Made> {
  const made = new Map(block.map(({ txId, outputs }) => [txId, outputs]))
  const ids = new Set(spending.flatMap(({ inputs }) => inputs.map(({ spends }) => placeOf(spends).txId)))
  const missing = [...ids].filter((id) => !made.has(id))
  const protocol = await protocolOf(session)
  for (const [at, bytes] of (await protocol.transactions(session, missing)).entries()) {
    if (bytes === null) throw unindexed()
    const { txId, outputs } = readTransaction(bytes)
    if (txId !== missing[at]) throw malformed('transaction: it is another one')
    made.set(txId, outputs)
  }
  return made
}

function unindexed(): RetryableRpcError {
  const text = 'The node does not find the transactions that made what a block spends of ours: it needs -txindex'
  return new RetryableRpcError('inconsistent', text)
}

function movesOf({ native, prefixes, matches }: Native, block: BlockRef, tx: WireTransaction, made: Made): Transfer[] {
  const spent = tx.inputs.map(({ spends }) => {
    const { txId, at } = placeOf(spends)
    return made.get(txId)?.[at] ?? malformedSpend()
  })
  const addressOf = ({ script }: WireOutput) => addressOfScript(prefixes, script)
  const taken = new Map<Address, bigint>()
  for (const output of spent) {
    const address = matches(output.script) ? addressOf(output) : null
    if (address !== null) taken.set(address, (taken.get(address) ?? 0n) + output.units)
  }
  const common = { kind: 'native', assetId: native, txId: tx.txId, block, evidence: 'merkle-root' } as const
  const paid = tx.outputs.flatMap((output, at) => (output.units > 0n ? [{ ...output, at }] : []))
  const [only, ...others] = paid
  const to = only && others.length === 0 && spent.every(({ script }) => matches(script)) ? addressOf(only) : null
  if (only && to !== null) {
    const fees = shares(sumOf(spent) - only.units, [...taken.values()])
    return [...taken].map(([from, units], at) => {
      return { ...common, senders: [from], to, units, fee: fees[at] ?? 0n, leg: shareLeg(only.at, from) }
    })
  }
  const left = [...taken].map(([from, units]) => ({ ...common, senders: [from], to: '', units, leg: spentLeg(from) }))
  const back = paid.flatMap((output) => {
    const address = matches(output.script) ? addressOf(output) : null
    const { units, at } = output
    return address === null
      ? []
      : [{ ...common, senders: [], to: address, units, leg: outputLeg(at), isFromUs: true as const }]
  })
  return [...left, ...back]
}

/** Divides a whole by weight into parts that sum up to it exactly. */
function shares(whole: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  let [weighed, given] = [0n, 0n]
  return weights.map((weight) => {
    weighed += weight
    const part = (whole * weighed) / total - given
    given += part
    return part
  })
}

function sumOf(outputs: readonly WireOutput[]): bigint {
  return outputs.reduce((sum, { units }) => sum + units, 0n)
}

/** Reads the output that an input names: the id with its bytes reversed, then the index. */
function placeOf(spends: string): { readonly txId: string; readonly at: number } {
  const bytes = Buffer.from(spends, 'hex')
  return { txId: Buffer.from(bytes.subarray(0, 32)).reverse().toString('hex'), at: bytes.readUInt32LE(32) }
}

function malformedSpend(): never {
  throw malformed('transaction: it spends an output that there is not')
}
