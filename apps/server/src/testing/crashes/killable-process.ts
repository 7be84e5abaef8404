import { connect, type NodeCall, type NodeClient } from '@kassa/chains/node/client.ts'
import type { JsonCall } from '@kassa/chains/node/client.ts'
import type { KyselyPlugin, QueryId, RootOperationNode } from 'kysely'

import type { Context } from '../../context.ts'

/** Thrown at the step at which the process is killed. */
export class Killed extends Error {}

/** A process that a test can kill at any step, and whose nodes answer as the test decides. */
export type KillableProcess = {
  readonly ctx: Context
  /**
   * Steps taken: before and after each transaction, each statement outside of one that writes, and each call of a node that
   * changes something. Every other await leaves nothing behind, so a kill there equals a kill at the step before.
   */
  steps: number
  /** The step at which it is killed; null for never. It does nothing after that. */
  killAt: number | null
  /** Answers calls in place of the real node; `next` asks the real one. */
  answer: ((call: JsonCall, next: () => Promise<unknown>, node: NodeClient) => Promise<unknown>) | null
}

/** Calls that change a node: transactions of ETH_Family, Bitcoin and Solana; of an Esplora and TRON. */
const WRITES = /^(?:eth_sendRawTransaction|sendrawtransaction|sendTransaction)$/
const WRITING_PATHS = /^\/(?:tx|wallet\/broadcasthex)$/

function isWrite(call: NodeCall): boolean {
  return call.rpc === 'json' ? WRITES.test(call.method) : call.body !== undefined && WRITING_PATHS.test(call.path)
}

/** Makes a killable process of a context, with a memory of its own. */
export function killable(ctx: Context): KillableProcess {
  const process: KillableProcess = { ctx: undefined as never, steps: 0, killAt: null, answer: null }
  /** Code that continues after an error must stop with its process. */
  const requireAlive = () => {
    if (process.killAt !== null && process.steps >= process.killAt) throw new Killed(`at step ${process.killAt}`)
  }
  const step = () => {
    requireAlive()
    process.steps += 1
    requireAlive()
  }
  const alone = ctx.db.withPlugin(stepsOf(step, requireAlive))
  const db = new Proxy(alone, {
    get(target, name) {
      if (name === 'transaction') {
        return () => ({
          execute: async (work: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) => {
            step()
            const result = await ctx.db.transaction().execute(work)
            step()
            return result
          },
        })
      }
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const own = (options: Parameters<typeof connect>[0]): NodeClient => {
    const node = connect(options)
    const call: NodeClient['call'] = async (one, wishes) => {
      const asks = () => node.call(one, wishes)
      const next = process.answer && one.rpc === 'json' ? () => process.answer?.(one, asks, node) : asks
      if (isWrite(one)) step()
      else requireAlive()
      const result = await next()
      if (isWrite(one)) step()
      return result
    }
    return {
      ...node,
      call,
      batch: async (calls, wishes) => {
        requireAlive()
        return process.answer ? Promise.allSettled(calls.map((one) => call(one, wishes))) : node.batch(calls, wishes)
      },
    }
  }
  return Object.assign(process, { ctx: { ...ctx, db, connect: own, memory: new Map() } })
}

const WRITING_NODES = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])

/** Steps before and after each statement outside of a transaction that writes. */
function stepsOf(step: () => void, requireAlive: () => void): KyselyPlugin {
  const writing = new WeakSet<QueryId>()
  return {
    transformQuery: ({ node, queryId }) => {
      if (!writes(node)) requireAlive()
      else {
        step()
        writing.add(queryId)
      }
      return node
    },
    transformResult: async ({ result, queryId }) => {
      if (writing.has(queryId)) step()
      return result
    },
  }
}

function writes(node: RootOperationNode): boolean {
  if (WRITING_NODES.has(node.kind) || ('with' in node && node.with !== undefined)) return true
  return node.kind === 'RawNode' && /\b(?:INSERT|UPDATE|DELETE)\b/i.test(node.sqlFragments.join(' '))
}
