import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { type LocalSolana, openLocalSolana } from '@kassa/chains/testing/solana-node/chain.ts'
import { serveLocalSolana } from '@kassa/chains/testing/solana-node/rpc-node.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { LocalNode, SandboxChain } from '../sandbox-chain.ts'
import { solanaPayer, solanaPayerAccount } from './payer.ts'

/**
 * Starts the local chain that stands for Solana, in this process: its blocks are kept in a file below KASSA_HOME, from which
 * it is computed again. What a call returns for is on disk.
 */
export async function startLocalSolana(home: string): Promise<LocalNode> {
  const folder = join(home, 'chains')
  mkdirSync(folder, { recursive: true })
  const local = openLocalSolana({ payer: solanaPayerAccount.address, file: join(folder, 'SOLANA.jsonl') })
  const node = await serveLocalSolana(local)
  return { url: node.url, chain: sandboxChain(local), stop: node.stop }
}

function sandboxChain(local: LocalSolana): SandboxChain {
  const heightNow = () => local.head().slot
  return {
    code: 'SOLANA',
    payer: solanaPayerAccount.address,
    height: async () => heightNow(),
    mine: async (blocks) => {
      local.mine(blocks)
      return heightNow()
    },
    reorg: async (depth) => {
      if (depth >= local.blocks()) return refuse('depth', 'Depth reaches further back than this chain does')
      local.reorganize(depth)
      return heightNow()
    },
    ...solanaPayer(local),
    askOwner: async () => refuse('method', 'Solana has no sweep contracts whose owner could be asked'),
  }
}

function refuse(field: string, message: string): never {
  return fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
}
