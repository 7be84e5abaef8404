/** What a node answered when it did not do what it was asked. */
export class NodeRefusal extends Error {}

/** Calls a JSON-RPC method of a local node. @throws NodeRefusal with the node's message */
export async function callNode<T>(url: string, method: string, ...params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { result: T; error?: { message: string } }
  if (answer.error) throw new NodeRefusal(`The local chain refused ${method}: ${answer.error.message}`)
  return answer.result
}
