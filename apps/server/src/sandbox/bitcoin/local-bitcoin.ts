import { join } from 'node:path'

import { bitcoinAdapter } from '@kassa/chains/bitcoin/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { type LocalBitcoin, openLocalBitcoin } from '@kassa/chains/testing/bitcoin-node/local-bitcoin.ts'
import { findBitcoinProgram } from '@kassa/chains/testing/bitcoin-node/program.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { ASSETS } from '@kassa/primitives/chains/assets.ts'
import { btc } from '@kassa/primitives/chains/definitions/btc.ts'

import { payerKey } from '../payer-account.ts'
import { type LocalNode, NotInstalled, type SandboxChain } from '../sandbox-chain.ts'

/** What operators read where the blockchain is switched on. */
const MISSING =
  'Its local chain needs the program bitcoind or litecoind on PATH: install one of them and switch it on again.'

/**
 * Starts the local chain that stands for Bitcoin, a process of its own that keeps its blocks below KASSA_HOME.
 * @throws NotInstalled where neither Bitcoin Core nor Litecoin Core is on PATH
 */
export async function startLocalBitcoin(home: string): Promise<LocalNode> {
  const program = findBitcoinProgram()
  if (program === null) throw new NotInstalled(MISSING)
  const key = Buffer.from(payerKey.slice(2), 'hex')
  const local = await openLocalBitcoin(program, join(home, 'chains', 'BTC'), key)
  return { url: local.url, chain: sandboxChain(local), stop: local.stop }
}

function sandboxChain(local: LocalBitcoin): SandboxChain {
  const chain = chainIn('sandbox', btc)
  const { addresses } = bitcoinAdapter
  const [asset] = ASSETS.filter(({ blockchain }) => blockchain === btc.code)
  return {
    code: btc.code,
    payer: addresses.format(chain, local.payer),
    height: local.height,
    mine: local.mine,
    reorg: async (depth) => {
      if (depth >= (await local.height())) return refuse('depth', 'Depth reaches further back than this chain does')
      return local.reorganize(depth)
    },
    pay: async ({ to, units }) => {
      const sent = await local.send({ to: addresses.key(chain, to), units })
      if (!sent) return refuse('amount', 'The payer of the sandbox has less than this amount')
      return { txHash: sent.txId, height: await local.mine(1) }
    },
    payLookAlike: async () => refuse('case', 'Bitcoin has no tokens that could be taken for another one'),
    balances: async () => (asset ? [{ asset, units: await local.balance() }] : []),
    askOwner: async () => refuse('method', 'Bitcoin has no sweep contracts whose owner could be asked'),
  }
}

function refuse(field: string, message: string): never {
  return fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
}
