import type { BlockRef, Transfer } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { internalLeg } from './legs.ts'
import { moveOf, type ReadScope } from './transfers.ts'
import { hexBytes, type Json, list, NO_SENDER, object, quantity, type WireTransaction } from '../encoding/wire.ts'

/** Frames that move value of their own; DELEGATECALL and CALLCODE repeat the parent's, STATICCALL has none. */
const MOVES_VALUE = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

const ADDRESS = /^0x[0-9a-f]{40}$/i

/** Deeper calls cannot happen: the EVM stops at 1,024. */
const DEEPEST = 1_024

/**
 * Lists the wanted transfers of native value inside the transactions of a block, from the node's call tracer
 * (`debug_traceBlockByHash`). The top-level call is not among them; it is the `value` leg.
 * @throws RetryableRpcError when the trace does not cover every transaction, in order
 */
export function internalTransfersIn(
  scope: ReadScope,
  block: BlockRef,
  transactions: readonly WireTransaction[],
  answer: unknown,
): Transfer[] {
  const traces = list(answer, 'trace')
  const traced = tracedOf(transactions, traces.length)
  if (!traced) {
    throw new RetryableRpcError('inconsistent', `The trace of block ${block.height} does not cover every transaction`)
  }
  return traced.flatMap((tx, at) => {
    const trace = object(traces[at], 'trace')
    if (trace['txHash'] !== undefined && hexBytes(trace['txHash'], 'txHash') !== tx.hash) {
      throw new RetryableRpcError('inconsistent', `The trace of block ${block.height} lists other transactions`)
    }
    return internalTransfers(scope, block, tx.hash, trace['result'])
  })
}

/** Every transaction is traced; most nodes leave out only those without a sender (POLYGON's state sync). */
function tracedOf(transactions: readonly WireTransaction[], count: number): readonly WireTransaction[] | null {
  const withSender = transactions.filter(({ from }) => !NO_SENDER.test(from))
  return [transactions, withSender].find(({ length }) => length === count) ?? null
}

/**
 * Lists the wanted transfers of native value below the root of one call trace (`callTracer`). A leg is the receiver and the
 * number of the value among those that this transaction brings it, counted from 0. The position in the trace would not do: some
 * nodes list calls of precompiled contracts and some do not, and the same money under two names would be credited twice.
 */
export function internalTransfers(scope: ReadScope, block: BlockRef, txId: string, root: unknown): Transfer[] {
  const { native } = scope
  if (native === null) return []
  const found: Transfer[] = []
  const brought = new Map<string, number>()
  const take = ({ from, to, units }: ValueCall) => {
    const nth = brought.get(to) ?? 0
    brought.set(to, nth + 1)
    const move = moveOf(scope, native, from, to, units)
    if (move) found.push({ kind: 'internal', ...move, txId, leg: internalLeg(to, nth), block, evidence: 'trace' })
  }
  const walk = (frame: Json, depth: number) => {
    if (hasFailed(frame) || depth > DEEPEST) return
    const call = depth > 0 ? readValueCall(frame) : null
    if (call) take(call)
    const calls = frame['calls'] === undefined ? [] : list(frame['calls'], 'calls')
    for (const one of calls) walk(object(one, 'call'), depth + 1)
  }
  walk(object(root, 'trace'), 0)
  return found
}

type ValueCall = { readonly from: string; readonly to: string; readonly units: bigint }

/** Reads every paid receiver; which of them are wanted is decided after counting. */
function readValueCall({ type, from, to, value }: Json): ValueCall | null {
  if (typeof type !== 'string' || !MOVES_VALUE.has(type) || value === undefined) return null
  if (!isAddress(from) || !isAddress(to)) return null
  const units = quantity(value, 'value')
  return units > 0n ? { from: from.toLowerCase(), to: to.toLowerCase(), units } : null
}

/** A call with an error moved nothing, whatever value a node writes there. */
function hasFailed({ error }: Json): boolean {
  return error !== undefined && error !== null && error !== ''
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && ADDRESS.test(value)
}
