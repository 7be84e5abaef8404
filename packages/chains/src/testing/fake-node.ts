import { NodeRejected } from '../errors.ts'
import type { JsonCall, NodeCall, NodeClient } from '../node/client.ts'

export type FakeAnswers = Readonly<Record<string, (...params: never[]) => unknown>>

/** Makes a node that answers each method by a function, refuses every other method, and records what it was asked. */
export function fakeNode(answers: FakeAnswers): NodeClient & { readonly asked: readonly JsonCall[] } {
  const asked: JsonCall[] = []
  const node = jsonNode((one) => {
    asked.push(one)
    const answer = answers[one.method]
    if (!answer) throw new NodeRejected(`${one.method} does not exist`, -32601)
    return answer(...(one.params as never[]))
  })
  return { ...node, asked }
}

/** Makes a node of a family that speaks JSON-RPC. */
export function jsonNode(answer: (call: JsonCall) => unknown): NodeClient {
  const call = async (one: NodeCall): Promise<unknown> => {
    if (one.rpc !== 'json') throw new NodeRejected('Only JSON-RPC is spoken here')
    return answer(one)
  }
  return { id: 1, label: 'fake', call, batch: (calls) => Promise.allSettled(calls.map(call)) }
}
