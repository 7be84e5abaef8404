import { sessionAlone } from '../../chain.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { describe, expect, it } from 'vitest'

import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { chainOf } from '../../testing/anvil-chain.ts'
import { fakeNode } from '../../testing/fake-node.ts'
import { tracesOf } from './old-traces.ts'
import { jsonCall } from '../../node/client.ts'

const trace = { result: { type: 'CALL' } }

/** Asks for the traces of an old block and of 1,000 of a node whose newest block is 1,000; `old` answers for the first. */
function ask(old: () => unknown, recent: () => unknown = () => trace, mode: NetworkMode = 'mainnet', height = 100) {
  const node = fakeNode({
    eth_blockNumber: () => '0x3e8',
    debug_traceBlockByHash: (hash: string) => (hash === 'old' ? old() : recent()),
  })
  const call = (hash: string) => jsonCall('debug_traceBlockByHash', hash)
  return tracesOf(sessionAlone(chainOf('ETH', mode), node), [
    { block: { height }, call: call('old') },
    { block: { height: 1_000 }, call: call('new') },
  ])
}
function refused(): never {
  throw new NodeRejected('required historical state unavailable (reexec=128)', -32000)
}

describe('evm.tracesOf', () => {
  it('gives every trace the node has', async () => {
    expect(await ask(() => trace)).toEqual([trace, trace])
  })

  it('does without the traces of old blocks whose state is not kept', async () => {
    expect(await ask(refused)).toEqual([null, trace])
    expect(await ask(() => null)).toEqual([null, trace])
    expect(await ask(() => [{ txHash: '0x1', result: null }])).toEqual([null, trace])
  })

  it('knows that the local nodes of the sandbox keep fewer', async () => {
    expect(await ask(refused, () => trace, 'sandbox', 930)).toEqual([null, trace])
    await expect(ask(refused, () => trace, 'mainnet', 930)).rejects.toThrow('historical state')
    await expect(ask(refused, () => trace, 'sandbox', 950)).rejects.toThrow('historical state')
  })

  it('insists on those of new blocks', async () => {
    await expect(ask(() => trace, refused)).rejects.toThrow('historical state')
    await expect(
      ask(
        () => trace,
        () => null,
      ),
    ).rejects.toThrow('gave no trace')
  })

  it('learns nothing from a node that is away or busy', async () => {
    const away = () => {
      throw new RetryableRpcError('timeout', 'too slow')
    }
    await expect(ask(away)).rejects.toThrow('too slow')
  })
})
