import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { type LocalTron, openLocalTron } from '@kassa/chains/testing/tron-node/chain.ts'
import { serveLocalTron } from '@kassa/chains/testing/tron-node/http-node.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'

import type { LocalNode, SandboxChain } from '../sandbox-chain.ts'
import { askTronOwner } from './owner.ts'
import { payerAccount, tronPayer } from './payer.ts'

/**
 * Starts the local chain that stands for TRON, in this process: its blocks are kept in a file below KASSA_HOME, from which
 * it is computed again. What a call returns for is on disk.
 */
export async function startLocalTron(home: string): Promise<LocalNode> {
  const folder = join(home, 'chains')
  mkdirSync(folder, { recursive: true })
  const chainId = trx.networks.sandbox.chainId ?? 0
  const local = await openLocalTron({ chainId, payer: payerAccount, file: join(folder, 'TRX.jsonl') })
  const node = await serveLocalTron(local)
  return { url: node.url, chain: sandboxChain(local, node.url), stop: node.stop }
}

function sandboxChain(local: LocalTron, url: string): SandboxChain {
  const payer = tronPayer(url)
  const heightNow = () => local.head().height
  return {
    code: 'TRX',
    payer: payer.address,
    height: async () => heightNow(),
    mine: async (blocks) => {
      await local.mine(blocks)
      return heightNow()
    },
    reorg: async (depth) => {
      if (depth >= heightNow()) return refuseDepth()
      await local.reorganize(depth)
      return heightNow()
    },
    ...payer,
    askOwner: (question) => askTronOwner({ local, url }, question),
  }
}

function refuseDepth(): never {
  const message = 'Depth reaches further back than this chain does'
  return fail('VALIDATION_FAILED', { message, fields: { depth: message } })
}
