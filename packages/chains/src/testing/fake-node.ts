import { NodeRejected } from '../errors.ts'
import type { RpcCall, RpcClient } from '../node/client.ts'

export type FakeAnswers = Readonly<Record<string, (...params: never[]) => unknown>>

/** Makes a node that answers each method by a function, refuses every other method, and records what it was asked. */
export function fakeNode(answers: FakeAnswers): RpcClient & { readonly asked: readonly RpcCall[] } {
  const asked: RpcCall[] = []
  const call = async (one: RpcCall): Promise<unknown> => {
    asked.push(one)
    const answer = answers[one.method]
    if (!answer) throw new NodeRejected(`${one.method} does not exist`, -32601)
    return answer(...(one.params as never[]))
  }
  return { id: 1, label: 'fake', asked, call, batch: (calls) => Promise.allSettled(calls.map(call)) }
}
