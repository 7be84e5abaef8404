import type { ChainSession } from '../../adapter.ts'
import { mapConcurrent } from '../../node/map-concurrent.ts'
import type { NodeCall } from '../../node/client.ts'

/** Concurrent requests to one node: hosted nodes limit requests per second. */
const IN_FLIGHT = 4

/** A call of a node's HTTP interface; calls on final state have a path of their own. */
export function walletCall(name: string, body: Readonly<Record<string, unknown>> = {}, view = 'wallet'): NodeCall {
  return { rpc: 'rest', path: `/${view}/${name}`, body }
}

/** Makes one call; whole numbers keep all of their digits. @throws its failure */
export function ask({ node, signal }: ChainSession, call: NodeCall): Promise<unknown> {
  return node.call(call, { signal, exactNumbers: true })
}

/** Makes many calls, and returns the outcome of each in order. */
export function askEach(session: ChainSession, calls: readonly NodeCall[]): Promise<PromiseSettledResult<unknown>[]> {
  return mapConcurrent(IN_FLIGHT, calls, (call) => ask(session, call))
}

/** Makes many calls of which every one must succeed, and returns their results in order. @throws the first failure */
export async function askAll(session: ChainSession, calls: readonly NodeCall[]): Promise<unknown[]> {
  const outcomes = await askEach(session, calls)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}
