import { setTimeout as sleep } from 'node:timers/promises'
import { callNode, jsonCall, type NodeClient } from '../node/client.ts'

export type MinedReceipt = { readonly status: string; readonly contractAddress: `0x${string}` | null }

/** A local chain mines within milliseconds; this long means that it does not mine at all. */
const MINED_WITHIN_MS = 10_000

/**
 * Waits until a local chain has mined a transaction and returns its receipt: anvil answers a send before it mines.
 * @throws Error when it is not mined in time
 */
export async function mined(node: NodeClient, txId: string): Promise<MinedReceipt> {
  const signal = AbortSignal.timeout(MINED_WITHIN_MS)
  for (;;) {
    const receipt = await callNode({ node, signal }, jsonCall('eth_getTransactionReceipt', txId))
    if (receipt !== null) return receipt as MinedReceipt
    await sleep(5)
  }
}
