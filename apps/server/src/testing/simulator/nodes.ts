import { RetryableRpcError } from '@kassa/chains/errors.ts'
import type { Fetch } from '@kassa/chains/node/transport.ts'

import type { NodeFault, SimulatedNode } from './families/family.ts'
import { ok, response } from './families/responses.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/** Faults without any answer. */
const SILENT = ['timeout', 'limited', 'unavailable', 'garbage'] as const satisfies readonly NodeFault[]
type Silence = (typeof SILENT)[number]

type Options = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly nodes: readonly SimulatedNode[]
  /** The share of requests that fail without a fault. */
  readonly flaw: () => number
}

/** The network between the program and its nodes; every request is a point of the schedule. */
export function nodeNetwork({ scheduler, random, nodes, flaw }: Options): Fetch {
  return (url, init) => {
    const node = nodes.find((each) => url.startsWith(each.url))
    if (!node) return Promise.reject(new Error(`No node answers at ${url}`))
    const request = { path: url.slice(node.url.length - 1), body: init.body }
    const methods = node.family.names(request)
    const label = `asks ${node.name} ${methods[0]} of ${methods.length}`
    return scheduler.point(label, () => {
      const fault = silence(node, random, flaw())
      if (!fault) return node.family.reply(node, request)
      // A node may take a transaction and then say nothing.
      if (methods.some((one) => one === node.family.broadcast) && random.chance(TAKES_SILENTLY))
        void node.family.reply(node, request)
      scheduler.note(fault)
      return failure(fault, random, scheduler)
    })
  }
}

/** The share of broadcasts without an answer that the node has taken. */
const TAKES_SILENTLY = 0.5

function silence(node: SimulatedNode, random: Random, flaw: number): Silence | null {
  const isFlapping = node.fault === 'flapping' && random.chance(0.5)
  if (isFlapping || random.chance(flaw)) return random.pick(SILENT)
  return SILENT.find((one) => one === node.fault) ?? null
}

function failure(fault: Silence, random: Random, scheduler: Scheduler): Response {
  switch (fault) {
    case 'timeout':
      scheduler.pass(20_000)
      throw new RetryableRpcError('timeout', 'no answer in time')
    case 'limited':
      return response(429, '', { 'retry-after': '3' })
    case 'unavailable':
      return response(503, 'upstream connect error')
    case 'garbage':
      return ok(random.pick(['<html>', '{"jsonrpc":"2.0","id":1', '[]', 'null', '{"jsonrpc":"2.0","id":1}', '42']))
  }
}
