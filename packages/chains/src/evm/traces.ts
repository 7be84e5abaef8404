import type { BlockRef, Transfer } from '../adapter.ts'
import { RetryableRpcError } from '../errors.ts'
import { moveOf, type Sight } from './transfers.ts'
import { hexBytes, type Json, list, NOBODY, object, quantity, type WireTransaction } from './wire.ts'

/** Frames that move their own value; DELEGATECALL and CALLCODE repeat the parent's, STATICCALL has none. */
const MOVES_VALUE = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

const ADDRESS = /^0x[0-9a-f]{40}$/i

/** Deeper calls cannot happen: the EVM stops at 1,024. */
const DEEPEST = 1_024

/**
 * Lists the deposits of native value inside the transactions of a block, from the node's call tracer
 * (`debug_traceBlockByHash`). The top-level call is not among them: it is `value`.
 * @throws RetryableRpcError when the trace does not cover every transaction, in order
 */
export function internalTransfersIn(
  sight: Sight,
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
    return internalTransfers(sight, block, tx.hash, trace['result'])
  })
}

/** Every transaction is traced; only those of nobody (POLYGON's state sync) are left out by most nodes. */
function tracedOf(transactions: readonly WireTransaction[], count: number): readonly WireTransaction[] | null {
  const somebodys = transactions.filter(({ from }) => !NOBODY.test(from))
  return [transactions, somebodys].find(({ length }) => length === count) ?? null
}

/** Lists the deposits of native value below the root of one call trace (`callTracer`). */
export function internalTransfers(sight: Sight, block: BlockRef, txId: string, root: unknown): Transfer[] {
  const found: Transfer[] = []
  const walk = (frame: Json, path: string, depth: number) => {
    if (hasFailed(frame) || depth > DEEPEST) return
    if (path !== '') {
      const transfer = readFrame(sight, frame)
      if (transfer)
        found.push({ kind: 'internal', ...transfer, txId, leg: `internal:${path}`, block, evidence: 'trace' })
    }
    const calls = frame['calls'] === undefined ? [] : list(frame['calls'], 'calls')
    calls.forEach((call, at) => walk(object(call, 'call'), path === '' ? String(at) : `${path}.${at}`, depth + 1))
  }
  walk(object(root, 'trace'), '', 0)
  return found
}

function readFrame(sight: Sight, frame: Json): ReturnType<typeof moveOf> {
  const { type, from, to, value } = frame
  if (sight.native === null || typeof type !== 'string' || !MOVES_VALUE.has(type) || value === undefined) return null
  if (!isAddress(from) || !isAddress(to)) return null
  return moveOf(sight, sight.native, from.toLowerCase(), to.toLowerCase(), quantity(value, 'value'))
}

/** Whatever a node writes there, a call with an error moved nothing. */
function hasFailed({ error }: Json): boolean {
  return error !== undefined && error !== null && error !== ''
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && ADDRESS.test(value)
}
