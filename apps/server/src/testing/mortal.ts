import { connect, type JsonCall, type NodeClient } from '@kassa/chains/node/client.ts'

import type { Context } from '../context.ts'

/** The process died here. */
export class Killed extends Error {}

/** A process that a test can kill at any step, and nodes that answer as the test says. */
export type Mortal = {
  readonly ctx: Context
  /** Steps taken: before and after each transaction, and each call of a node that changes something. */
  steps: number
  /** The step at which it dies; null for never. */
  killAt: number | null
  /** What a node answers in place of the real one; `next` asks that. */
  answer: ((call: JsonCall, next: () => Promise<unknown>, node: NodeClient) => Promise<unknown>) | null
}

/** What a node is changed by. */
const WRITES = /^eth_sendRawTransaction$/

/** Makes a process of a context; it has a memory of its own. */
export function mortal(ctx: Context): Mortal {
  const life: Mortal = { ctx: undefined as never, steps: 0, killAt: null, answer: null }
  const step = () => {
    life.steps += 1
    if (life.steps === life.killAt) throw new Killed(`at step ${life.steps}`)
  }
  const db = new Proxy(ctx.db, {
    get(target, name) {
      if (name === 'transaction') {
        return () => ({
          execute: async (work: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) => {
            step()
            const result = await target.transaction().execute(work)
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
      const next = life.answer && one.rpc === 'json' ? () => life.answer?.(one, asks, node) : asks
      const isWrite = one.rpc === 'json' && WRITES.test(one.method)
      if (isWrite) step()
      const result = await next()
      if (isWrite) step()
      return result
    }
    return {
      ...node,
      call,
      batch: (calls, wishes) =>
        life.answer ? Promise.allSettled(calls.map((one) => call(one, wishes))) : node.batch(calls, wishes),
    }
  }
  return Object.assign(life, { ctx: { ...ctx, db, connect: own, memory: new Map() } })
}
